import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import type { Correction } from '../domain/correction.ts';
import type { ForecastRecord } from '../domain/forecast.ts';
import type { ContentChange, ForecastWrite, KnownForecast, StoredSubmission } from '../domain/known-forecast.ts';
import type { ForecastChanges, WantedForecast, WriteOutcome } from '../ports.ts';
import {
  KNOWN_COLUMNS,
  type KnownRow,
  RECORD_COLUMNS,
  type RecordRow,
  SET_SUMMARY,
  summaryValues,
  toRecord,
} from './sqlite-forecast-rows.ts';
import { addTerms, removeTerms } from './sqlite-forecast-terms.ts';
import { SqliteTrackingClaims } from './sqlite-tracking-claims.ts';

/** The forecast that holds a po_number, and the one that held it last: two look-ups, however often it was cancelled and submitted again. */
const LIVE = `SELECT ${RECORD_COLUMNS} FROM forecasts WHERE tenant_id = ? AND po_number = ? AND slot = 0`;
const CANCELLED_LAST = `SELECT ${RECORD_COLUMNS} FROM forecasts INDEXED BY forecasts_po_number WHERE tenant_id = ? AND po_number = ?
  ORDER BY slot DESC LIMIT 1`;

/**
 * Forecasts by their keys, each with those of the event ids whose events it has applied. One statement for all of them: each statement outside a
 * transaction takes and gives back a lock of the file. CROSS JOIN fixes the order, one look-up per key and per id.
 */
const KNOWN = `SELECT ${KNOWN_COLUMNS}, wanted.key AS place, wanted.value ->> '$.withContent' AS with_content, (
    SELECT json_group_array(event.value) FROM json_each(wanted.value, '$.eventIds') AS event
      CROSS JOIN applied_events AS mark ON mark.tenant_id = forecasts.tenant_id AND mark.forecast_no = forecasts.forecast_no
        AND mark.event_id = event.value
  ) AS applied
  FROM json_each(?) AS wanted
  CROSS JOIN forecasts ON tenant_id = wanted.value ->> '$.tenantId' AND forecast_no = wanted.value ->> '$.forecastNo'`;

/** The row of the forecast that a query by the po_number shows. */
export function shownRow(db: SqliteDatabase, tenantId: string, poNumber: string): RecordRow | undefined {
  return db.get<RecordRow>(LIVE, tenantId, poNumber) ?? db.get<RecordRow>(CANCELLED_LAST, tenantId, poNumber);
}

export function submissionOf(db: SqliteDatabase, record: ForecastRecord): StoredSubmission {
  const sql = 'SELECT content, corrections FROM forecast_contents WHERE forecast_id = ?';
  const row = db.get<{ readonly content: string; readonly corrections: string | null }>(sql, record.forecastId);
  if (!row) throw new AppError('50000', `Forecast ${record.forecastNo} has no content`);
  return { content: row.content, corrections: JSON.parse(row.corrections ?? '[]') as Correction[] };
}

/** Reads and writes forecasts for decisions about them; a batch of writes is one transaction. */
export class SqliteForecastChanges implements ForecastChanges {
  protected readonly db: SqliteDatabase;
  protected readonly log: MessageLog;
  protected readonly claims: SqliteTrackingClaims;
  protected readonly shownIdOf: (forecastId: number) => number;

  /**
   * @param db migrated with forecastMigrations; `log` in the same file
   * @param shownIdOf what tenants see of an id
   */
  constructor(db: SqliteDatabase, log: MessageLog, shownIdOf: (forecastId: number) => number) {
    this.db = db;
    this.log = log;
    this.claims = new SqliteTrackingClaims(db);
    this.shownIdOf = shownIdOf;
  }

