import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { AppError } from '@parcelway/kernel/app-error';
import { contentHash, summaryOf, trackingNumbersOf } from '../../store/domain/canonical.ts';
import { correct, MAX_CHANGES, withCorrection } from '../../store/domain/correction.ts';
import { claimsOf } from '../../store/domain/held-numbers.ts';
import type { ContentChange, WholeForecast } from '../../store/domain/known-forecast.ts';
import { correctedMessage, type ForecastMessage } from '../../store/domain/messages.ts';
import { termsOf } from '../../store/domain/search-terms.ts';
import { assertVersion, type VersionCondition } from '../../store/domain/version-condition.ts';

export interface CorrectionAttempt {
  readonly correction: ForecastCorrection;
  readonly condition: VersionCondition;
  /** Why its values are refused, should it change anything. */
  readonly refusal: AppError | undefined;
  /** Asked for room for the logistics numbers that it adds; it may be asked again, and the last time counts. Returns why they are refused. */
  readonly declare?: (numbers: number) => AppError | undefined;
  /** Id of the API key; null when a report of the warehouse makes it. */
  readonly keyId: string | null;
  /** Names the request among the corrections of a forecast; null without an idempotency key. */
  readonly name: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface DecidedCorrection {
  readonly after: WholeForecast;
  /** Absent when nothing changes. */
  readonly change?: {
    readonly content: ContentChange;
    readonly terms: readonly string[];
    readonly message: ForecastMessage;
    /** Logistics numbers that it did not declare before. */
    readonly addedNumbers: readonly string[];
  };
  /** True when an earlier attempt at the same request had made the correction. */
  readonly replayed: boolean;
}

const sameNumbers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((number, index) => number === b[index]);

/**
 * What a correction makes of a forecast.
 * @throws AppError 41201, the refusal of the values, 40902, the refusal of the added numbers
 */
export function decideCorrection(before: WholeForecast, attempt: CorrectionAttempt): DecidedCorrection {
  const { correction, condition, refusal, declare, keyId, name, now } = attempt;
  const { record, corrections } = before;
  if (name !== null && corrections.some(({ request }) => request === name)) return { after: before, replayed: true };
  assertVersion(condition, record.contentVersion);
  const { content, changes } = correct(record, before.content, correction, refusal);
  if (changes.length === 0) return { after: before, replayed: false };
  const known = new Set(trackingNumbersOf(before.content));
  const addedNumbers = trackingNumbersOf(content).filter((number) => !known.has(number));
  const refused = declare?.(addedNumbers.length);
  if (refused !== undefined) throw refused;
  const json = JSON.stringify(content);
  const next = {
    contentVersion: record.contentVersion + 1,
    contentHash: contentHash(json),
    ...summaryOf(content),
  };
  const after = {
    ...before,
    record: { ...record, ...next, updatedAt: now },
    content,
    corrections: withCorrection(corrections, { version: next.contentVersion, at: now, keyId, request: name }, changes),
  };
  const changed = changes.slice(0, MAX_CHANGES).map(({ field }) => field);
  const claims = claimsOf(content);
  return {
    after,
    change: {
      content: {
        ...next,
        content,
        corrections: after.corrections,
        claims: sameNumbers(claims, claimsOf(before.content)) ? null : claims,
      },
      terms: termsOf(content, record.progress),
      message: correctedMessage(after.record, content, { changed, previousWarehouseCode: record.warehouseCode }, now),
      addedNumbers,
    },
    replayed: false,
  };
}
