import { FairTurns } from '@parcelway/kernel/fair-shares';

/** Turns of the event loop from the start of some pushes to that of the next ones. Any other request passes through all services of a process in about as many. */
const TURNS_APART = 4;
/** Where turns are long, the next ones start after this time nevertheless; milliseconds. */
const LONGEST_APART_MS = 4;
/** Pushes that start together: they share a commit. More would make others wait longer, fewer would cost more for each. */
const TOGETHER = 3;

/** The event loop, or one of a test. */
export interface EventLoop {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls back once the events of the next turn were looked at. */
  nextTurn(callback: () => void): void;
}

const eventLoop: EventLoop = { now: () => performance.now(), nextTurn: (callback) => void setImmediate(callback) };

/**
 * Spreads the starts of pushes over the turns of the event loop. Pushes that come together would otherwise be handled together, and whatever else comes
 * waits for all of them. Between the starts of three, other requests get several turns. Connections take turns, so that a burst at one of them
 * does not hold up the pushes of another. A push that comes alone starts at once.
 */
export class PushPacer {
  readonly #loop: EventLoop;
  /** The connection that started last has the only one, until the next may start. */
  readonly #starts = new FairTurns({ capacity: 1, part: 1 });
  #last: string | undefined;
  #turnsSince = 0;
  #startedAt = 0;
  #follows = false;
  readonly #afterTurn = (): void => {
    this.#turnsSince += 1;
    for (let due = this.#due(); due > 0 && this.#last !== undefined; due -= 1) this.#startNext(this.#last);
    this.#follows = this.#last !== undefined;
    if (this.#follows) this.#loop.nextTurn(this.#afterTurn);
  };

  constructor(loop: EventLoop = eventLoop) {
    this.#loop = loop;
  }

  /** Resolves when a push of a connection may start. The caller bounds how many wait. */
  turnOf(connectionId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#starts.wait(connectionId, () => {
        this.#started(connectionId);
        resolve();
      });
    });
  }

  #started(connectionId: string): void {
    this.#last = connectionId;
    this.#turnsSince = 0;
    this.#startedAt = this.#loop.now();
    if (this.#follows) return;
    this.#follows = true;
    this.#loop.nextTurn(this.#afterTurn);
  }

  /** How many may start now. */
  #due(): number {
    const isTime = this.#turnsSince >= TURNS_APART || this.#loop.now() - this.#startedAt >= LONGEST_APART_MS;
    return isTime ? TOGETHER : 0;
  }

  /** Starts the next push, if one waits. */
  #startNext(last: string): void {
    this.#last = undefined;
    this.#starts.give(last);
  }
}