  /** All of one moment: nothing is awaited in between, and no other process writes. */
  async read(wanted: readonly WantedForecast[]): Promise<readonly KnownForecast[]> {
    return this.db.all<KnownRow>(KNOWN, JSON.stringify(wanted)).map((row) => {
      const record = toRecord(row, this.shownIdOf);
      return {
        key: (wanted[row.place] as WantedForecast).key,
        record,
        version: row.version,
        isShown: row.slot === 0 || shownRow(this.db, row.tenant_id, row.po_number)?.forecast_id === row.forecast_id,
        applied: new Set(JSON.parse(row.applied) as string[]),
        ...(row.with_content === 1 && { submission: submissionOf(this.db, record) }),
        pendingBytes: 0,
      };
    });
  }

  apply(writes: readonly ForecastWrite<EncodedMessage>[]): Promise<readonly WriteOutcome[]> {
    return this.db.transaction(() => writes.map((write) => this.#write(write)));
  }

  #write(write: ForecastWrite<EncodedMessage>): WriteOutcome {
    const { known, content, terms, releases, receivedItems } = write;
    const { tenantId, forecastId } = known.record;
    const claims = content?.claims ?? null;
    // Before anything is written: the other writes of the transaction stay.
    const takenNumbers = claims === null ? [] : this.claims.heldByOthers(tenantId, forecastId, claims);
    if (takenNumbers.length > 0) return { kind: 'taken', takenNumbers };
    if (!this.#writeState(write)) return { kind: 'lost' };
    if (releases.claims || claims !== null) this.claims.release(known.record);
    if (claims !== null && !releases.claims) this.claims.claim(tenantId, forecastId, claims);
    if (content) this.#writeContent(forecastId, content);
    if (terms) {
      removeTerms(this.db, known.record, terms.removed);
      addTerms(this.db, known.record, terms.added);
    }
    if (receivedItems) {
      const items = JSON.stringify(receivedItems);
      this.db.run('INSERT OR REPLACE INTO forecast_received_items (forecast_id, items) VALUES (?, ?)', forecastId, items);
    }
    for (const number of write.scanned ?? [])
      this.db.run('INSERT OR IGNORE INTO scanned_numbers (number, forecast_id) VALUES (?, ?)', number, forecastId);
    this.#mark(write);
    for (const message of write.messages) this.log.append(message);
    return { kind: 'written' };
  }

  /** @returns false when the forecast has another version by now */
  #writeState({ known, updatedAt, state, releases }: ForecastWrite<EncodedMessage>): boolean {
    const { forecastId } = known.record;
    const behind = 'version = version + 1 WHERE forecast_id = ? AND version = ?';
    const { changes } =
      state === undefined
        ? this.db.run(`UPDATE forecasts SET updated_at = ?, ${behind}`, updatedAt, forecastId, known.version)
        : this.db.run(
            `UPDATE forecasts SET updated_at = ?, status = ?, slot = CASE WHEN ? THEN forecast_id ELSE slot END, progress = ?, ${behind}`,
            updatedAt,
            state.status,
            releases.poNumber ? 1 : 0,
            JSON.stringify(state.progress),
            forecastId,
            known.version,
          );
    return changes === 1;
  }

  #writeContent(forecastId: number, content: ContentChange): void {
    this.db.run(
      `UPDATE forecasts SET content_version = ?, content_hash = ?, ${SET_SUMMARY} WHERE forecast_id = ?`,
      content.contentVersion,
      content.contentHash,
      ...summaryValues(content),
      forecastId,
    );
    this.db.run(
      'UPDATE forecast_contents SET content = ?, corrections = ? WHERE forecast_id = ?',
      content.content,
      JSON.stringify(content.corrections),
      forecastId,
    );
  }

  #mark({ known, applied, updatedAt }: ForecastWrite<EncodedMessage>): void {
    const { tenantId, forecastNo } = known.record;
    for (const { eventId, type } of applied) {
      const sql = 'INSERT INTO applied_events (tenant_id, forecast_no, event_id, type, applied_at) VALUES (?, ?, ?, ?, ?)';
      this.db.run(sql, tenantId, forecastNo, eventId, type, updatedAt);
    }
  }
}
