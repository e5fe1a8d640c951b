import type { Lane } from './lane.ts';

/** Attempts of this process side by side. */
export const MAX_RUNNING = 512;
/** Beyond this only endpoints that have no attempt running may start one, so that no endpoint waits for another's. */
export const SHARED_RUNNING = MAX_RUNNING / 2;

export interface TurnsOptions {
  /** True while attempts may start, as far as their number does not say no. */
  readonly mayStart: () => boolean;
  /** Starts an attempt of a lane, if it has one and may. */
  readonly start: (lane: Lane) => void;
  /** Called with a lane that had its turn, and has more that waits. */
  readonly review: (lane: Lane) => void;
}

/** The lanes that can start an attempt, in the order of their turns: one attempt a turn. */
export class Turns {
  /** Attempts that run. */
  running = 0;
  readonly #options: TurnsOptions;
  #line: Lane[] = [];
  #isTaking = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Puts a lane at the end of the line. */
  add(lane: Lane): void {
    lane.inLine = true;
    this.#line.push(lane);
  }

  clear(): void {
    this.#line = [];
  }

  /** Starts as many attempts as there are places for, one a lane in turn. */
  take(): void {
    // A rate limiter that decides at once puts a lane back in line while turns are taken.
    if (this.#isTaking || this.#line.length === 0) return;
    this.#isTaking = true;
    const passed: Lane[] = [];
    try {
      while (this.#line.length > 0 && this.running < MAX_RUNNING && this.#options.mayStart()) {
        const lane = this.#line.shift() as Lane;
        // The last places are for lanes without a running attempt: a few slow receivers cannot take them all.
        if (this.running >= SHARED_RUNNING && lane.running.size > 0) {
          passed.push(lane);
          continue;
        }
        lane.inLine = false;
        this.#options.start(lane);
        // With more that waits it goes to the end of the line.
        if (lane.queue.length > 0) this.#options.review(lane);
      }
    } finally {
      if (passed.length > 0) this.#line = [...passed, ...this.#line];
      this.#isTaking = false;
    }
  }
}
