import type { Warning } from '@parcelway/contracts/warnings';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { forecastNoFromSeed } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { ForecastReader } from '../store/forecast-store.ts';
import { batchOrder } from '../submission/domain/batch-order.ts';
import { inOrder } from '../submission/submit-batch.ts';
import type { SubmitForecast } from '../submission/submit-forecast.ts';
import type { ValidateForecast } from '../submission/validate-forecast.ts';
import { type Assembled, assembleForecast, findingsByRow, settledRows } from './domain/assemble-forecast.ts';
import { BATCH_CHARACTERS } from './domain/convert-cell.ts';
import type { MappedColumn } from './domain/map-columns.ts';
import type { ImportRecord } from './import-collections.ts';
import { type ImportStore, type PendingRow, type RowOutcome, writeAgain } from './import-store.ts';

/** Forecasts that are submitted at a time: they share commits, and leave others their turn. */
const AT_ONCE = 64;
/** Rows that are held at a time. With these, the rest of one forecast. */
const HELD = { rows: 256, characters: BATCH_CHARACTERS };

export interface SubmitRowsOptions {
  readonly store: Pick<ImportStore, 'pending' | 'settle'>;
  readonly submit: SubmitForecast;
  readonly validate: ValidateForecast;
  /** Finds what an earlier attempt has submitted. */
  readonly forecasts: Pick<ForecastReader, 'readByForecastNo'>;
  readonly logger: Logger;
  /** Pauses before results are written again; default some 10 seconds together. */
  readonly settlePausesMs?: readonly number[];
}

/** Pauses before the results are written again: some 10 seconds together. */
const SETTLE_PAUSES_MS = [20, 50, 100, 250, 500, 1000, 2000, 3000, 3000];

interface Result {
  readonly rows: readonly RowOutcome[];
  readonly isAccepted: boolean;
}

