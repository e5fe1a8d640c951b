import { isUnavailable } from '@parcelway/kernel/together-or-each';
import { overBefore, overdueFor, retentionOf } from './domain/retention.ts';
import { type ExpireOptions, TenantTurn } from './tenant-turn.ts';

/** What a turn has done. */
export interface ExpiredCounts {
  readonly forecasts: number;
  /** Forecasts whose files have expired before them. */
  readonly files: number;
  /** Forecasts, and turns of tenants, that failed and were passed over. */
  readonly skipped: number;
  /** Why some tenants had no turn: a dependency was out. */
  readonly unavailable?: unknown;
  /** For how long the oldest forecast had been over when it was found, in milliseconds; 0 when none was. */
  readonly overdueMs: number;
}

/** So many tenants in a row fail with a dependency that is out until the turn ends: it is not that of one of them. */
const MAX_UNAVAILABLE = 3;

/**
 * One turn over all tenants: archives and deletes the forecasts that are over, and ends the files of those whose time is over before that of their
 * forecast. A forecast that fails is passed over, and so is a tenant whose turn fails: the others go on. A crash at any point is harmless: what was
 * archived and not deleted is found and archived again.
 * @throws AppError 50301 when the tenants cannot be read; what was done by then stays done
 */
export async function expireForecasts(options: ExpireOptions): Promise<ExpiredCounts> {
  const { expiry, retentions, installation, clock, stopping, logger } = options;
  const counts = { forecasts: 0, files: 0, skipped: 0, overdueMs: 0 };
  let unavailable: unknown;
  let inARow = 0;
  let after = '';
  while (!stopping() && inARow < MAX_UNAVAILABLE) {
    const tenant = await expiry.nextTenant(after);
    if (tenant === undefined) break;
    const { tenantId, endedAt } = tenant;
    after = tenantId;
    const turn = new TenantTurn(options, tenantId);
    try {
      const { forecastMs, fileMs } = retentionOf(installation, await retentions.find(tenantId));
      const forecastsBefore = overBefore(clock.now(), forecastMs);
      const filesBefore = fileMs === forecastMs ? undefined : overBefore(clock.now(), fileMs);
      if (forecastMs !== undefined && forecastsBefore !== undefined && endedAt < forecastsBefore) {
        counts.overdueMs = Math.max(counts.overdueMs, overdueFor(clock.now(), endedAt, forecastMs));
        counts.forecasts += await turn.expire(forecastsBefore);
      }
      if (filesBefore !== undefined && endedAt < filesBefore) counts.files += await turn.expireFiles(filesBefore);
      inARow = 0;
    } catch (error) {
      if (isUnavailable(error)) {
        unavailable = error;
        inARow += 1;
      } else {
        counts.skipped += 1;
        logger.error({ err: error, tenant_id: tenantId }, 'The retention of a tenant failed; it is tried again in the next turn');
      }
    }
    counts.skipped += turn.skipped;
  }
  return { ...counts, unavailable };
}
