import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { isUnavailable, togetherOrEach } from '@parcelway/kernel/together-or-each';
import { type WholeForecast, wholeForecast } from '../lists/query-forecasts.ts';
import { submittedForecast } from '../store/domain/known-forecast.ts';
import { encodeMessage } from '../store/encode-message.ts';
import type { ForecastReader } from '../store/ports.ts';
import { expiryMessage } from './domain/expiry-messages.ts';
import { batchOf, type Retention } from './domain/retention.ts';
import type { ArchiveForecasts, EndedForecast, EndPosition, ForecastExpiry, ForecastName, TenantRetentions } from './ports.ts';
import type { SkippedForecasts, SkippedKind } from './skipped-forecasts.ts';

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
  /** What failed in turns before. */
  readonly skipped: SkippedForecasts;
  readonly logger: Logger;
  /** Says that messages were written. */
  readonly notify: () => void;
  /** Waits between two batches, so that other work has most of the store. @param tookMs what the batch took */
  readonly pace: (tookMs: number) => Promise<void>;
  /** The work, as this process has it. A place is the tenant who was visited last. */
  readonly held: HeldWork;
  /** True of a tenant that is erased: nothing of it is archived any more. */
  readonly isErased: (tenantId: string) => boolean;
}

/** Forecasts of one batch: small enough not to hold up other work. */
export const BATCH = 50;

/** Batches of a tenant until the next one has its part. */
export const BATCHES_OF_PART = 4;

/** Forecasts of a tenant whose files could not be ended, as the store keeps them. Far more than are bad in an installation that works. */
const MAX_FILES_SKIPPED = 1000;

/** Before every forecast. */
const BEGINNING: EndPosition = { endedAt: 0, forecastId: 0 };

/** The message that a forecast, or its files, are over. */
function messageOf(
  type: 'forecast.expired' | 'forecast.files_expired',
  whole: WholeForecast,
  { environment, clock }: ExpireOptions,
): EncodedMessage {
  return encodeMessage(environment, whole.record, expiryMessage(type, whole, clock.now()), undefined);
}

/** A forecast that has ended, and all that is known of it. */
interface ReadForecast<F extends ForecastName = EndedForecast> {
  readonly forecast: F;
  readonly whole: WholeForecast;
}

/** Reads forecasts; those that are gone by now are left out. */
async function readWhole<F extends ForecastName>({ reader }: ExpireOptions, ended: readonly F[]): Promise<readonly ReadForecast<F>[]> {
  const read = async (forecast: F): Promise<readonly ReadForecast<F>[]> => {
    const found = await reader.readByForecastNo(forecast.tenantId, forecast.forecastNo);
    if (found === undefined) return [];
    return [{ forecast, whole: await wholeForecast(reader, submittedForecast(found)) }];
  };
  return (await Promise.all(ended.map(read))).flat();
}

/** What of a tenant is over: what has ended before these instants; undefined when nothing ever is. */
export interface OverOfTenant {
  readonly forecasts: number | undefined;
  /** Files that are over before their forecast. */
  readonly files: number | undefined;
}

/** The turn of one tenant, part by part. */
export class TenantTurn {
  readonly #options: ExpireOptions;
  readonly #tenantId: string;
  /** What is left to do; each does one batch, and returns false when it has found nothing. */
  readonly #steps: (() => Promise<boolean>)[] = [];
  /** Forecasts up to it have been tried; what stays is before it, for the next turn. */
  #after: EndPosition | undefined;
  /** Numbers of forecasts whose files could not be ended, and are to be tried again; undefined until they have been read. */
  #toRetry: string[] | undefined;
  /** Forecasts that were deleted. */
  forecasts = 0;
  /** Forecasts whose files were ended before them. */
  files = 0;
  /** Forecasts that failed and were passed over. */
  skipped = 0;