/** Accepted when there are no errors. */
interface Submitted {
  readonly forecastNo: string | null;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

interface AssembledRows extends Assembled {
  readonly rows: readonly PendingRow[];
}

/** The forecasts of rows, in the order of the rows. */
function forecastsOf(rows: readonly PendingRow[], columns: readonly MappedColumn[]): AssembledRows[] {
  const groups = new Map<string, PendingRow[]>();
  for (const row of rows) {
    const group = groups.get(row.poNumber);
    if (group) group.push(row);
    else groups.set(row.poNumber, [row]);
  }
  return [...groups.values()].map((group) => ({ rows: group, ...assembleForecast(group, columns) }));
}

/** A refusal in terms of fields. */
function errorsOf(error: AppError): readonly FieldError[] {
  const { errors, fields } = (error.data ?? {}) as { readonly errors?: readonly FieldError[]; readonly fields?: readonly string[] };
  if (errors !== undefined && errors.length > 0) return errors;
  const { code, message } = error;
  if (code === '42202') return (fields ?? []).map((field) => ({ field, rule: 'in_use', message }));
  const rule = code === '40901' ? 'in_use' : 'refused';
  const different = code === '40901' && fields !== undefined && fields.length > 0 ? `; different are ${fields.slice(0, 5).join(', ')}` : '';
  return [{ field: 'po_number', rule, message: `${message}${different}` }];
}

/**
 * Submits the next forecasts of an import, a few hundred, and writes what became of them. A forecast whose result got lost in a crash is found again
 * by its number, which follows from the import and the po_number: also when it was corrected or cancelled in the meantime.
 * @returns false when no row is left
 * @throws AppError 50301 when something is out; forecasts that have a result by then keep it
 */
export async function submitRows(options: SubmitRowsOptions, record: ImportRecord): Promise<boolean> {
  const { store, settlePausesMs = SETTLE_PAUSES_MS } = options;
  const rows = await store.pending(record, HELD);
  if (rows.length === 0) return false;
  const lost = rows.filter(({ poNumber }) => poNumber === '');
  const forecasts = forecastsOf(
    rows.filter(({ poNumber }) => poNumber !== ''),
    record.columns,
  );
  // The earlier of two rows with one logistics number gets it, unless a store is out. A validation takes nothing.
  const order = record.validateOnly ? forecasts.map(() => []) : batchOrder(forecasts.map(({ body }) => body));
  const ended = await inOrder(forecasts, AT_ONCE, order, (forecast) => resultOf(options, record, forecast));
  const results = ended.flatMap((one) => (one.kind === 'done' ? [one.result] : []));
  const outcomes = [...results.flatMap((result) => result.rows), ...withoutPoNumber(record, lost)];
  const accepted = results.filter(({ isAccepted }) => isAccepted).length;
  await failpointAsync('import.before-settle');
  const counts = { accepted, failed: results.length - accepted };
  // A cancelled import needs no outcomes of these rows. This write may collide with its cancellation.
  if (outcomes.length > 0) await writeAgain(settlePausesMs, () => store.settle(record, outcomes, counts));
  for (const one of ended) if (one.kind === 'failed') throw one.error;
  return true;
}

/** Rows that belong to no forecast fail by themselves. */
function withoutPoNumber({ columns }: ImportRecord, rows: readonly PendingRow[]): RowOutcome[] {
  return rows.flatMap((row) => {
    const { errors } = assembleForecast([row], columns);
    const required: FieldError = {
      field: 'po_number',
      rule: 'required',
      message: 'po_number is required: it says which rows form a forecast',
    };
    const own = errors.size > 0 ? errors : findingsByRow([required], [row], columns);
    return settledRows([row], columns, { errors: own });
  });
}

async function resultOf(options: SubmitRowsOptions, record: ImportRecord, { rows, body, errors }: AssembledRows): Promise<Result> {
  const { columns, tenantId, validateOnly } = record;
  const failed = (errors: Parameters<typeof settledRows>[2]): Result => ({ rows: settledRows(rows, columns, errors), isAccepted: false });
  const checked = errors.size > 0 || validateOnly ? await options.validate(tenantId, body) : undefined;
  if (errors.size > 0) return failed({ errors, further: findingsByRow(checked?.errors ?? [], rows, columns) });
  const outcome = checked === undefined ? await submitted(options, record, body) : { forecastNo: null, ...checked };
  if (outcome.errors.length > 0) return failed({ errors: findingsByRow(outcome.errors, rows, columns) });
  const warnings = findingsByRow(outcome.warnings, rows, columns);
  const { forecastNo } = outcome;
  return {
    rows: rows.map(({ row }) => ({ row, state: 'accepted', forecastNo, errors: [], warnings: warnings.get(row) ?? [] })),
    isAccepted: true,
  };
}

async function submitted(
  { submit, forecasts, logger }: SubmitRowsOptions,
  { tenantId, importId, keyId, createdAt }: ImportRecord,
  body: Readonly<Record<string, unknown>>,
): Promise<Submitted> {
  const forecastNo = forecastNoFromSeed(createdAt, `${tenantId} ${importId} ${String(body['po_number'])}`);
  const refused = (errors: readonly FieldError[]): Submitted => ({ forecastNo: null, errors, warnings: [] });
  try {
    const acceptance = await submit(tenantId, body, { keyId }, forecastNo);
    return { forecastNo: acceptance.forecastNo, errors: [], warnings: acceptance.warnings };
  } catch (error) {
    if (error instanceof AppError && error.httpStatus === 503) throw error;
    // The refusal may be about what this import has submitted before its process ended.
    const known = await forecasts.readByForecastNo(tenantId, forecastNo);
    if (known) return { forecastNo, errors: [], warnings: [] };
    if (error instanceof AppError) return refused(errorsOf(error));
    logger.error({ err: error, import_id: importId }, 'A forecast of an import could not be submitted');
    return refused([{ field: 'po_number', rule: 'internal', message: 'The forecast could not be submitted; import its rows again' }]);
  }
}
