import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { SqlValue } from '@parcelway/sqlite/database';
import type { ContentSummary, ForecastType } from '../domain/canonical.ts';
import type { ForecastRecord, Progress } from '../domain/forecast.ts';
import type { ListedForecast } from '../ports.ts';
import { fromStoredSummary, type StoredSummary, summaryNames, toStoredSummary } from './stored-summary.ts';

/** The summary in an INSERT, and in the SET of an UPDATE. */
export const SUMMARY_COLUMNS = summaryNames.join(', ');
export const SUMMARY_PLACES = summaryNames.map(() => '?').join(', ');
export const SET_SUMMARY = summaryNames.map((column) => `${column} = ?`).join(', ');

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
