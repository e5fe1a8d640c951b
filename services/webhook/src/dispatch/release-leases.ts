import type { Logger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { DeliveryQueue } from '../queue/ports.ts';

/** What leases are given back with. */
export interface LeaseReleaserOptions {
  readonly queue: Pick<DeliveryQueue, 'release'>;
  readonly logger: Logger;
}

/** Gives leases back to the store without anyone waiting for it, and knows what is still on its way there. */
export class LeaseReleaser {
  readonly #options: LeaseReleaserOptions;
  readonly #releasing = new Set<Promise<unknown>>();

  constructor(options: LeaseReleaserOptions) {
    this.#options = options;
  }

  /**
   * Gives leases back. A failure is logged: a lease that is not given back runs out by itself.
   * @param until they cannot be leased before, epoch milliseconds; default: they can be leased at once
   */
  release(leased: readonly LeasedDelivery[], until?: number): void {
    if (leased.length === 0) return;
    const { queue, logger } = this.#options;
    const release = queue
      .release(leased, until)
      .catch((error: unknown) => logger.warn({ err: error }, 'cannot release leases of webhook deliveries; they expire by themselves'))
      .finally(() => this.#releasing.delete(release));
    this.#releasing.add(release);
  }

  /** Resolves when all that was given back is with the store. A stop waits for it: afterwards the store is closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#releasing);
  }
}
