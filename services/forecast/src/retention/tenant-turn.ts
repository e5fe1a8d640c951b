import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { isUnavailable, togetherOrEach } from '@parcelway/kernel/together-or-each';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import { encodeMessage } from '../store/encode-message.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import { expiryMessage } from './domain/expiry-messages.ts';
import { batchOf, type Retention } from './domain/retention.ts';
import type { ForecastExpiry } from './forecast-expiry.ts';
import type { ArchiveForecasts, EndedForecast, ForecastName } from './ports.ts';
import type { TenantRetentions } from './tenant-retention-store.ts';

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
  readonly logger: Logger;
  /** Says that messages were written. */
  readonly notify: () => void;
  /** Waits after a batch or a retried forecast, so that other work has most of the store. @param tookMs how long that took */
  readonly pace: (tookMs: number) => Promise<void>;
  /** The work, as this process has it. A place is the tenant who was visited last. */
  readonly held: HeldWork;
  /** True of a tenant that is erased: nothing of it is archived any more. */
  readonly isErased: (tenantId: string) => boolean;
}

/** Forecasts of one batch: small enough not to hold up other work. */
export const BATCH = 50;

/** Forecasts of a tenant whose files could not be ended, as the store keeps them. Far more than are bad in an installation that works. */
const MAX_FILES_SKIPPED = 1000;

/** The message that the retention of a forecast, or of its files, has ended. */
function messageOf(
  type: 'forecast.expired' | 'forecast.files_expired',
  whole: WholeForecast,
  { environment, clock }: ExpireOptions,
): EncodedMessage {
  return encodeMessage(environment, whole.record, expiryMessage(type, whole, clock.now()), undefined);
}

/** An ended forecast with all its data. */
interface ReadForecast<F extends ForecastName = EndedForecast> {
  readonly forecast: F;
  readonly whole: WholeForecast;
}

/** Reads forecasts. Leaves out those that were deleted since. */
async function readWhole<F extends ForecastName>({ reader }: ExpireOptions, ended: readonly F[]): Promise<readonly ReadForecast<F>[]> {
  const read = async (forecast: F): Promise<readonly ReadForecast<F>[]> => {
    const whole = await reader.readByForecastNo(forecast.tenantId, forecast.forecastNo);
    return whole === undefined ? [] : [{ forecast, whole }];
  };
  return (await Promise.all(ended.map(read))).flat();
}

/** The instants before which a tenant's data must have ended to be over; undefined: none is over. */
export interface OverOfTenant {
  readonly forecasts: number | undefined;
  /** Of files that are over before their forecast. */
  readonly files: number | undefined;
}

export interface TurnCounts {
  /** Forecasts that were deleted. */
  forecasts: number;
  /** Forecasts whose files were ended before them. */
  files: number;
  /** Forecasts and tenants that failed and were skipped. */
  skipped: number;
}

export class TenantTurn {
  readonly #options: ExpireOptions;
  readonly #tenantId: string;
  readonly #counts: TurnCounts;
  readonly #isOver: () => boolean;

  /** @param isOver asked before each batch: true ends the turn */
  constructor(options: ExpireOptions, tenantId: string, counts: TurnCounts, isOver: () => boolean) {
    this.#options = options;
    this.#tenantId = tenantId;
    this.#counts = counts;
    this.#isOver = isOver;
  }

