import { FairTurns } from '@parcelway/kernel/fair-shares';

/** Turns of the event loop from the start of a push to that of the next one. Any other request passes through all services of a process in about half as many. */
const TURNS_APART = 8;
/** Where turns are long, one push for each such time starts nevertheless; milliseconds. */
const LONGEST_APART_MS = 5;

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
 * waits for all of them. Between two starts, other requests get several turns; connections take turns, so a burst at one of them delays no push of another by
 * more than one start. A process that is busy with other requests starts 200 pushes a second at least. A push that comes alone starts at once.
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
    const late = Math.floor((this.#loop.now() - this.#startedAt) / LONGEST_APART_MS);
    return this.#turnsSince < TURNS_APART ? late : Math.max(1, late);
  }

  /** Starts the next push, if one waits. */
  #startNext(last: string): void {
    this.#last = undefined;
    this.#starts.give(last);
  }
}