  constructor(options: ExpireOptions, tenantId: string, { forecasts, files }: OverOfTenant) {
    this.#options = options;
    this.#tenantId = tenantId;
    if (forecasts !== undefined) this.#steps.push(() => this.#expireNext(forecasts));
    if (files !== undefined) {
      this.#steps.push(
        () => this.#retryNextFiles(),
        () => this.#endNextFiles(files),
      );
    }
  }

  /**
   * Does some batches: forecasts that are over are archived and deleted, oldest first, and then it is published whose files are over.
   * @returns true when there may be more
   * @throws AppError 50301 when a dependency is out
   */
  async part(): Promise<boolean> {
    const { pace, held, isErased } = this.#options;
    let batches = 0;
    for (;;) {
      const [step] = this.#steps;
      if (step === undefined || isErased(this.#tenantId)) return false;
      if (batches === BATCHES_OF_PART || held.isOver()) return true;
      await held.renew();
      const startedAt = performance.now();
      if (!(await step())) {
        this.#steps.shift();
        continue;
      }
      batches += 1;
      await pace(performance.now() - startedAt);
    }
  }

  async #expireNext(before: number): Promise<boolean> {
    const ended = batchOf(await this.#options.expiry.ended(this.#tenantId, before, this.#after, BATCH));
    const last = ended.at(-1);
    if (last === undefined) return false;
    this.#after = last;
    this.forecasts += await this.#expireBatch(ended);
    return true;
  }

  async #retryNextFiles(): Promise<boolean> {
    const { expiry, skipped, clock } = this.#options;
    const isDue = (forecastNo: string): boolean => skipped.isDue('files', { tenantId: this.#tenantId, forecastNo }, clock.now());
    this.#toRetry ??= (await expiry.filesSkipped(this.#tenantId)).filter(isDue);
    const some = this.#toRetry.splice(0, BATCH);
    for (const forecastNo of some) this.files += await this.#retryFiles(forecastNo);
    return some.length > 0;
  }

  async #endNextFiles(before: number): Promise<boolean> {
    const { expiry } = this.#options;
    const ended = batchOf(await expiry.ended(this.#tenantId, before, await expiry.filesExpiredTo(this.#tenantId), BATCH));
    const last = ended.at(-1);
    if (last === undefined) return false;
    this.files += await this.#endFiles(ended, last);
    return true;
  }

  async #expireBatch(ended: readonly EndedForecast[]): Promise<number> {
    const { expiry, archive, clock, skipped, notify } = this.#options;
    const due = ended.filter((forecast) => skipped.isDue('forecast', forecast, clock.now()));
    const bad = ({ forecast }: Pick<ReadForecast, 'forecast'>, error: unknown): void => this.#skip('forecast', forecast, error);
    const read = await this.#withMessages('forecast.expired', due, (forecast, error) => bad({ forecast }, error));
    const archived =
      archive === undefined
        ? read
        : await togetherOrEach(
            read,
            async (some) => {
              await archive(
                this.#tenantId,
                some.map(({ whole }) => whole),
              );
              return some;
            },
            bad,
          );
    await failpointAsync('retention.archived');
    const deleted = await togetherOrEach(archived, (some) => expiry.expire(this.#tenantId, some), bad);
    await failpointAsync('retention.deleted');
    for (const forecast of deleted) skipped.settled('forecast', forecast);
    if (deleted.length > 0) notify();
    return deleted.length;
  }

  /** Tries a forecast again whose files could not be ended. @returns 1 when they have been, now */
  async #retryFiles(forecastNo: string): Promise<number> {
    const { expiry, skipped, notify } = this.#options;
    const forecast = { tenantId: this.#tenantId, forecastNo };
    try {
      const read = await readWhole(this.#options, [forecast]);
      const messages = read.map(({ whole }) => messageOf('forecast.files_expired', whole, this.#options));
      await expiry.settleFiles(this.#tenantId, forecastNo, messages);
      skipped.settled('files', forecast);
      if (messages.length > 0) notify();
      return messages.length;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#skip('files', forecast, error);
      return 0;
    }
  }

  /** @throws Error when the store would keep too many that were skipped: the place then stays before them, and they are all tried again */
  async #assertFew(failed: readonly string[]): Promise<void> {
    if (failed.length === 0) return;
    const known = await this.#options.expiry.filesSkipped(this.#tenantId);
    if (new Set([...known, ...failed]).size > MAX_FILES_SKIPPED)
      throw new Error('The files of too many forecasts of the tenant cannot be ended');
  }

  /** @param to where the files of the tenant have expired to afterwards */
  async #endFiles(ended: readonly EndedForecast[], to: EndPosition): Promise<number> {
    const { expiry, notify } = this.#options;
    const failed: string[] = [];
    const bad = (forecast: EndedForecast, error: unknown): void => {
      failed.push(forecast.forecastNo);
      this.#skip('files', forecast, error);
    };
    const read = await this.#withMessages('forecast.files_expired', ended, bad);
    await this.#assertFew(failed);
    const before = (await expiry.filesExpiredTo(this.#tenantId)) ?? BEGINNING;
    let isAt = false;
    const publish = async (some: typeof read): Promise<typeof read> => {
      const messages = some.map(({ message }) => message);
      // One by one, the place moves behind the last of them.
      await (some === read
        ? expiry.expireFiles(this.#tenantId, to, messages, failed)
        : expiry.expireFiles(this.#tenantId, before, messages));
      isAt ||= some === read;
      return some;
    };
    const published = await togetherOrEach(read, publish, ({ forecast }, error) => bad(forecast, error));
    if (!isAt) {
      await this.#assertFew(failed);
      await expiry.expireFiles(this.#tenantId, to, [], failed);
    }
    if (published.length > 0) notify();
    return published.length;
  }

  /** Forecasts with all that is known of them and the message of their end; bad ones, and those that are gone, are left out. */
  async #withMessages(
    type: 'forecast.expired' | 'forecast.files_expired',
    ended: readonly EndedForecast[],
    bad: (forecast: EndedForecast, error: unknown) => void,
  ) {
    const read = async (some: readonly EndedForecast[]) =>
      (await readWhole(this.#options, some)).map((one) => ({ ...one, message: messageOf(type, one.whole, this.#options) }));
    return togetherOrEach(ended, read, bad);
  }

  #skip(kind: SkippedKind, forecast: ForecastName, error: unknown): void {
    const { skipped, clock, logger } = this.#options;
    const { tenantId, forecastNo } = forecast;
    const tries = skipped.failed(kind, forecast, clock.now());
    this.skipped += 1;
    logger.error(
      { err: error, tenant_id: tenantId, forecast_no: forecastNo, kind, tries },
      'A forecast whose retention has ended was skipped',
    );
  }
}
