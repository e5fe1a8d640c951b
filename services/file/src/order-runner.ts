import { randomUUID } from 'node:crypto';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import type { Logger } from '@parcelway/kernel/logger';
import type { Metrics } from '@parcelway/telemetry/metrics';
import type { DocumentOrder } from './domain/forecast-documents.ts';
import { nextTry } from './domain/next-try.ts';
import type { DocumentOutcome } from './generate-documents.ts';
import type { DocumentOrders, LeasedOrder } from './ports.ts';

/** Orders that are carried out side by side: one is rendered while the other is stored, and a third tenant does not wait for two large ones. */
export const MAX_RUNNING = 3;
/** Of one tenant: a place is left for the others, whatever one of them has ordered. */
export const MAX_RUNNING_OF_TENANT = 2;
/** After a crash another process takes the order so much later. */
const LEASE_MS = 90_000;
const EXTEND_EVERY_MS = 30_000;
/** After so many failures in a row because of dependencies that are out, no order is begun for a while. */
const MAX_OUTAGES = 3;
const OUTAGE_PAUSE_MS = 1_000;
/** Finds what other processes have put or left, and what is to be tried again. */
const LOOK_EVERY_MS = 2_000;

/** While the event loop works for a larger part of its time, the next order is put off: requests and events go first. */
const BUSY_LOOP_USE = 0.5;
/** It is looked so often whether the loop has time again, milliseconds, and so many times: then the order is begun all the same. */
const REST = { ms: 50, times: 5 } as const;

/** What the runner needs. */
export interface OrderRunnerOptions {
  readonly orders: DocumentOrders;
  readonly generate: (order: DocumentOrder) => Promise<DocumentOutcome>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The part of its time that the event loop works, from 0 to 1, at an instant of `performance.now()`. */
  readonly loopUse: (now: number) => number;
}

/**
 * Carries out the orders that are kept, a few at a time, tenants in turn. Several processes share the orders of one store: whoever keeps an order while it
 * has room for it carries it out, and only what had to wait is searched for.
 */
export class OrderRunner {
  readonly #options: OrderRunnerOptions;
  /** Leases of orders that were kept by a write of which nobody knows whether it happened, by order. They are given again. */
  readonly #doubted = new Map<string, { readonly lease: string; readonly until: number }>();
  /** Tenant id of each order that is being carried out. */
  readonly #running = new Map<Promise<void>, string>();
  /** Who had the last turn. */
  #lastTenant = '';
  /** Failures in a row because of dependencies that are out, and the last of them by the clock of {@link performance}. */
  #outages = { count: 0, last: 0 };
  #look: NodeJS.Timeout | undefined;
  #starting: Promise<void> | undefined;
  #isAwake = false;
  /** True while orders may be due that nobody carries out. */
  #mayWait = true;
  /** True while an order is searched for, which then needs a place. */
  #isSearching = false;
  #isClosed = false;

  constructor(options: OrderRunnerOptions) {
    this.#options = options;
  }

  /** Begins to carry out orders. */
  start(): void {
    this.#look = setInterval(() => this.wake(), LOOK_EVERY_MS).unref();
    this.wake();
  }

  /**
   * Keeps an order durably, and carries it out: at once while there is room and nothing else waits, otherwise when it has its turn.
   * @throws AppError 50301; then it is to be given again
   */
  async take(order: DocumentOrder): Promise<void> {
    const { orders, clock } = this.#options;
    const now = clock.now();
    const name = `${order.tenantId} ${order.forecastNo} ${order.version}`;
    const doubted = this.#doubted.get(name)?.lease;
    if (this.#mayWait || this.#isSearching || !this.#hasRoom() || this.#runningOf(order.tenantId) >= MAX_RUNNING_OF_TENANT) {
      await orders.put(order, now);
      // It may be there under the lease of the first try.
      if (doubted !== undefined) await orders.postpone({ order, lease: doubted, orderedAt: now, defects: 0 }, { dueAt: now, defects: 0 });
      this.#doubted.delete(name);
      return this.wake();
    }
    const lease = doubted ?? randomUUID();
    const leasing = orders.putLeased(order, now, now + LEASE_MS, lease);
    this.#run(order.tenantId, leasing);
    try {
      await leasing;
      this.#doubted.delete(name);
    } catch (error) {
      this.#noteDoubt(name, lease, now);
      throw error;
    }
  }

  #noteDoubt(name: string, lease: string, now: number): void {
    for (const [other, { until }] of this.#doubted) if (until <= now) this.#doubted.delete(other);
    this.#doubted.set(name, { lease, until: now + LEASE_MS });
  }

  /** Looks for orders now: some may wait. */
  wake(): void {
    this.#mayWait = true;
    this.#lookIfRoom();
  }

