import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { SkippedItems } from '@parcelway/kernel/skipped-items';
import { togetherOrEach } from '@parcelway/kernel/together-or-each';
import { type WholeForecast, wholeForecast } from '../lists/query-forecasts.ts';
import { submittedForecast } from '../store/domain/known-forecast.ts';
import { encodeMessage } from '../store/encode-message.ts';
import type { ForecastReader } from '../store/ports.ts';
import { expiryMessage } from './domain/expiry-messages.ts';
import { batchOf, type Retention } from './domain/retention.ts';
import type { ArchiveForecasts, EndedForecast, EndPosition, ForecastExpiry, TenantRetentions } from './ports.ts';

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
  /** Forecasts that failed in turns before, by {@link nameOf}. In memory: a new process tries them all once more. */
  readonly skipped: SkippedItems;
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

const nameOf = ({ tenantId, forecastNo }: EndedForecast): string => `${tenantId} ${forecastNo}`;

/** The message that a forecast, or its files, are over. */
function messageOf(
  type: 'forecast.expired' | 'forecast.files_expired',
  whole: WholeForecast,
  { environment, clock }: ExpireOptions,
): EncodedMessage {
  return encodeMessage(environment, whole.record, expiryMessage(type, whole, clock.now()), undefined);
}

/** A forecast that has ended, and all that is known of it. */
interface ReadForecast {
  readonly forecast: EndedForecast;
  readonly whole: WholeForecast;
}

/** Reads forecasts; those that are gone by now are left out. */
async function readWhole({ reader }: ExpireOptions, ended: readonly EndedForecast[]): Promise<readonly ReadForecast[]> {
  const read = async (forecast: EndedForecast): Promise<readonly ReadForecast[]> => {
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
    if (files !== undefined) this.#steps.push(() => this.#endNextFiles(files));
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

  /** The files of a forecast that cannot be read end with the forecast. */
  async #endNextFiles(before: number): Promise<boolean> {
    const { expiry, notify } = this.#options;
    const ended = batchOf(await expiry.ended(this.#tenantId, before, await expiry.filesExpiredTo(this.#tenantId), BATCH));
    const last = ended.at(-1);
    if (last === undefined) return false;
    const read = await this.#withMessages('forecast.files_expired', ended, (forecast, error) => this.#skip('files', forecast, error));
    await expiry.expireFiles(
      this.#tenantId,
      last,
      read.map(({ message }) => message),
    );
    this.files += read.length;
    if (read.length > 0) notify();
    return true;
  }

  async #expireBatch(ended: readonly EndedForecast[]): Promise<number> {
    const { expiry, archive, clock, skipped, notify } = this.#options;
    const due = ended.filter((forecast) => skipped.isDue(nameOf(forecast), clock.now()));
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
    for (const forecast of deleted) skipped.settled(nameOf(forecast));
    if (deleted.length > 0) notify();
    return deleted.length;
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

  #skip(kind: 'forecast' | 'files', forecast: EndedForecast, error: unknown): void {
    const { skipped, clock, logger } = this.#options;
    const { tenantId, forecastNo } = forecast;
    const tries = kind === 'forecast' ? skipped.failed(nameOf(forecast), clock.now()) : 1;
    this.skipped += 1;
    logger.error(
      { err: error, tenant_id: tenantId, forecast_no: forecastNo, kind, tries },
      'A forecast whose retention has ended was skipped',
    );
  }
}
