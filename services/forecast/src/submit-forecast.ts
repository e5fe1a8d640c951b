import type { Environment } from '@parcelway/contracts/environment';
import type { Warning } from '@parcelway/contracts/forecast-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newForecastNo } from '@parcelway/kernel/ids';
import { checkSubmission } from './check-submission.ts';
import { type CanonicalForecast, canonicalForecast, claimsOf, contentHash, differences } from './domain/canonical.ts';
import { fileWarnings } from './domain/file-warnings.ts';
import { initialProgress } from './domain/forecast.ts';
import { acceptedMessage } from './domain/messages.ts';
import { holdsPoNumber } from './domain/status.ts';
import { MAX_WARNINGS, warningsOf } from './domain/warnings.ts';
import { encodeMessage } from './encode-message.ts';
import { MAX_LISTED, numbersTaken } from './numbers-taken.ts';
import type {
  FileUrlCheck,
  ForecastInserter,
  ForecastReader,
  InsertOutcome,
  InspectedFiles,
  NewForecast,
  Notify,
  WarehouseDirectory,
} from './ports.ts';

/** A generated number collides once in 2^50; a third collision in a row is a defect. */
const MAX_NUMBERS_TRIED = 3;

/** An accepted forecast. */
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

/** What submitting is made of. */
export interface SubmitForecastOptions {
  readonly store: ForecastInserter & ForecastReader;
  readonly warehouses: WarehouseDirectory;
  readonly isFileUrl: FileUrlCheck;
  readonly inspectedFile: InspectedFiles;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly notify: Notify;
}

/** Submits a forecast for a tenant. @param traceparent of the request, for the event */
export type SubmitForecast = (tenantId: string, body: unknown, traceparent?: string) => Promise<Acceptance>;

/** Says in what a submission differs from the forecast that has its po_number; undefined when a correction has made them the same meanwhile. */
async function poNumberTaken(
  store: ForecastReader,
  tenantId: string,
  canonical: CanonicalForecast,
  forecastNo: string,
): Promise<AppError | undefined> {
  const stored = await store.readContent(tenantId, forecastNo);
  const different = stored === undefined ? [] : differences(JSON.parse(stored.content) as CanonicalForecast, canonical, MAX_LISTED);
  if (stored !== undefined && different.length === 0) return undefined;
  return new AppError('40901', undefined, { data: { forecast_no: forecastNo, fields: different.map(({ field }) => field) } });
}

function newForecast(tenantId: string, canonical: CanonicalForecast, content: string, now: number): NewForecast {
  return {
    tenantId,
    forecastNo: newForecastNo(now),
    poNumber: canonical.po_number,
    forecastType: canonical.forecast_type,
    warehouseCode: canonical.warehouse_code,
    dueDate: canonical.due_date ?? null,
    itemCount: canonical.items.length,
    status: 1,
    contentHash: contentHash(content),
    createdAt: now,
    updatedAt: now,
    progress: initialProgress(now),
    content,
    claims: claimsOf(canonical),
  };
}

/** Inserts under a fresh number until that is free. */
async function insert(
  options: SubmitForecastOptions,
  forecast: NewForecast,
  canonical: CanonicalForecast,
  traceparent: string | undefined,
): Promise<{ forecast: NewForecast; outcome: InsertOutcome }> {
  let candidate = forecast;
  for (let tried = 1; ; tried += 1) {
    const current = candidate;
    const outcome = await options.store.insert(current, (forecastId) => [
      encodeMessage(options.environment, current, acceptedMessage({ ...current, forecastId, contentVersion: 1 }, canonical), traceparent),
    ]);
    if (outcome.kind !== 'forecast-no-taken') return { forecast: current, outcome };
    if (tried === MAX_NUMBERS_TRIED) throw new AppError('50000', 'No free forecast number was found');
    candidate = { ...candidate, forecastNo: newForecastNo(candidate.createdAt) };
  }
}

/**
 * The use case of a submission. In this order: fields (42201), files (42203), logistics numbers (42202), po_number
 * (40901). The same content again yields the first result, also when the warehouse has been closed or the directory does
 * not respond in the meantime: what was acknowledged stays acknowledged. The promise resolves after one durable write.
 */
export function createSubmitForecast(options: SubmitForecastOptions): SubmitForecast {
  const { store, clock } = options;
  return async (tenantId, body, traceparent) => {
    const { submission, refusal } = await checkSubmission(tenantId, body, options);
    const now = clock.now();
    const canonical = canonicalForecast(submission);
    const candidate = newForecast(tenantId, canonical, JSON.stringify(canonical), now);
    const acceptanceOf = (from: Pick<NewForecast, 'forecastNo' | 'createdAt'>, replayed: boolean): Acceptance => ({
      forecastNo: from.forecastNo,
      poNumber: candidate.poNumber,
      itemCount: candidate.itemCount,
      createdAt: from.createdAt,
      warnings: [...fileWarnings(canonical, (url) => options.inspectedFile(tenantId, url)), ...warningsOf(submission, now)].slice(
        0,
        MAX_WARNINGS,
      ),
      replayed,
    });
    if (refusal) {
      const known = await store.findByPoNumber(tenantId, candidate.poNumber);
      if (known && holdsPoNumber(known.status) && known.contentHash === candidate.contentHash) return acceptanceOf(known, true);
      throw refusal;
    }
    await failpointAsync('forecast.before-insert');
    const { forecast, outcome } = await insert(options, candidate, canonical, traceparent);
    if (outcome.kind === 'taken') {
      const { holder, takenNumbers } = outcome;
      if (holder?.contentHash === candidate.contentHash) return acceptanceOf(holder, true);
      if (holder === undefined || takenNumbers.length > 0) throw numbersTaken(canonical, takenNumbers);
      const conflict = await poNumberTaken(store, tenantId, canonical, holder.forecastNo);
      if (conflict === undefined) return acceptanceOf(holder, true);
      throw conflict;
    }
    options.notify();
    await failpointAsync('forecast.after-insert');
    return acceptanceOf(forecast, false);
  };
}