  #lookIfRoom(): void {
    this.#isAwake = true;
    this.#starting ??= this.#startOrders().finally(() => {
      this.#starting = undefined;
      if (this.#isAwake && !this.#isClosed) this.#lookIfRoom();
    });
  }

  /** Begins no further order. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#look);
  }

  /** Resolves once no order is being carried out; after {@link close}. */
  async settled(): Promise<void> {
    await this.#starting;
    await Promise.all(this.#running.keys());
  }

  async #startOrders(): Promise<void> {
    while (this.#isAwake) {
      this.#isAwake = false;
      try {
        while (this.#mayWait && this.#hasRoom()) {
          this.#mayWait = false;
          this.#isSearching = true;
          const leased = await this.#leaseNext().finally(() => {
            this.#isSearching = false;
          });
          if (leased === undefined) break;
          this.#mayWait = true;
          this.#run(leased.order.tenantId, Promise.resolve(leased));
        }
      } catch (error) {
        this.#mayWait = true;
        // The next look tries again.
        this.#options.logger.warn({ err: error }, 'Cannot read which product labels are to be generated');
      }
    }
  }

  /**
   * Leases the next order: of the first tenant behind the one who had the last turn, and who has not too many that run.
   * @returns undefined when there is none; others may be due of tenants who were passed over
   */
  async #leaseNext(): Promise<LeasedOrder | undefined> {
    const { orders, clock } = this.#options;
    const now = clock.now();
    let isRound = false;
    for (let after = this.#lastTenant; ; ) {
      const tenantId = await orders.nextTenant(after, now);
      if (tenantId !== undefined && isRound && tenantId > this.#lastTenant) return undefined;
      if (tenantId === undefined) {
        if (isRound || after === '') return this.#endRound();
        isRound = true;
        after = '';
        continue;
      }
      after = tenantId;
      if (this.#runningOf(tenantId) >= MAX_RUNNING_OF_TENANT) {
        this.#mayWait = true;
        continue;
      }
      const leased = await orders.lease(tenantId, now, now + LEASE_MS);
      // Another process may have been faster.
      if (leased === undefined) continue;
      this.#lastTenant = tenantId;
      return leased;
    }
  }

  #endRound(): undefined {
    // With nobody left to give the next turn to, the next look begins at the first tenant and needs no second one.
    if (!this.#mayWait) this.#lastTenant = '';
  }

  #hasRoom(): boolean {
    const { count, last } = this.#outages;
    const isPaused = count >= MAX_OUTAGES && performance.now() - last < OUTAGE_PAUSE_MS;
    return !this.#isClosed && !isPaused && this.#running.size < MAX_RUNNING;
  }

  #runningOf(tenantId: string): number {
    return [...this.#running.values()].filter((running) => running === tenantId).length;
  }

  /** @param leasing gives nothing when there is nothing to do, and fails for whoever waits for it as well */
  #run(tenantId: string, leasing: Promise<LeasedOrder | undefined>): void {
    const running = leasing
      .then(
        async (leased) => {
          if (leased === undefined) return;
          await this.#carryOut(leased);
          await this.#rest();
        },
        () => undefined,
      )
      .finally(() => {
        this.#running.delete(running);
        this.#lookIfRoom();
      });
    this.#running.set(running, tenantId);
  }

  /** Leaves a busy event loop to others for some moments. An order has its place meanwhile, so as many rest as could run. */
  async #rest(): Promise<void> {
    const { loopUse } = this.#options;
    for (let time = 0; time < REST.times && !this.#isClosed && loopUse(performance.now()) > BUSY_LOOP_USE; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, REST.ms));
    }
  }

  /** Never rejects. What the store does not take comes again when the lease has run out. */
  async #carryOut(leased: LeasedOrder): Promise<void> {
    const { orders, clock, logger } = this.#options;
    const { tenantId, forecastNo, version } = leased.order;
    const named = { tenant_id: tenantId, forecast_no: forecastNo, version };
    const extend = (): void => {
      orders
        .postpone(leased, { dueAt: clock.now() + LEASE_MS, defects: leased.defects })
        .catch((error: unknown) => logger.warn({ ...named, err: error }, 'Cannot extend the lease of a product label'));
    };
    const extending = setInterval(extend, EXTEND_EVERY_MS).unref();
    try {
      const failure = await this.#generate(leased.order);
      clearInterval(extending);
      const action = failure && consumerActionOf[failure.code];
      this.#outages = action === 'retry' ? { count: this.#outages.count + 1, last: performance.now() } : { count: 0, last: 0 };
      if (failure === undefined) return await orders.finish(leased);
      const { defects, orderedAt } = leased;
      const again = nextTry({ isOutage: action === 'retry', isFinal: action === 'dead-letter', defects, orderedAt }, clock.now());
      if (again === undefined) {
        logger.error(
          { ...named, err: failure },
          'A product label cannot be generated; the forecast stays without it until it is corrected',
        );
        return await orders.finish(leased);
      }
      const fields = { ...named, err: failure, next_try_at: new Date(again.dueAt).toISOString() };
      logger.warn(fields, 'A product label cannot be generated now; it is tried again');
      await orders.postpone(leased, again);
    } catch (error) {
      logger.warn({ ...named, err: error }, 'Cannot record the result of a product label; it is retried when its lease ends');
    } finally {
      clearInterval(extending);
    }
  }

  /** @returns why there are no documents; undefined when there are */
  async #generate(order: DocumentOrder): Promise<AppError | undefined> {
    const { generate, clock, metrics } = this.#options;
    const startedAt = performance.now();
    try {
      const outcome = await generate(order);
      metrics.count('parcelway_documents_total', { outcome });
      if (outcome === 'generated') metrics.observe('parcelway_document_delay_seconds', {}, Math.max(0, clock.now() - order.at) / 1000);
      return undefined;
    } catch (error) {
      metrics.count('parcelway_documents_total', { outcome: 'failed' });
      return error instanceof AppError ? error : new AppError('50000', undefined, { cause: error });
    } finally {
      metrics.observe('parcelway_document_generation_seconds', {}, (performance.now() - startedAt) / 1000);
    }
  }
}
