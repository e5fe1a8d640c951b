import { createHash } from 'node:crypto';
import type { Warning } from '@parcelway/contracts/warnings';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { findForecast } from '../lists/query-forecasts.ts';
import type { ForecastWrite, KnownForecast, WholeForecast } from '../store/domain/known-forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { ForecastWriter } from '../store/forecast-writer.ts';
import { type CheckOptions, checkCorrection, filesOf, numbersTaken } from './check-content.ts';
import { type CorrectionAttempt, type DecidedCorrection, decideCorrection } from './domain/decide-correction.ts';
import { correctionWarnings } from './domain/warnings.ts';
import { inRoom } from './number-limits.ts';
import { scannedElsewhere } from './submit-forecast.ts';

export interface CorrectionRequest {
  readonly tenantId: string;
  readonly poNumber: string;
  readonly body: unknown;
  /** Header `If-Match`. */
  readonly ifMatch: string | undefined;
  /** Id of the API key. */
  readonly keyId: string;
  /** What all attempts at the request share; undefined without an idempotency key. */
  readonly seed: string | undefined;
  /** `traceparent` of the request, for the event. */
  readonly traceparent?: string | undefined;
}

export interface CorrectedForecast extends WholeForecast {
  readonly warnings: readonly Warning[];
  /** True when an earlier attempt at the same request had made the correction. */
  readonly replayed: boolean;
}

export interface CorrectForecastOptions extends CheckOptions {
  readonly store: ForecastReader;
  readonly writer: ForecastWriter;
  readonly clock: Clock;
}

export type CorrectForecast = ReturnType<typeof createCorrectForecast>;

/** Names a request among the corrections of a forecast. Not the seed itself: what is derived from that elsewhere stays secret. */
const requestName = (seed: string | undefined): string | null =>
  seed === undefined ? null : createHash('sha256').update(`correction ${seed}`).digest('base64url').slice(0, 22);

/**
 * The use case of a correction: content, claims, the entry that says what changed and the message about it, in one durable write. It is
 * decided on the forecast as it is at that moment, so a correction meets an arrival, a cancellation or another correction before or after it.
 * @throws AppError 42201, 40401, 41201, 42203, 40902, 42201 for too many numbers, 42202, in this order; 50301 when the warehouse cannot be looked up
 */
export function createCorrectForecast(options: CorrectForecastOptions) {
  const { store, writer, files, clock, numberLimits } = options;
  return async ({ tenantId, poNumber, body, ifMatch, keyId, seed, traceparent }: CorrectionRequest): Promise<CorrectedForecast> => {
    const checked = await checkCorrection(tenantId, body, ifMatch, options);
    const { forecastNo } = await findForecast(store, tenantId, poNumber);
    const now = clock.now();
    const { correction, condition, refusals } = checked;
    const room = numberLimits.reserve(tenantId);
    const attempt = { correction, condition, refusal: refusals[0], declare: room.take, keyId, name: requestName(seed), now };
    await failpointAsync('forecast.before-correct');
    const { decision, takenNumbers } = await inRoom(
      room,
      () => writer.change([{ tenantId, forecastNo, withContent: true }], ([known]) => decideOn(known, attempt, traceparent)),
      (changed) => changed.decision.change !== undefined && changed.takenNumbers.length === 0,
    );
    const { after, replayed, change } = decision;
    if (takenNumbers.length > 0) throw numbersTaken(after.content, takenNumbers);
    await failpointAsync('forecast.after-correct');
    const warned = {
      content: after.content,
      files: filesOf(tenantId, after.content, files).files,
      namesAny: files.namesAny,
      scannedElsewhere: await scannedElsewhere(store, tenantId, after.content.warehouse_code, change?.addedNumbers ?? [], now),
    };
    const warnings = correctionWarnings(checked.correction, warned, now);
    return { ...after, warnings, replayed };
  };
}

/** @throws AppError 40401, and as {@link decideCorrection} */
function decideOn(
  known: KnownForecast | undefined,
  attempt: CorrectionAttempt,
  traceparent: string | undefined,
): DecidedCorrection & { readonly writes: readonly ForecastWrite[] } {
  if (known?.whole === undefined) throw new AppError('40401');
  const decided = decideCorrection(known.whole, attempt);
  const { change } = decided;
  if (change === undefined) return { ...decided, writes: [] };
  const { content, terms, message } = change;
  const messages = [{ message, traceparent }];
  return { ...decided, writes: [{ known, updatedAt: attempt.now, content, terms, applied: [], messages }] };
}
