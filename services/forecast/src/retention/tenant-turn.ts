import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { togetherOrEach } from '@parcelway/kernel/together-or-each';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import { encodeMessage } from '../store/encode-message.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import { expiryMessage } from './domain/expiry-messages.ts';
import { batchOf, type Retention } from './domain/retention.ts';
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

type Skip = (one: { readonly forecast: EndedForecast }, error: unknown) => void;

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
    if (forecasts !== undefined) await this.#inBatches('forecasts', forecasts, (ended) => this.#expire(ended));
    if (files !== undefined) await this.#inBatches('files', files, (ended) => this.#expireFiles(ended));
  }

  /** Does work with what ended before an instant, in batches. What fails stays for the next turn: this one continues after it. */
  async #inBatches(of: EndedQuery['of'], before: number, work: (ended: readonly EndedForecast[]) => Promise<void>): Promise<void> {
    const { expiry, pace, held, isErased } = this.#options;
    let after: EndedForecast | undefined;
    while (!isErased(this.#tenantId) && !this.#isOver()) {
      await held.renew();
      const startedAt = performance.now();
      const ended = batchOf(await expiry.ended(this.#tenantId, { of, before, after, limit: BATCH }));
      after = ended.at(-1);
      if (after === undefined) return;
      await work(ended);
      await pace(performance.now() - startedAt);
    }
  }

  async #expireFiles(ended: readonly EndedForecast[]): Promise<void> {
    const { expiry, notify } = this.#options;
    const bad = this.#skip('files');
    const read = await this.#withMessages('forecast.files_expired', ended, bad);
    const expired = await togetherOrEach(read, (some) => expiry.expireFiles(some), bad);
    this.#counts.files += expired.length;
    if (expired.length > 0) notify();
  }

  async #expire(ended: readonly EndedForecast[]): Promise<void> {
    const { expiry, archive, notify } = this.#options;
    const bad = this.#skip('forecast');
    const read = await this.#withMessages('forecast.expired', ended, bad);
    const archiveSome = async (some: readonly ReadForecast[]) => {
      await archive?.(
        this.#tenantId,
        some.map(({ whole }) => whole),
      );
      return some;
    };
    const archived = await togetherOrEach(read, archiveSome, bad);
    await failpointAsync('retention.archived');
    const deleted = await togetherOrEach(archived, (some) => expiry.expire(this.#tenantId, some), bad);
    await failpointAsync('retention.deleted');
    this.#counts.forecasts += deleted.length;
    if (deleted.length > 0) notify();
  }

  /** Reads forecasts and makes the messages of their end. Leaves out failed ones, and those that were deleted since. */
  #withMessages(
    type: 'forecast.expired' | 'forecast.files_expired',
    ended: readonly EndedForecast[],
    bad: Skip,
  ): Promise<readonly ReadForecast[]> {
    const { reader, environment, clock } = this.#options;
    const read = async (forecast: EndedForecast): Promise<readonly ReadForecast[]> => {
      const whole = await reader.readByForecastNo(this.#tenantId, forecast.value.forecastNo);
      if (whole === undefined) return [];
      return [{ forecast, whole, message: encodeMessage(environment, whole.record, expiryMessage(type, whole, clock.now()), undefined) }];
    };
    return togetherOrEach(
      ended,
      async (some) => (await Promise.all(some.map(read))).flat(),
      (forecast, error) => bad({ forecast }, error),
    );
  }

  /** @returns notes and logs what fails alone */
  #skip(kind: 'forecast' | 'files'): Skip {
    return ({ forecast }, error) => {
      this.#counts.skipped += 1;
      this.#options.logger.error(
        { err: error, tenant_id: this.#tenantId, forecast_no: forecast.value.forecastNo, kind },
        'A forecast whose retention has ended was skipped',
      );
    };
  }
}
