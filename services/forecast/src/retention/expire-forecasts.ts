import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { isUnavailable, togetherOrEach } from '@parcelway/kernel/together-or-each';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import { encodeMessage } from '../store/forecast-writer.ts';
import { batchOf, expiryMessage, overBefore, overdueFor, type Retention, retentionOf } from './domain/retention.ts';
import type { EndedForecast, EndedQuery, ExpiredForecast, ForecastExpiry } from './forecast-expiry.ts';
import type { TenantRetentions } from './tenant-retention-store.ts';

export interface ExpireOptions {
  readonly expiry: ForecastExpiry;
  readonly retentions: Pick<TenantRetentions, 'find'>;
  readonly reader: ForecastReader;
  /** Writes forecasts to the archive before they are deleted; resolves once they are durable there. Undefined: they are deleted without a copy. @throws AppError 50301 */
  readonly archive: ((tenantId: string, forecasts: readonly WholeForecast[]) => Promise<void>) | undefined;
  /** Of tenants that have chosen nothing. */
  readonly installation: Retention;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Says that messages were written. */
  readonly notify: () => void;
  /** Waits after a batch, so that other work has most of the store. @param tookMs how long that took */
  readonly pace: (tookMs: number) => Promise<void>;
  /** The work, as this process has it. A place is the tenant who was visited last. */
  readonly held: HeldWork;
  /** True of a tenant that is erased: nothing of it is archived any more. */
  readonly isErased: (tenantId: string) => boolean;
}

/** Forecasts of one batch: small enough not to hold up other work. */
export const BATCH = 50;

/** An ended forecast with all its data, and the message of its end. */
interface ReadForecast extends ExpiredForecast {
  readonly whole: WholeForecast;
}

export interface ExpiredCounts {
  /** Forecasts that were deleted. */
  readonly forecasts: number;
  /** Forecasts whose files were ended before them. */
  readonly files: number;
  /** Forecasts and tenants that failed and were skipped. */
  readonly skipped: number;
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

  /**
   * Archives and deletes the forecasts of a tenant that are over, oldest first. Then publishes the forecasts whose files are over. Logs a failure, and skips
   * the tenant until the next turn.
   */
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
    const forecasts = overOf(forecastMs);
    const files = fileMs === forecastMs ? undefined : overOf(fileMs);
    if (forecasts === undefined && files === undefined) return;
    if (forecastMs !== undefined && forecasts !== undefined)
      this.#counts.overdueMs = Math.max(this.#counts.overdueMs, overdueFor(now, endedAt, forecastMs));
    // Durably, before the work: should this tenant end the process, the next process begins with another tenant.
    await held.reach(tenantId);
    if (forecasts !== undefined) await this.#inBatches(tenantId, 'forecasts', forecasts);
    if (files !== undefined) await this.#inBatches(tenantId, 'files', files);
  }

  /** Goes through what ended before an instant, in batches. What fails stays for the next turn: this one continues after it. */
  async #inBatches(tenantId: string, of: EndedQuery['of'], before: number): Promise<void> {
    const { expiry, pace, held, isErased } = this.#options;
    let after: EndedForecast | undefined;
    while (!isErased(tenantId) && !this.#isOver()) {
      await held.renew();
      const startedAt = performance.now();
      const ended = batchOf(await expiry.ended(tenantId, { of, before, after, limit: BATCH }));
      after = ended.at(-1);
      if (after === undefined) return;
      await this.#endSome(tenantId, of, ended);
      await pace(performance.now() - startedAt);
    }
  }

  /** Archives and deletes forecasts, or ends their files. Changed forecasts stay. Each step logs and skips what fails alone. */
  async #endSome(tenantId: string, of: EndedQuery['of'], ended: readonly EndedForecast[]): Promise<void> {
    const { expiry, archive, notify, logger } = this.#options;
    const skip = ({ value }: EndedForecast, error: unknown): void => {
      this.#counts.skipped += 1;
      const fields = { err: error, tenant_id: tenantId, forecast_no: value.forecastNo, kind: of === 'files' ? 'files' : 'forecast' };
      logger.error(fields, 'A forecast whose retention has ended was skipped');
    };
    const step = <R>(some: readonly ReadForecast[], work: (some: readonly ReadForecast[]) => Promise<readonly R[]>) =>
      togetherOrEach(some, work, ({ forecast }, error) => skip(forecast, error));
    const readSome = async (some: readonly EndedForecast[]) =>
      (await Promise.all(some.map((forecast) => this.#withMessage(tenantId, of, forecast)))).flat();
    const archiveSome = async (some: readonly ReadForecast[]) => {
      const forecasts = some.map(({ whole }) => whole);
      await archive?.(tenantId, forecasts);
      await failpointAsync('retention.archived');
      return some;
    };
    const expireSome = async (some: readonly ReadForecast[]) => {
      const deleted = await expiry.expire(tenantId, some);
      await failpointAsync('retention.deleted');
      return deleted;
    };
    const read = await togetherOrEach(ended, readSome, skip);
    const done = of === 'files' ? await step(read, expiry.expireFiles) : await step(await step(read, archiveSome), expireSome);
    this.#counts[of] += done.length;
    if (done.length > 0) notify();
  }

  /** Reads a forecast and makes the message of its end. Nothing when it was deleted since. */
  async #withMessage(tenantId: string, of: EndedQuery['of'], forecast: EndedForecast): Promise<readonly ReadForecast[]> {
    const { reader, environment, clock } = this.#options;
    const whole = await reader.readByForecastNo(tenantId, forecast.value.forecastNo);
    if (whole === undefined) return [];
    const message = expiryMessage(of === 'files' ? 'forecast.files_expired' : 'forecast.expired', whole, clock.now());
    return [{ forecast, whole, message: encodeMessage(environment, whole.record, message, undefined) }];
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
