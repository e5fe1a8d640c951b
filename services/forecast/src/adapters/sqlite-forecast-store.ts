import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { isUniqueViolation } from '@parcelway/sqlite/sqlite-errors';
import type { Correction } from '../domain/correction.ts';
import type { ForecastRecord, ReceivedItem } from '../domain/forecast.ts';
import { holdsPoNumber, holdsTrackingNumbers } from '../domain/status.ts';
import type {
  Cause,
  ChangeOutcome,
  CorrectionDecision,
  CorrectionOutcome,
  Decide,
  DecideCorrection,
  Decision,
  ForecastStore,
  InsertOutcome,
  ListedForecast,
  ListQuery,
  NewForecast,
  ScannedForecast,
  StoredContent,
  StoredForecast,
} from '../ports.ts';
import {
  LISTED_COLUMNS,
  type ListedRow,
  listStatement,
  RECORD_COLUMNS,
  type RecordRow,
  toListed,
  toRecord,
} from './sqlite-forecast-rows.ts';
import { ClaimsTaken, SqliteTrackingClaims } from './sqlite-tracking-claims.ts';

/** The forecast that holds a po_number, and the one that held it last: two look-ups, however often it was cancelled and submitted again. */
const LIVE = `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND po_number = ? AND slot = 0`;
const CANCELLED_LAST = `SELECT ${RECORD_COLUMNS} FROM forecasts INDEXED BY forecasts_po_number WHERE tenant_id = ? AND po_number = ?
  ORDER BY slot DESC LIMIT 1`;

/** What was submitted, in a table of its own. */
interface ContentRow {
  readonly content: string;
  readonly corrections: string | null;
}

