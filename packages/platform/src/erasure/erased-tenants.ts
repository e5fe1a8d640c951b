import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ErasedTenantStore } from '@parcelway/kernel/tenant-data';

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
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(options: ErasedTenantsOptions) {
    this.#options = options;
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
    this.#timer = setInterval(() => {
      this.#reading = this.#tryToRead();
    }, this.#options.readEveryMs ?? SEEN_WITHIN_MS).unref();
  }

  /** Stops reading. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
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

  /** A store that is out takes no writes either, so nothing of an erased tenant can be written meanwhile. */
  async #tryToRead(): Promise<void> {
    try {
      await this.#read();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.logger.warn({ err: error }, 'Cannot read which tenants were erased; trying again');
      this.#isFailing = true;
    }
  }
}
