import { isUnavailable } from '@parcelway/kernel/together-or-each';
import { overBefore, overdueFor, retentionOf } from './domain/retention.ts';
import { type ExpireOptions, type OverOfTenant, TenantTurn, type TurnCounts } from './tenant-turn.ts';

export interface ExpiredCounts extends Readonly<TurnCounts> {
  /** Why some tenants had no turn: a dependency was out. */
  readonly unavailable?: unknown;
  /** How long the oldest forecast had been over when it was found, milliseconds; 0 for none. */
  readonly overdueMs: number;
  /** True when the turn ended early: the next one begins at once. */
  readonly hasMore: boolean;
}

/** A turn ends after this time. The next one begins after its last tenant, however much that one has left. */
const TURN_MS = 10 * 60_000;

/** A dependency that is out for this many tenants in a row is out for all. It may be out for a single tenant, whose messages wait. */
const MAX_UNAVAILABLE = 3;

/** A tenant with ended forecasts, and when the oldest one ended. */
interface EndedTenant {
  readonly tenantId: string;
  readonly endedAt: number;
}

class ExpiryTurn {
  readonly #options: ExpireOptions;
  readonly #endsAt: number;
  readonly #counts = { forecasts: 0, files: 0, skipped: 0, overdueMs: 0 };
  #unavailable: unknown;
  /** Tenants in a row for whom a dependency was out. */
  #inARow = 0;

  constructor(options: ExpireOptions) {
    this.#options = options;
    this.#endsAt = options.clock.now() + TURN_MS;
  }

  async run(): Promise<ExpiredCounts> {
    try {
      for await (const tenant of this.#tenants()) {
        if (this.#isOver()) break;
        await this.#visit(tenant);
        // The next turn waits, and begins after the tenants for whom it was out.
        if (this.#inARow >= MAX_UNAVAILABLE) return { ...this.#counts, unavailable: this.#unavailable, hasMore: false };
      }
    } catch (error) {
      if (isUnavailable(error)) return { ...this.#counts, unavailable: error, hasMore: false };
      throw error;
    }
    return { ...this.#counts, unavailable: this.#unavailable, hasMore: this.#isOver() };
  }

  /** All tenants: those after the place of the last turn, then those up to it. */
  async *#tenants(): AsyncGenerator<EndedTenant> {
    const { expiry, held } = this.#options;
    const { place } = held;
    for (let tenant = await expiry.nextTenant(place); tenant !== undefined; tenant = await expiry.nextTenant(tenant.tenantId)) yield tenant;
    if (place === '') return;
    for (let tenant = await expiry.nextTenant(''); tenant !== undefined; tenant = await expiry.nextTenant(tenant.tenantId)) {
      if (tenant.tenantId > place) return;
      yield tenant;
    }
  }

  /** Logs a failure, and skips the tenant until the next turn. */
  async #visit({ tenantId, endedAt }: EndedTenant): Promise<void> {
    try {
      await this.#expire(tenantId, endedAt);
      this.#inARow = 0;
    } catch (error) {
      if (isUnavailable(error)) {
        this.#unavailable = error;
        this.#inARow += 1;
        return;
      }
      this.#counts.skipped += 1;
      const text = 'The retention of a tenant failed; the next turn will retry';
      this.#options.logger.error({ err: error, tenant_id: tenantId }, text);
    }
  }

  async #expire(tenantId: string, endedAt: number): Promise<void> {
    const { retentions, installation, clock, held } = this.#options;
    // Noted for each tenant, so that those with nothing to delete are not visited in each turn while others wait.
    await held.renew(tenantId);
    const { forecastMs, fileMs } = retentionOf(installation, await retentions.find(tenantId));
    const now = clock.now();
    const overOf = (keptMs: number | undefined): number | undefined => {
      const before = overBefore(now, keptMs);
      return before !== undefined && endedAt < before ? before : undefined;
    };
    const over: OverOfTenant = { forecasts: overOf(forecastMs), files: fileMs === forecastMs ? undefined : overOf(fileMs) };
    if (over.forecasts === undefined && over.files === undefined) return;
    if (forecastMs !== undefined && over.forecasts !== undefined)
      this.#counts.overdueMs = Math.max(this.#counts.overdueMs, overdueFor(now, endedAt, forecastMs));
    // Durably, before the work: should this tenant end the process, the next process begins with another tenant.
    await held.reach(tenantId);
    await new TenantTurn(this.#options, tenantId, this.#counts, () => this.#isOver()).run(over);
  }

  #isOver(): boolean {
    const { held, clock } = this.#options;
    return held.isOver() || clock.now() >= this.#endsAt;
  }
}

/**
 * One turn over all tenants. It archives and deletes the forecasts that are over, and ends files that are over before their forecast. It begins after the
 * last tenant of the turn before. It ends after ten minutes, or when a dependency is out for three tenants in a row. Forecasts and tenants that fail are
 * skipped. A crash at any point is harmless: forecasts that were archived but not deleted are archived again.
 */
export function expireForecasts(options: ExpireOptions): Promise<ExpiredCounts> {
  return new ExpiryTurn(options).run();
}
