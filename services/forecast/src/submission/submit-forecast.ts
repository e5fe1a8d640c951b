import type { Environment } from '@parcelway/contracts/environment';
import type { Warning } from '@parcelway/contracts/warnings';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newForecastNo } from '@parcelway/kernel/ids';
import {
  type CanonicalForecast,
  canonicalForecast,
  contentHash,
  countedNumbersOf,
  summaryOf,
  trackingNumbersOf,
} from '../store/domain/canonical.ts';
import { type ForecastRecord, initialProgress } from '../store/domain/forecast.ts';
import { claimsOf } from '../store/domain/held-numbers.ts';
import { acceptedMessage } from '../store/domain/messages.ts';
import { contentTerms } from '../store/domain/search-terms.ts';
import type { ForecastInserter, ForecastReader } from '../store/forecast-store.ts';
import { encodeMessage } from '../store/forecast-writer.ts';
import type { InsertOutcome, NewForecast, Notify } from '../store/ports.ts';
import { BY_NO_KEY, type RequestOrigin } from '../store/ports.ts';
import { type CheckOptions, checkSubmission, contentConflict, numbersTaken } from './check-content.ts';
import { repeatedForecast } from './domain/resubmission.ts';
import { submissionWarnings } from './domain/warnings.ts';
import { inRoom } from './number-limits.ts';

/** A generated number collides once in 2^50; a third collision in a row is a defect. */
const MAX_NUMBERS_TRIED = 3;

export interface Acceptance {
  readonly forecastNo: string;
  readonly poNumber: string;
  readonly itemCount: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly warnings: readonly Warning[];
  /** True when this content had been accepted before: the values are those of the first time. */
  readonly replayed: boolean;
}

export interface SubmitForecastOptions extends CheckOptions {
  readonly store: ForecastInserter & ForecastReader;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly notify: Notify;
  /** Called for each new forecast; default: nothing is. */
  readonly onAccepted?: (tenantId: string) => void;
}

/**
 * Submits a forecast for a tenant.
 * @param forecastNo the number of a new forecast, for callers that must find it again; default: generated
 * @throws AppError as {@link createSubmitForecast} says; 40902 when the given number is in use
 */
export type SubmitForecast = (tenantId: string, body: unknown, origin?: RequestOrigin, forecastNo?: string) => Promise<Acceptance>;

/**
 * The use case of a submission. It checks in this order: fields (42201), files (42203), logistics numbers (42202), po_number (40901). The same content
 * again yields the first result, also when the warehouse has been closed or the directory does not respond in the meantime: what was acknowledged
 * stays acknowledged. The promise resolves after one durable write.
 */
export function createSubmitForecast(options: SubmitForecastOptions): SubmitForecast {
  const { store, files, clock, environment, notify, onAccepted, numberLimits } = options;
  return async (tenantId, body, { keyId, traceparent } = BY_NO_KEY, forecastNo) => {
    const checked = await checkSubmission(tenantId, body, options);
    const now = clock.now();
    const canonical = canonicalForecast(checked.submission);
    const candidate = newForecast(tenantId, canonical, keyId, now);
    const elsewhere = scannedElsewhere(store, tenantId, canonical.warehouse_code, trackingNumbersOf(canonical), now);
    // Awaited with the response; a failure before it comes first.
    elsewhere.catch(() => undefined);
    const acceptanceOf = async (
      { forecastNo, createdAt }: Pick<NewForecast, 'forecastNo' | 'createdAt'>,
      replayed: boolean,
    ): Promise<Acceptance> => ({
      forecastNo,
      poNumber: candidate.poNumber,
      itemCount: candidate.itemCount,
      createdAt,
      warnings: submissionWarnings(
        checked.submission,
        { content: canonical, files: checked.files, namesAny: files.namesAny, scannedElsewhere: await elsewhere },
        now,
      ),
      replayed,
    });
    const room = numberLimits.reserve(tenantId);
    const refusal = checked.refusals[0] ?? room.take(countedNumbersOf(canonical).length);
    if (refusal) {
      const known = await store.findByPoNumber(tenantId, candidate.poNumber);
      const repeated = repeatedForecast(known, candidate.contentHash);
      if (repeated) return acceptanceOf(repeated, true);
      throw refusal;
    }
    const insert = async (): Promise<Acceptance> => {
      await failpointAsync('forecast.before-insert');
      const forecastId = await store.nextId();
      for (let tried = 1; tried <= MAX_NUMBERS_TRIED; tried += 1) {
        const forecast = { ...candidate, forecastId, forecastNo: forecastNo ?? newForecastNo(now) };
        const message = acceptedMessage({ ...forecast, contentVersion: 1 }, canonical);
        const outcome = await store.insert(forecast, [encodeMessage(environment, forecast, message, traceparent)]);
        if (outcome.kind === 'forecast-no-taken') {
          if (forecastNo !== undefined) throw new AppError('40902', 'The forecast number is in use');
          continue;
        }
        if (outcome.kind === 'inserted') {
          notify();
          onAccepted?.(tenantId);
          await failpointAsync('forecast.after-insert');
          return acceptanceOf(forecast, false);
        }
        return acceptanceOf(await sameForecast(store, candidate, canonical, outcome), true);
      }
      throw new AppError('50000', 'No free forecast number was found');
    };
    return inRoom(room, insert, ({ replayed }) => !replayed);
  };
}

function newForecast(
  tenantId: string,
  canonical: CanonicalForecast,
  keyId: RequestOrigin['keyId'],
  now: number,
): Omit<NewForecast, 'forecastNo' | 'forecastId'> {
  return {
    tenantId,
    poNumber: canonical.po_number,
    forecastType: canonical.forecast_type,
    ...summaryOf(canonical),
    status: 1,
    contentHash: contentHash(JSON.stringify(canonical)),
    createdAt: now,
    updatedAt: now,
    content: canonical,
    claims: claimsOf(canonical),
    terms: contentTerms(canonical),
    progress: initialProgress(now, keyId),
  };
}

/** Scans so long ago were of another parcel: carriers use numbers again. */
const SCANNED_MS = 30 * 86_400_000;

/**
 * Those of the numbers under which a scan at the warehouse went to a forecast of another tenant. They are read while the forecast is written: nothing
 * waits for them, and without a response of the store there is no warning.
 */
export async function scannedElsewhere(
  store: Pick<ForecastReader, 'findScannedElsewhere'>,
  tenantId: string,
  warehouseCode: string,
  numbers: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  try {
    return new Set(await store.findScannedElsewhere(tenantId, warehouseCode, numbers, now - SCANNED_MS));
  } catch (error) {
    if (error instanceof AppError) return new Set();
    throw error;
  }
}

/**
 * The forecast that has the po_number of a submission, when its content is the same: as submitted, or meanwhile by a correction.
 * @throws AppError 42202 when others hold its logistics numbers; 40901 with the fields that differ
 */
async function sameForecast(
  store: ForecastReader,
  { contentHash }: Pick<NewForecast, 'contentHash'>,
  canonical: CanonicalForecast,
  { holder, takenNumbers }: Extract<InsertOutcome, { readonly kind: 'taken' }>,
): Promise<ForecastRecord> {
  const repeated = repeatedForecast(holder, contentHash);
  if (repeated) return repeated;
  if (holder === undefined || takenNumbers.length > 0) throw numbersTaken(canonical, takenNumbers);
  const conflict = await contentConflict(store, holder, canonical);
  if (conflict !== undefined) throw conflict;
  return holder;
}
