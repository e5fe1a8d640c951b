import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { SqlValue } from '@parcelway/sqlite/database';
import type { ContentSummary, ForecastType } from '../domain/canonical.ts';
import type { ForecastRecord, Progress } from '../domain/forecast.ts';
import type { ListedForecast, ListQuery } from '../ports.ts';
import { fromStoredSummary, type StoredSummary, summaryNames, toStoredSummary } from './stored-summary.ts';

/** The summary in an INSERT, and in the SET of an UPDATE. */
export const SUMMARY_COLUMNS = summaryNames.join(', ');
export const SUMMARY_PLACES = summaryNames.map(() => '?').join(', ');
export const SET_SUMMARY = summaryNames.map((column) => `${column} = ?`).join(', ');

/** The values for the places of a summary. */
export function summaryValues(summary: ContentSummary): readonly SqlValue[] {
  return Object.values(toStoredSummary(summary));
}

/** Columns of a listed forecast. */
export const LISTED_COLUMNS = `forecast_id, tenant_id, forecast_no, po_number, forecast_type, ${SUMMARY_COLUMNS}, content_version, status, created_at, updated_at`;
/** Columns of a whole record. */
export const RECORD_COLUMNS = `${LISTED_COLUMNS}, content_hash, progress`;
/** Columns of a record, and what decisions about it need besides. */
export const KNOWN_COLUMNS = `${RECORD_COLUMNS}, version, slot`;

/** A row of {@link LISTED_COLUMNS}. */
export interface ListedRow extends StoredSummary {
  readonly forecast_id: number;
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly content_version: number;
  readonly status: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A row of {@link RECORD_COLUMNS}. */
export interface RecordRow extends ListedRow {
  readonly content_hash: string;
  readonly progress: string;
}

/** A row of {@link KNOWN_COLUMNS}. */
export interface KnownRow extends RecordRow {
  readonly version: number;
  readonly slot: number;
  /** Index of the forecast among those that were asked for. */
  readonly place: number;
  /** 1 when the content was asked for. */
  readonly with_content: number;
  /** JSON of the ids of applied events among some that were asked for. */
  readonly applied: string;
}

/** A listed forecast from its row. */
export function toListed(row: ListedRow): ListedForecast {
  return {
    tenantId: row.tenant_id,
    forecastId: row.forecast_id,
    forecastNo: row.forecast_no,
    poNumber: row.po_number,
    forecastType: row.forecast_type as ForecastType,
    ...fromStoredSummary(row),
    contentVersion: row.content_version,
    status: row.status as ForecastStatus,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A record from its row. @param shownIdOf asked when the id is to be shown: few responses show it */
export function toRecord(row: RecordRow, shownIdOf: (forecastId: number) => number): ForecastRecord {
  return {
    ...toListed(row),
    contentHash: row.content_hash,
    progress: JSON.parse(row.progress) as Progress,
    get shownId() {
      return shownIdOf(row.forecast_id);
    },
  };
}

/**
 * The index that a list is read from. It is named because the planner, which knows no numbers, would rather walk all forecasts of the tenant in
 * the order of the list.
 */
function indexOf({ poNumber, status }: ListQuery): string {
  if (poNumber !== undefined) return 'forecasts_po_number';
  return status === undefined ? 'forecasts_newest' : 'forecasts_status';
}

/**
 * Where a list begins: behind its position or below its upper bound, whichever comes later in the list. One of them, because SQLite begins at one
 * and reads from there to the other.
 */
function listedBefore({ after, createdTo }: ListQuery): ListQuery['after'] {
  if (createdTo === undefined || (after !== undefined && after.createdAt < createdTo)) return after;
  // Ids begin at 1.
  return { createdAt: createdTo, forecastId: 0 };
}

/** The statement and values of a list. Each combination of filters is one text, so that its statement is prepared once. */
export function listStatement(tenantId: string, query: ListQuery): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const conditions = ['tenant_id = ?'];
  const values: SqlValue[] = [tenantId];
  const add = (condition: string, ...bound: readonly SqlValue[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (query.status !== undefined) add('status = ?', query.status);
  if (query.poNumber !== undefined) add('po_number = ?', query.poNumber);
  if (query.createdFrom !== undefined) add('created_at >= ?', query.createdFrom);
  const before = listedBefore(query);
  if (before !== undefined) add('(created_at, forecast_id) < (?, ?)', before.createdAt, before.forecastId);
  const from = `forecasts INDEXED BY ${indexOf(query)} WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${LISTED_COLUMNS} FROM ${from} ORDER BY created_at DESC, forecast_id DESC LIMIT ?`;
  return { sql, values: [...values, query.limit] };
}