  /**
   * Archives and deletes the forecasts that are over, oldest first. Then publishes the forecasts whose files are over.
   * @throws AppError 50301 when a dependency is out
   */
  async run({ forecasts, files }: OverOfTenant): Promise<void> {
    const { expiry } = this.#options;
    if (forecasts !== undefined) {
      // A forecast that fails stays for the next turn: this one continues after it.
      let after: string | undefined;
      await this.#inBatches(
        forecasts,
        async () => after,
        async (ended, last) => {
          after = last.place;
          await this.#expireBatch(ended);
        },
      );
    }
    if (files !== undefined) {
      await this.#retryFiles();
      await this.#inBatches(
        files,
        () => expiry.filesExpiredTo(this.#tenantId),
        (ended, last) => this.#endFiles(ended, last),
      );
    }
  }

  /** Does work with the forecasts that ended before an instant, in batches. @param place each batch begins after it */
  async #inBatches(
    before: number,
    place: () => Promise<string | undefined>,
    work: (ended: readonly EndedForecast[], last: EndedForecast) => Promise<void>,
  ): Promise<void> {
    const { expiry, pace, held, isErased } = this.#options;
    while (!isErased(this.#tenantId) && !this.#isOver()) {
      await held.renew();
      const startedAt = performance.now();
      const ended = batchOf(await expiry.ended(this.#tenantId, before, await place(), BATCH));
      const last = ended.at(-1);
      if (last === undefined) return;
      await work(ended, last);
      await pace(performance.now() - startedAt);
    }
  }

  /** Retries forecasts whose files could not be ended in earlier turns. */
  async #retryFiles(): Promise<void> {
    const { expiry, held, isErased, notify, pace } = this.#options;
    for (const forecastNo of await expiry.filesSkipped(this.#tenantId)) {
      if (isErased(this.#tenantId) || this.#isOver()) return;
      await held.renew();
      const startedAt = performance.now();
      const forecast = { tenantId: this.#tenantId, forecastNo };
      try {
        // A forecast that was deleted since has nothing to publish.
        const read = await readWhole(this.#options, [forecast]);
        const messages = read.map(({ whole }) => messageOf('forecast.files_expired', whole, this.#options));
        await expiry.settleFiles(this.#tenantId, forecastNo, messages);
        this.#counts.files += messages.length;
        if (messages.length > 0) notify();
      } catch (error) {
        if (isUnavailable(error)) throw error;
        this.#skip('files', forecast, error);
      }
      await pace(performance.now() - startedAt);
    }
  }

  /** @throws Error when the store would keep too many skipped forecasts. The place then stays before them, and the next turn retries them all */
  async #assertFew(failed: readonly string[]): Promise<void> {
    if (failed.length === 0) return;
    const known = await this.#options.expiry.filesSkipped(this.#tenantId);
    if (new Set([...known, ...failed]).size > MAX_FILES_SKIPPED)
      throw new Error('The files of too many forecasts of the tenant cannot be ended');
  }

  async #endFiles(ended: readonly EndedForecast[], last: EndedForecast): Promise<void> {
    const { expiry, notify } = this.#options;
    const failed: string[] = [];
    const read = await this.#withMessages('forecast.files_expired', ended, (forecast, error) => {
      failed.push(forecast.forecastNo);
      this.#skip('files', forecast, error);
    });
    await this.#assertFew(failed);
    await expiry.expireFiles(
      this.#tenantId,
      last.place,
      read.map(({ message }) => message),
      failed,
    );
    this.#counts.files += read.length;
    if (read.length > 0) notify();
  }

  async #expireBatch(ended: readonly EndedForecast[]): Promise<void> {
    const { expiry, archive, notify } = this.#options;
    const bad = ({ forecast }: Pick<ReadForecast, 'forecast'>, error: unknown): void => this.#skip('forecast', forecast, error);
    const read = await this.#withMessages('forecast.expired', ended, (forecast, error) => bad({ forecast }, error));
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
    this.#counts.forecasts += deleted.length;
    if (deleted.length > 0) notify();
  }

  /** Reads forecasts and makes the messages of their end. Leaves out failed ones, and those that were deleted since. */
  async #withMessages(
    type: 'forecast.expired' | 'forecast.files_expired',
    ended: readonly EndedForecast[],
    bad: (forecast: EndedForecast, error: unknown) => void,
  ) {
    const read = async (some: readonly EndedForecast[]) =>
      (await readWhole(this.#options, some)).map((one) => ({ ...one, message: messageOf(type, one.whole, this.#options) }));
    return togetherOrEach(ended, read, bad);
  }

  #skip(kind: 'forecast' | 'files', { tenantId, forecastNo }: ForecastName, error: unknown): void {
    this.#counts.skipped += 1;
    this.#options.logger.error(
      { err: error, tenant_id: tenantId, forecast_no: forecastNo, kind },
      'A forecast whose retention has ended was skipped',
    );
  }
}
