import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { isUniqueViolation } from '@parcelway/sqlite/sqlite-errors';
import type { ForecastRecord } from '../domain/forecast.ts';
import { holdsPoNumber, holdsTrackingNumbers } from '../domain/status.ts';
import type {
  Cause,
  ChangeOutcome,
  Decide,
  Decision,
  ForecastStore,
  InsertOutcome,
  ListedForecast,
  ListQuery,
  NewForecast,
} from '../ports.ts';
import { type ListedRow, listStatement, RECORD_COLUMNS, type RecordRow, toListed, toRecord } from './sqlite-forecast-rows.ts';

/** The forecast that holds a po_number, and the one that held it last: two look-ups, however often it was cancelled and submitted again. */
const LIVE = `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND po_number = ? AND slot = 0`;
const CANCELLED_LAST = `SELECT ${RECORD_COLUMNS} FROM forecasts INDEXED BY forecasts_po_number WHERE tenant_id = ? AND po_number = ?
  ORDER BY slot DESC LIMIT 1`;

/**
 * The numbers of a list that other forecasts hold. CROSS JOIN fixes the order, one look-up per number: the planner takes the list for longer than
 * the claims of the tenant and would read all of those.
 */
const HELD_BY_OTHERS = `SELECT tracking_number FROM json_each(?) AS wanted
  CROSS JOIN tracking_claims ON tenant_id = ? AND tracking_number = wanted.value WHERE forecast_id <> ? ORDER BY wanted.key`;

/** Undoes an insert whose claims are held by others. */
class ClaimsTaken extends Error {
  readonly numbers: readonly string[];
  constructor(numbers: readonly string[]) {
    super('tracking numbers are taken');
    this.numbers = numbers;
  }
}

/** Forecasts in SQLite; see sqlite-schema.ts for the tables. Every write is one transaction of the group commit. */
export class SqliteForecastStore implements ForecastStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;
  readonly #shownIdOf: (forecastId: number) => number;

  /**
   * @param db migrated with forecastMigrations; `outbox` over the same database
   * @param shownIdOf what tenants see of an id
   */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox, shownIdOf: (forecastId: number) => number) {
    this.#db = db;
    this.#outbox = outbox;
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
        this.#claim(forecast, forecastId);
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

  async readContent(tenantId: string, forecastNo: string): Promise<string | undefined> {
    return this.#db.get<{ content: string }>(
      'SELECT content FROM forecasts JOIN forecast_contents USING (forecast_id) WHERE tenant_id = ? AND forecast_no = ?',
      tenantId,
      forecastNo,
    )?.content;
  }

  async list(tenantId: string, query: ListQuery): Promise<ListedForecast[]> {
    const { sql, values } = listStatement(tenantId, query);
    return this.#db.all<ListedRow>(sql, ...values).map(toListed);
  }

  change(tenantId: string, forecastNo: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome> {
    return this.#db.transaction((): ChangeOutcome => {
      const row = this.#db.get<RecordRow>(
        `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND forecast_no = ?`,
        tenantId,
        forecastNo,
      );
      if (!row) return 'unknown';
      const before = toRecord(row, this.#shownIdOf);
      const decision = decide(before, this.#isShown(before));
      if (cause && !this.#mark(before, cause, decision.updatedAt)) return 'repeated';
      this.#write(before, decision);
      return 'changed';
    });
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
    return { kind: 'taken', holder, takenNumbers: this.#heldByOthers(forecast, holder.forecastId) };
  }

  #claim(forecast: NewForecast, forecastId: number): void {
    if (forecast.claims.length === 0) return;
    const { changes } = this.#db.run(
      'INSERT INTO tracking_claims SELECT ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
      forecast.tenantId,
      forecastId,
      JSON.stringify(forecast.claims),
    );
    if (changes < forecast.claims.length) throw new ClaimsTaken(this.#heldByOthers(forecast, forecastId));
  }

  #heldByOthers(forecast: NewForecast, forecastId: number): string[] {
    if (forecast.claims.length === 0) return [];
    return this.#db
      .all<{ tracking_number: string }>(HELD_BY_OTHERS, JSON.stringify(forecast.claims), forecast.tenantId, forecastId)
      .map((row) => row.tracking_number);
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
    if (holdsTrackingNumbers(before.status, forecastType) && !holdsTrackingNumbers(decision.status, forecastType)) this.#release(before);
    for (const message of decision.messages) this.#outbox.append(message);
  }

  #release(forecast: ForecastRecord): void {
    this.#db.run(
      `DELETE FROM tracking_claims WHERE tenant_id = ? AND forecast_id = ? AND tracking_number IN (
        SELECT item.value ->> '$.tracking_number' FROM forecast_contents, json_each(content, '$.items') AS item
          WHERE forecast_contents.forecast_id = ?)`,
      forecast.tenantId,
      forecast.forecastId,
      forecast.forecastId,
    );
  }
}
