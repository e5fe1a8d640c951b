import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { isUniqueViolation } from '@parcelway/sqlite/sqlite-errors';
import type { ForecastRecord, ReceivedItem } from '../domain/forecast.ts';
import type { StoredForecast } from '../domain/known-forecast.ts';
import type { ForecastStore, InsertOutcome, ListQuery, NewForecast, ReportedForecast, StoredContent, WalkedForecast } from '../ports.ts';
import { SqliteForecastChanges, shownRow, submissionOf } from './sqlite-forecast-changes.ts';
import { RECORD_COLUMNS, type RecordRow, SUMMARY_COLUMNS, SUMMARY_PLACES, summaryValues, toRecord } from './sqlite-forecast-rows.ts';
import { addTerms } from './sqlite-forecast-terms.ts';
import { listStatement, type ReportedRow, toReported, toWalked, type WalkedRow } from './sqlite-list-statement.ts';
import { ClaimsTaken } from './sqlite-tracking-claims.ts';

/** An insertion writes what it is given, whichever run of it is committed. */
const REPEATABLE = { repeatable: true } as const;

/** Forecasts that are looked at of those scanned under one number. */
const LATEST_SCANNED = 20;

/** Forecasts in SQLite; see sqlite-schema.ts for the tables. Every write is one transaction of the group commit. */
export class SqliteForecastStore extends SqliteForecastChanges implements ForecastStore {
  async insert(forecast: NewForecast, messagesOf: (forecastId: number) => readonly EncodedMessage[]): Promise<InsertOutcome> {
    try {
      return await this.db.transaction((): InsertOutcome => {
        let forecastId: number;
        try {
          forecastId = this.#insertRow(forecast);
        } catch (error) {
          return this.#outcomeOfViolation(forecast, error);
        }
        if (forecast.claims.length > 0) this.claims.claim(forecast.tenantId, forecastId, forecast.claims);
        addTerms(this.db, { ...forecast, forecastId }, forecast.terms);
        this.db.run('INSERT INTO forecast_contents (forecast_id, content) VALUES (?, ?)', forecastId, forecast.content);
        for (const message of messagesOf(forecastId)) this.log.append(message);
        return { kind: 'inserted', forecastId };
      }, REPEATABLE);
    } catch (error) {
      if (error instanceof ClaimsTaken) return { kind: 'taken', holder: undefined, takenNumbers: error.numbers };
      throw error;
    }
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
    return this.#byPoNumber(tenantId, poNumber);
  }

