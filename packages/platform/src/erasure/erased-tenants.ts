import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ErasedTenantStore } from '@parcelway/kernel/tenant-data';
import { Upkeep } from '@parcelway/kernel/upkeep';

/** A process knows an erased tenant so long after another one has remembered it. */
export const SEEN_WITHIN_MS = 3000;

/** What the directory works with. */
export interface ErasedTenantsOptions {
  readonly store: ErasedTenantStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two reads; default {@link SEEN_WITHIN_MS}. */
  readonly readEveryMs?: number;
}

/** The erased tenants, in memory: they are few, and are looked up for every event. */
export class ErasedTenants {
  readonly #options: ErasedTenantsOptions;
  readonly #known = new Set<string>();
  #after: string | null = null;
  readonly #upkeep: Upkeep;

  constructor(options: ErasedTenantsOptions) {
    this.#options = options;
    const { logger, readEveryMs: everyMs = SEEN_WITHIN_MS } = options;
    // A store that is out takes no writes either, so nothing of an erased tenant can be written meanwhile.
    const steps = [{ what: 'Reading which tenants were erased', run: () => this.#read().then(() => false) }];
    this.#upkeep = new Upkeep({ steps, everyMs, logger });
  }

  /** True when the tenant was erased: nothing of it may be written any more. */
  has(tenantId: string): boolean {
    return this.#known.has(tenantId);
  }

  /** Remembers a tenant, durably. @throws AppError 50301 */
  async remember(tenantId: string): Promise<void> {
    await this.#options.store.remember(tenantId, this.#options.clock.now());
    this.#known.add(tenantId);
  }

  /** Reads all, and goes on reading what other processes add. @throws AppError 50301 */
  async start(): Promise<void> {
    await this.#read();
    this.#upkeep.start();
  }

  /** Stops reading. */
  async stop(): Promise<void> {
    await this.#upkeep.stop();
  }

  async #read(): Promise<void> {
    for (;;) {
      const page = await this.#options.store.list(this.#after);
      const before = this.#known.size;
      for (const { tenantId } of page) this.#known.add(tenantId);
      this.#after = page.at(-1)?.cursor ?? this.#after;
      if (this.#known.size === before) return;
    }
  }
}
