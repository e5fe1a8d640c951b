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
  /** What the last count gave that succeeded. */
  #last = 0;
  #counting: Promise<number> | undefined;

  constructor(orders: Pick<DocumentOrders, 'count'>, clock: Clock) {
    this.#orders = orders;
    this.#clock = clock;
  }

  /** Counts them, once for all that ask meanwhile. @throws AppError 50301 */
  count(): Promise<number> {
    this.#countedAt = this.#clock.now();
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  /** True when no further order is to be kept, as of the last count, which is some fifteen seconds old. It is made anew in the background: no order waits for it. */
  isFull(): boolean {
    if (Math.abs(this.#clock.now() - this.#countedAt) >= COUNTED_EVERY_MS) {
      // One that fails leaves the last count, and is repeated in fifteen seconds. Whether the store is out, the order itself finds out.
      void this.count().catch(() => undefined);
    }
    return this.#last >= MAX_ORDERS;
  }

  async #count(): Promise<number> {
    this.#last = await this.#orders.count();
    return this.#last;
  }
}