  async findByPoNumbers(tenantId: string, poNumbers: readonly string[]): Promise<ReadonlyMap<string, ForecastRecord>> {
    const found = poNumbers.flatMap((poNumber) => this.#byPoNumber(tenantId, poNumber) ?? []);
    return new Map(found.map((record) => [record.poNumber, record]));
  }

  async findHeldNumbers(tenantId: string, numbers: readonly string[], except: number | undefined): Promise<readonly string[]> {
    // Ids begin at 1.
    return this.claims.heldByOthers(tenantId, except ?? 0, numbers);
  }

  async findScannedElsewhere(
    tenantId: string,
    warehouseCode: string,
    numbers: readonly string[],
    since: number,
  ): Promise<readonly string[]> {
    const latest = `SELECT forecast_id FROM scanned_numbers WHERE number = wanted.value ORDER BY forecast_id DESC LIMIT ${LATEST_SCANNED}`;
    const sql = `SELECT wanted.value AS number FROM json_each(?) AS wanted WHERE EXISTS (
      SELECT 1 FROM (${latest}) CROSS JOIN forecasts USING (forecast_id) WHERE tenant_id <> ? AND warehouse_code = ? AND updated_at >= ?)`;
    return this.db.all<{ number: string }>(sql, JSON.stringify(numbers), tenantId, warehouseCode, since).map(({ number }) => number);
  }

  async readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined> {
    const record = this.#byPoNumber(tenantId, poNumber);
    return record && this.#whole(record);
  }

  async readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined> {
    const row = this.db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND forecast_no = ?`,
      tenantId,
      forecastNo,
    );
    return row && this.#whole(toRecord(row, this.shownIdOf));
  }

  async readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined> {
    return this.db.get<StoredContent>(
      `SELECT content, content_version AS version FROM forecasts JOIN forecast_contents USING (forecast_id)
        WHERE tenant_id = ? AND forecast_no = ?`,
      tenantId,
      forecastNo,
    );
  }

  async readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]> {
    const row = this.db.get<{ items: string }>(
      'SELECT items FROM forecasts JOIN forecast_received_items USING (forecast_id) WHERE tenant_id = ? AND forecast_no = ?',
      tenantId,
      forecastNo,
    );
    return row ? (JSON.parse(row.items) as ReceivedItem[]) : [];
  }

  async list(tenantId: string, query: ListQuery): Promise<WalkedForecast[]> {
    const { sql, values } = listStatement(tenantId, query, false);
    return this.db.all<WalkedRow>(sql, ...values).map((row) => toWalked(row, query.terms));
  }

  async report(tenantId: string, query: ListQuery): Promise<ReportedForecast[]> {
    const { sql, values } = listStatement(tenantId, query, true);
    return this.db.all<ReportedRow>(sql, ...values).map((row) => toReported(row, query.terms));
  }

  async countOf(tenantId: string, status: ForecastStatus, most: number): Promise<number> {
    const some = 'SELECT 1 FROM forecasts INDEXED BY forecasts_status WHERE tenant_id = ? AND status = ? LIMIT ?';
    return this.db.get<{ count: number }>(`SELECT count(*) AS count FROM (${some})`, tenantId, status, most)?.count ?? 0;
  }

  async lastChange(tenantId: string): Promise<number | undefined> {
    const sql = 'SELECT updated_at FROM forecasts INDEXED BY forecasts_changed WHERE tenant_id = ? ORDER BY updated_at DESC LIMIT 1';
    return this.db.get<{ updated_at: number }>(sql, tenantId)?.updated_at;
  }

  async check(): Promise<void> {
    this.db.get('SELECT 1 AS ok');
  }

  #insertRow(forecast: NewForecast): number {
    return this.db.run(
      `INSERT INTO forecasts (tenant_id, forecast_no, po_number, slot, forecast_type, ${SUMMARY_COLUMNS},
        status, content_hash, created_at, updated_at, progress) VALUES (?, ?, ?, 0, ?, ${SUMMARY_PLACES}, ?, ?, ?, ?, ?)`,
      forecast.tenantId,
      forecast.forecastNo,
      forecast.poNumber,
      forecast.forecastType,
      ...summaryValues(forecast),
      forecast.status,
      forecast.contentHash,
      forecast.createdAt,
      forecast.updatedAt,
      JSON.stringify(forecast.progress),
    ).lastInsertRowid;
  }

  #outcomeOfViolation(forecast: NewForecast, error: unknown): InsertOutcome {
    if (isUniqueViolation(error, 'forecasts.forecast_no')) return { kind: 'forecast-no-taken' };
    if (!isUniqueViolation(error, 'forecasts.po_number')) throw error;
    const holder = this.#byPoNumber(forecast.tenantId, forecast.poNumber) as ForecastRecord;
    const takenNumbers = this.claims.heldByOthers(forecast.tenantId, holder.forecastId, forecast.claims);
    return { kind: 'taken', holder, takenNumbers };
  }

  /** The forecast with its content. Of one moment with the record: nothing is awaited in between, and no other process writes. */
  #whole(record: ForecastRecord): StoredForecast {
    return { record, ...submissionOf(this.db, record) };
  }

  #byPoNumber(tenantId: string, poNumber: string): ForecastRecord | undefined {
    const row = shownRow(this.db, tenantId, poNumber);
    return row && toRecord(row, this.shownIdOf);
  }
}
