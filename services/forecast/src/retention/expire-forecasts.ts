import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { submittedForecast } from '../domain/known-forecast.ts';
import { encodeMessage } from '../encode-message.ts';
import type { ForecastReader } from '../ports.ts';
import { type WholeForecast, wholeForecast } from '../query-forecasts.ts';
import { expiryMessage } from './domain/expiry-messages.ts';
import { batchOf, overBefore, type Retention, retentionOf } from './domain/retention.ts';
import type { ArchiveForecasts, EndedForecast, ForecastExpiry, TenantRetentions } from './ports.ts';

/** What a turn needs. */
export interface ExpireOptions {
  readonly expiry: ForecastExpiry;
  readonly retentions: Pick<TenantRetentions, 'find'>;
  readonly reader: ForecastReader;
  /** Undefined: forecasts are deleted without a copy. */
  readonly archive: ArchiveForecasts | undefined;
  /** Of tenants that have chosen nothing. */
  readonly installation: Retention;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Says that messages were written. */
  readonly notify: () => void;
  /** Waits between two batches, so that other work has most of the store. @param tookMs what the batch took */
  readonly pace: (tookMs: number) => Promise<void>;
  /** True when the turn is to end early. */
  readonly stopping: () => boolean;
}

/** What a turn has done. */
export interface ExpiredCounts {
  readonly forecasts: number;
  /** Forecasts whose files have expired before them. */
  readonly files: number;
  /** For how long the oldest forecast had been over when it was found, in milliseconds; 0 when none was. */
  readonly overdueMs: number;
}

/** Forecasts of one batch: small enough not to hold up other work. */
export const BATCH = 50;

/** The message that a forecast, or its files, are over. */
function messageOf(
  type: 'forecast.expired' | 'forecast.files_expired',
  whole: WholeForecast,
  { environment, clock }: ExpireOptions,
): EncodedMessage {
  return encodeMessage(environment, whole.record, expiryMessage(type, whole, clock.now()), undefined);
}

/** The forecasts with all that is known of them; those that are gone by now are left out. */
async function readWhole({ reader }: ExpireOptions, ended: readonly EndedForecast[]): Promise<readonly WholeForecast[]> {
  const read = async ({ tenantId, forecastNo }: EndedForecast): Promise<WholeForecast | undefined> => {
    const found = await reader.readByForecastNo(tenantId, forecastNo);
    return found && wholeForecast(reader, submittedForecast(found));
  };
  return (await Promise.all(ended.map(read))).filter((whole) => whole !== undefined);
}

/** Archives and deletes the oldest forecasts of a tenant that are over. @returns how many were deleted; 0 ends the tenant's turn */
async function expireBatch(options: ExpireOptions, tenantId: string, before: number): Promise<number> {
  const { expiry, archive, notify } = options;
  const ended = batchOf(await expiry.ended(tenantId, before, undefined, BATCH));
  if (ended.length === 0) return 0;
  const wholes = new Map((await readWhole(options, ended)).map((whole) => [whole.record.forecastNo, whole]));
  if (wholes.size > 0) await archive?.(tenantId, [...wholes.values()]);
  await failpointAsync('retention.archived');
  const expired = ended.flatMap((forecast) => {
    const whole = wholes.get(forecast.forecastNo);
    return whole === undefined ? [] : [{ forecast, message: messageOf('forecast.expired', whole, options) }];
  });
  const deleted = await expiry.expire(tenantId, expired);
  await failpointAsync('retention.deleted');
  if (deleted.length > 0) notify();
  return deleted.length;
}

/** Publishes that the files of the next forecasts of a tenant are over. @returns of how many; 0 ends the tenant's turn */
async function expireFilesOfBatch(options: ExpireOptions, tenantId: string, before: number): Promise<number> {
  const { expiry, notify } = options;
  const ended = batchOf(await expiry.ended(tenantId, before, await expiry.filesExpiredTo(tenantId), BATCH));
  const last = ended.at(-1);
  if (last === undefined) return 0;
  const wholes = await readWhole(options, ended);
  const messages = wholes.map((whole) => messageOf('forecast.files_expired', whole, options));
  await expiry.expireFiles(tenantId, last, messages);
  notify();
  return ended.length;
}

/** Repeats a batch until there is none left. */
async function inBatches({ pace, stopping }: ExpireOptions, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (!stopping()) {
    const startedAt = performance.now();
    const count = await batch();
    total += count;
    if (count === 0) break;
    await pace(performance.now() - startedAt);
  }
  return total;
}

/**
 * One turn over all tenants: archives and deletes the forecasts that are over, and ends the files of those whose time is over before that of their
 * forecast. A crash at any point is harmless: what was archived and not deleted is found and archived again.
 * @throws AppError 50301; what was done by then stays done
 */
export async function expireForecasts(options: ExpireOptions): Promise<ExpiredCounts> {
  const { expiry, retentions, installation, clock, stopping } = options;
  const counts = { forecasts: 0, files: 0, overdueMs: 0 };
  let after = '';
  while (!stopping()) {
    const tenant = await expiry.nextTenant(after);
    if (tenant === undefined) break;
    const { tenantId, endedAt } = tenant;
    after = tenantId;
    const { forecastMs, fileMs } = retentionOf(installation, await retentions.find(tenantId));
    const forecastsBefore = overBefore(clock.now(), forecastMs);
    const filesBefore = fileMs === forecastMs ? undefined : overBefore(clock.now(), fileMs);
    if (forecastsBefore !== undefined && endedAt < forecastsBefore) {
      counts.overdueMs = Math.max(counts.overdueMs, forecastsBefore - endedAt);
      counts.forecasts += await inBatches(options, () => expireBatch(options, tenantId, forecastsBefore));
    }
    if (filesBefore !== undefined && endedAt < filesBefore) {
      counts.files += await inBatches(options, () => expireFilesOfBatch(options, tenantId, filesBefore));
    }
  }
  return counts;
}