/** Forecasts in SQLite; see sqlite-schema.ts for the tables. Every write is one transaction of the group commit. */
export class SqliteForecastStore implements ForecastStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;
  readonly #claims: SqliteTrackingClaims;
  readonly #shownIdOf: (forecastId: number) => number;

  /**
   * @param db migrated with forecastMigrations; `outbox` over the same database
   * @param shownIdOf what tenants see of an id
   */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox, shownIdOf: (forecastId: number) => number) {
    this.#db = db;
    this.#outbox = outbox;
    this.#claims = new SqliteTrackingClaims(db);
    const lastPlain = db.get<{ forecast_id: number }>('SELECT forecast_id FROM last_plain_id WHERE one = 1')?.forecast_id ?? 0;
    this.#shownIdOf = (forecastId) => (forecastId <= lastPlain ? forecastId : shownIdOf(forecastId));
  }

  async insert(forecast: NewForecast, messagesOf: (forecastId: number) => readonly EncodedMessage[]): Promise<InsertOutcome> {
    try {
      return await this.#db.transaction((): InsertOutcome => {
        let forecastId: number;
        try {
          forecastId = this.#insertRow(forecast);
        } catch (error) {
          return this.#outcomeOfViolation(forecast, error);
        }
        this.#claims.claim(forecast.tenantId, forecastId, forecast.claims);
        this.#db.run('INSERT INTO forecast_contents (forecast_id, content) VALUES (?, ?)', forecastId, forecast.content);
        for (const message of messagesOf(forecastId)) this.#outbox.append(message);
        return { kind: 'inserted', forecastId };
      });
    } catch (error) {
      if (error instanceof ClaimsTaken) return { kind: 'taken', holder: undefined, takenNumbers: error.numbers };
      throw error;
    }
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
    return this.#byPoNumber(tenantId, poNumber);
  }

  async readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined> {
    const record = this.#byPoNumber(tenantId, poNumber);
    return record && this.#whole(record);
  }

  async readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined> {
    const row = this.#db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND forecast_no = ?`,
      tenantId,
      forecastNo,
    );
    return row && this.#whole(toRecord(row, this.#shownIdOf));
  }

  async readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined> {
    return this.#db.get<StoredContent>(
      `SELECT content, content_version AS version FROM forecasts JOIN forecast_contents USING (forecast_id)
        WHERE tenant_id = ? AND forecast_no = ?`,
      tenantId,
      forecastNo,
    );
  }

  async readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]> {
    const row = this.#db.get<{ items: string }>(
      'SELECT items FROM forecasts JOIN forecast_received_items USING (forecast_id) WHERE tenant_id = ? AND forecast_no = ?',
      tenantId,
      forecastNo,
    );
    return row ? (JSON.parse(row.items) as ReceivedItem[]) : [];
  }

  async list(tenantId: string, query: ListQuery): Promise<ListedForecast[]> {
    const { sql, values } = listStatement(tenantId, query);
    return this.#db.all<ListedRow>(sql, ...values).map(toListed);
  }

  async scan(after: string | null, limit: number): Promise<readonly ScannedForecast[]> {
    const rows = this.#db.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM forecasts WHERE forecast_id > ? ORDER BY forecast_id LIMIT ?`,
      Number(after ?? 0) || 0,
      limit,
    );
    return rows.map((row) => ({ ...toListed(row), place: String(row.forecast_id) }));
  }

  change(tenantId: string, forecastNo: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome> {
    return this.#db.transaction((): ChangeOutcome => {
      const before = this.#record(tenantId, forecastNo);
      if (!before) return 'unknown';
      const decision = decide(before, this.#isShown(before));
      if (cause && !this.#mark(before, cause, decision.updatedAt)) return 'repeated';
      this.#write(before, decision);
      return 'changed';
    });
  }

  async correct(tenantId: string, forecastNo: string, decide: DecideCorrection): Promise<CorrectionOutcome> {
    try {
      return await this.#db.transaction((): CorrectionOutcome => {
        const before = this.#record(tenantId, forecastNo);
        if (!before) return { kind: 'unknown' };
        const decision = decide(this.#whole(before));
        if (decision === undefined) return { kind: 'unchanged' };
        this.#writeCorrection(before, decision);
        return { kind: 'corrected' };
      });
    } catch (error) {
      if (error instanceof ClaimsTaken) return { kind: 'taken', takenNumbers: error.numbers };
      throw error;
    }
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS ok');
  }

  #insertRow(forecast: NewForecast): number {
    return this.#db.run(
      `INSERT INTO forecasts (tenant_id, forecast_no, po_number, slot, forecast_type, warehouse_code, due_date, item_count,
        status, content_hash, created_at, updated_at, progress) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      forecast.tenantId,
      forecast.forecastNo,
      forecast.poNumber,
      forecast.forecastType,
      forecast.warehouseCode,
      forecast.dueDate,
      forecast.itemCount,
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
    const takenNumbers = this.#claims.heldByOthers(forecast.tenantId, holder.forecastId, forecast.claims);
    return { kind: 'taken', holder, takenNumbers };
  }

  /** The forecast with its content. Of one moment with the record: nothing is awaited in between, and no other process writes. */
  #whole(record: ForecastRecord): StoredForecast {
    const row = this.#db.get<ContentRow>('SELECT content, corrections FROM forecast_contents WHERE forecast_id = ?', record.forecastId);
    if (!row) throw new AppError('50000', `Forecast ${record.forecastNo} has no content`);
    return { record, content: row.content, corrections: JSON.parse(row.corrections ?? '[]') as Correction[] };
  }

  #record(tenantId: string, forecastNo: string): ForecastRecord | undefined {
    const sql = `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND forecast_no = ?`;
    const row = this.#db.get<RecordRow>(sql, tenantId, forecastNo);
    return row && toRecord(row, this.#shownIdOf);
  }

  #byPoNumber(tenantId: string, poNumber: string): ForecastRecord | undefined {
    const row = this.#db.get<RecordRow>(LIVE, tenantId, poNumber) ?? this.#db.get<RecordRow>(CANCELLED_LAST, tenantId, poNumber);
    return row && toRecord(row, this.#shownIdOf);
  }

  #isShown(forecast: ForecastRecord): boolean {
    if (holdsPoNumber(forecast.status)) return true;
    return this.#byPoNumber(forecast.tenantId, forecast.poNumber)?.forecastId === forecast.forecastId;
  }

  /** @returns false when the event had been applied before */
  #mark(forecast: ForecastRecord, cause: Cause, now: number): boolean {
    const { changes } = this.#db.run(
      'INSERT INTO applied_events (tenant_id, forecast_no, event_id, type, applied_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      forecast.tenantId,
      forecast.forecastNo,
      cause.eventId,
      cause.type,
      now,
    );
    return changes === 1;
  }

  #write(before: ForecastRecord, decision: Decision): void {
    const { forecastId, forecastType } = before;
    this.#db.run(
      'UPDATE forecasts SET status = ?, slot = ?, progress = ?, updated_at = ? WHERE forecast_id = ?',
      decision.status,
      holdsPoNumber(decision.status) ? 0 : forecastId,
      JSON.stringify(decision.progress),
      decision.updatedAt,
      forecastId,
    );
    if (holdsTrackingNumbers(before.status, forecastType) && !holdsTrackingNumbers(decision.status, forecastType))
      this.#claims.release(before);
    if (decision.receivedItems) {
      const items = JSON.stringify(decision.receivedItems);
      this.#db.run('INSERT OR REPLACE INTO forecast_received_items (forecast_id, items) VALUES (?, ?)', forecastId, items);
    }
    for (const message of decision.messages) this.#outbox.append(message);
  }

  #writeCorrection(before: ForecastRecord, decision: CorrectionDecision): void {
    const { forecastId, tenantId } = before;
    if (decision.claims !== null) {
      this.#claims.release(before);
      this.#claims.claim(tenantId, forecastId, decision.claims);
    }
    this.#db.run(
      `UPDATE forecasts SET content_version = ?, content_hash = ?, warehouse_code = ?, due_date = ?, item_count = ?, updated_at = ?
        WHERE forecast_id = ?`,
      decision.contentVersion,
      decision.contentHash,
      decision.warehouseCode,
      decision.dueDate,
      decision.itemCount,
      decision.updatedAt,
      forecastId,
    );
    this.#db.run(
      'UPDATE forecast_contents SET content = ?, corrections = ? WHERE forecast_id = ?',
      decision.content,
      JSON.stringify(decision.corrections),
      forecastId,
    );
    for (const message of decision.messages) this.#outbox.append(message);
  }
}
