import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep } from '@parcelway/kernel/upkeep';
import type { Store } from '@parcelway/store/store';
import { type ErasureRecord, failureOf, retryAfter } from './domain/erasure.ts';
import { type EraseOptions, eraseTenant } from './erase-tenant.ts';
import { erasureOf, leaseErasure, postponeErasure, saveErasure } from './erasure-collection.ts';
import { suspendErased } from './tenants.ts';

/** What the runner works with. */
export interface ErasureRunnerOptions extends Omit<EraseOptions, 'suspend' | 'save' | 'pause'> {
  readonly store: Store;
  /** Names this process among those that share the work. */
  readonly owner: string;
  readonly logger: Logger;
}

/** An erasure that failed, or whose process ended, goes on within this time and the lease. */
const LOOK_EVERY_MS = 5000;
/** Longer than the longest step and pause. */
const LEASE_MS = 60_000;

/** Carries out erasures in the background, one at a time. */
export class ErasureRunner {
  readonly #options: ErasureRunnerOptions;
  readonly #upkeep: Upkeep;
  readonly #stop = new AbortController();

  constructor(options: ErasureRunnerOptions) {
    this.#options = options;
    const steps = [{ what: 'Looking for tenants to be erased', run: () => this.#next() }];
    this.#upkeep = new Upkeep({ steps, everyMs: LOOK_EVERY_MS, logger: options.logger });
  }

  /** Starts looking for erasures. */
  start(): void {
    this.#upkeep.start();
  }

  /** Looks at once. */
  wake(): void {
    this.#upkeep.wake();
  }

  /** Ends behind the step that runs. What is left goes on in another process, or after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#upkeep.stop();
  }

  /** Carries out one. @returns false when there is none */
  async #next(): Promise<boolean> {
    const { store, owner, clock } = this.#options;
    const record = await leaseErasure(store, owner, clock.now(), clock.now() + LEASE_MS);
    if (record === undefined) return false;
    await this.#erase(record);
    return true;
  }

  /** Erases a tenant, or gives it back for a while, so that one that fails does not keep the others from their turn. */
  async #erase(record: ErasureRecord): Promise<void> {
    const { store, owner, clock, logger } = this.#options;
    const { tenantId } = record;
    const suspend = (id: string): Promise<void> => suspendErased(store, id);
    const steps = { suspend, save: (next: ErasureRecord) => this.#save(next), pause: (ms: number) => this.#pause(ms) };
    logger.info({ tenant_id: tenantId }, 'Erasing a tenant');
    try {
      const { counts } = await eraseTenant({ ...this.#options, ...steps }, record);
      logger.info({ tenant_id: tenantId, counts }, 'A tenant was erased');
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const failures = ((await erasureOf(store, tenantId)) ?? record).failures + 1;
      const retryMs = retryAfter(failures);
      logger.warn({ err: error, tenant_id: tenantId, failures, retry_ms: retryMs }, 'An erasure failed; it goes on by itself');
      await postponeErasure(store, tenantId, owner, failureOf(error), clock.now() + retryMs);
    }
  }

  async #save(record: ErasureRecord): Promise<void> {
    const { store, owner, clock } = this.#options;
    if (!(await saveErasure(store, record, owner, clock.now() + LEASE_MS)))
      throw AppError.unavailable('Another process goes on with the erasure');
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => {
      throw AppError.unavailable('The gateway is shutting down');
    });
  }
}
