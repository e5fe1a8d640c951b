import { correctedMessage, type Origin } from './announce.ts';
import type { CheckedCorrection } from './check-correction.ts';
import { claimsOf, contentHash } from './domain/canonical.ts';
import { correct, MAX_CHANGES, withCorrection } from './domain/correction.ts';
import { assertVersion } from './domain/version-condition.ts';
import type { CorrectionDecision } from './ports.ts';
import type { SubmittedForecast } from './query-forecasts.ts';

/** A correction that was checked, at a moment. */
export interface Attempt extends CheckedCorrection {
  /** Id of the API key; null when a report of the warehouse makes it. */
  readonly keyId: string | null;
  /** Names the request among the corrections of a forecast; null without an idempotency key. */
  readonly name: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What an attempt comes to. */
export interface MadeCorrection {
  readonly after: SubmittedForecast;
  /** JSON paths; empty when nothing changes. */
  readonly changed: readonly string[];
  readonly replayed: boolean;
}

/**
 * What a correction makes of a forecast.
 * @throws AppError 41201, what stands against the values, 40902
 */
export function makeCorrection(before: SubmittedForecast, { correction, condition, refusal, keyId, name, now }: Attempt): MadeCorrection {
  const { record, corrections } = before;
  if (name !== null && corrections.some(({ request }) => request === name)) return { after: before, changed: [], replayed: true };
  assertVersion(condition, record.contentVersion);
  const { content, changes } = correct(record, before.content, correction, refusal);
  if (changes.length === 0) return { after: before, changed: [], replayed: false };
  const contentVersion = record.contentVersion + 1;
  const after = {
    record: {
      ...record,
      contentVersion,
      contentHash: contentHash(JSON.stringify(content)),
      warehouseCode: content.warehouse_code,
      dueDate: content.due_date ?? null,
      itemCount: content.items.length,
      updatedAt: now,
    },
    content,
    corrections: withCorrection(corrections, { version: contentVersion, at: now, keyId, request: name }, changes),
  };
  return { after, changed: changes.slice(0, MAX_CHANGES).map(({ field }) => field), replayed: false };
}

const sameNumbers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((number, index) => number === b[index]);

/** What is written of a correction that changes something. `now`: epoch milliseconds. */
export function correctionDecision(
  before: SubmittedForecast,
  { after, changed }: MadeCorrection,
  origin: Origin,
  now: number,
): CorrectionDecision {
  const { record, content, corrections } = after;
  const claims = claimsOf(content);
  const told = { changed, previousWarehouseCode: before.record.warehouseCode };
  return {
    ...record,
    content: JSON.stringify(content),
    corrections,
    claims: sameNumbers(claims, claimsOf(before.content)) ? null : claims,
    messages: [correctedMessage(origin, record, content, told, now)],
  };
}
