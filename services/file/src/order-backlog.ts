import type { Clock } from '@parcelway/kernel/clock';
import type { DocumentOrders } from './ports.ts';

/** Orders of documents that are kept; while there are more, events wait in their log. */
const MAX_ORDERS = 100_000;

/** A count is good for so long, milliseconds: in this time come far fewer orders than are kept. */
const COUNTED_EVERY_MS = 15_000;

/** How many orders of documents wait. */
export class OrderBacklog {
  readonly #orders: Pick<DocumentOrders, 'count'>;
  readonly #clock: Clock;
  #countedAt = Number.NEGATIVE_INFINITY;
  #counted: Promise<number> = Promise.resolve(0);

  constructor(orders: Pick<DocumentOrders, 'count'>, clock: Clock) {
    this.#orders = orders;
    this.#clock = clock;
  }

  /** Counts them. @throws AppError 50301 */
  count(): Promise<number> {
    this.#countedAt = this.#clock.now();
    this.#counted = this.#orders.count();
    this.#counted.catch(() => {
      this.#countedAt = Number.NEGATIVE_INFINITY;
    });
    return this.#counted;
  }

  /** True when no further order is to be kept, as of a count in the last fifteen seconds. @throws AppError 50301 */
  async isFull(): Promise<boolean> {
    const isOld = Math.abs(this.#clock.now() - this.#countedAt) >= COUNTED_EVERY_MS;
    return (await (isOld ? this.count() : this.#counted)) >= MAX_ORDERS;
  }
}
