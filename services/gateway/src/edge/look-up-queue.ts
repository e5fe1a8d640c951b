import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';

interface Waiting {
  readonly since: number;
  readonly start: () => void;
  readonly fail: (error: AppError) => void;
}

/** Bounds of a {@link LookUpQueue}. */
export interface LookUpBounds {
  /** Look-ups that run at the same time. */
  readonly running: number;
  /** Look-ups that wait for one of those to end; one more is refused. */
  readonly waiting: number;
  /** Milliseconds; what has waited longer is refused when its turn comes. */
  readonly waitMs: number;
}

/** Runs a few look-ups at a time, in the order in which they were asked for. */
export class LookUpQueue {
  readonly #clock: Clock;
  readonly #bounds: LookUpBounds;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(clock: Clock, bounds: LookUpBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /**
   * Runs a look-up when it is its turn.
   * @returns what it gives; rejects with what it throws
   * @throws AppError 50301 when too many wait, or when it has waited too long
   */
  async run<T>(lookUp: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#bounds.running) await this.#turn();
    else this.#running += 1;
    try {
      return await lookUp();
    } finally {
      this.#next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#bounds.waiting) throw busy();
    return new Promise((start, fail) => this.#waiting.push({ since: this.#clock.now(), start, fail }));
  }

  /** Gives the place of a look-up that has ended to the next one. */
  #next(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.#clock.now() - next.since <= this.#bounds.waitMs) {
        next.start();
        return;
      }
      next.fail(busy());
    }
    this.#running -= 1;
  }
}

function busy(): AppError {
  return AppError.unavailable('Too many keys wait to be checked; try again');
}
