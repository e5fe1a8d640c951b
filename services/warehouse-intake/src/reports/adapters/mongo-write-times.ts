import type { Clock } from '@parcelway/kernel/clock';

/** A number holds the milliseconds of this age to 1/4096 (53 binary digits, of which the milliseconds take 41 until 2039). */
const STEPS = 4096;

/**
 * Times of writing that rise within a millisecond too, by fractions of it, so that messages of one batch in many
 * documents have an order. In the millisecond before the present one: what is written now is due now.
 */
export class WriteTimes {
  readonly #clock: Clock;
  #millisecond = 0;
  #step = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Epoch milliseconds with a fraction. */
  next(): number {
    const now = this.#clock.now();
    if (now !== this.#millisecond) {
      this.#millisecond = now;
      this.#step = 0;
    }
    const step = Math.min(this.#step, STEPS - 1);
    this.#step += 1;
    return now - 1 + step / STEPS;
  }
}
