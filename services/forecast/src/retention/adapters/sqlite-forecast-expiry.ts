import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { removeTerms } from '../../store/adapters/sqlite-forecast-terms.ts';
import type { CanonicalForecast } from '../../store/domain/canonical.ts';
import type { Progress } from '../../store/domain/forecast.ts';
import { termsOf } from '../../store/domain/search-terms.ts';
import type { EndedForecast, EndPosition, ExpiredForecast, ForecastExpiry } from '../ports.ts';

const FIRST_OF_NEXT = `SELECT tenant_id AS tenantId, updated_at AS endedAt FROM forecasts INDEXED BY forecasts_ended
  WHERE status >= 6 AND tenant_id > ? ORDER BY tenant_id, updated_at LIMIT 1`;

const ENDED = `SELECT tenant_id AS tenantId, forecast_no AS forecastNo, forecast_id AS forecastId, item_count AS itemCount, updated_at AS endedAt, version
  FROM forecasts INDEXED BY forecasts_ended
  WHERE status >= 6 AND tenant_id = ? AND (updated_at, forecast_id) > (?, ?) AND updated_at < ? ORDER BY updated_at, forecast_id LIMIT ?`;

/** What the terms of a forecast are known by. */
const OWN = `SELECT created_at, progress, content FROM forecasts JOIN forecast_contents USING (forecast_id)
  WHERE forecast_id = ? AND version = ?`;

interface OwnRow {
  readonly created_at: number;
  readonly progress: string;
  readonly content: string;
}

/** Before every forecast. */
const BEGINNING: EndPosition = { endedAt: Number.MIN_SAFE_INTEGER, forecastId: 0 };

/** Ends the keeping of forecasts in SQLite: what is deleted and its messages are one transaction. */
export class SqliteForecastExpiry implements ForecastExpiry {
  readonly #db: SqliteDatabase;
  readonly #log: MessageLog;

  /** @param db migrated with forecastMigrations; `log` in the same file */
  constructor(db: SqliteDatabase, log: MessageLog) {
    this.#db = db;
    this.#log = log;
  }

  async nextTenant(after: string): Promise<{ readonly tenantId: string; readonly endedAt: number } | undefined> {
    return this.#db.get(FIRST_OF_NEXT, after);
  }

  async ended(tenantId: string, before: number, after = BEGINNING, limit: number): Promise<readonly EndedForecast[]> {
    return this.#db.all<EndedForecast>(ENDED, tenantId, after.endedAt, after.forecastId, before, limit);
  }

  expire(_tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly EndedForecast[]> {
    return this.#db.transaction(() =>
      expired.flatMap(({ forecast, message }) => {
        if (!this.#delete(forecast)) return [];
        this.#log.append(message);
        return [forecast];
      }),
    );
  }

  async filesExpiredTo(tenantId: string): Promise<EndPosition | undefined> {
    return this.#db.get('SELECT ended_at AS endedAt, forecast_id AS forecastId FROM expired_files WHERE tenant_id = ?', tenantId);
  }

  async expireFiles(
    tenantId: string,
    { endedAt, forecastId }: EndPosition,
    messages: readonly EncodedMessage[],
    skipped: readonly string[] = [],
  ): Promise<void> {
    await this.#db.transaction(() => {
      const all = [...new Set([...this.#skipped(tenantId), ...skipped])];
      const sql = 'INSERT OR REPLACE INTO expired_files (tenant_id, ended_at, forecast_id, skipped) VALUES (?, ?, ?, ?)';
      this.#db.run(sql, tenantId, endedAt, forecastId, JSON.stringify(all));
      for (const message of messages) this.#log.append(message);
    });
  }

  async filesSkipped(tenantId: string): Promise<readonly string[]> {
    return this.#skipped(tenantId);
  }

  async settleFiles(tenantId: string, forecastNo: string, messages: readonly EncodedMessage[]): Promise<void> {
    await this.#db.transaction(() => {
      const left = this.#skipped(tenantId).filter((skipped) => skipped !== forecastNo);
      this.#db.run('UPDATE expired_files SET skipped = ? WHERE tenant_id = ?', JSON.stringify(left), tenantId);
      for (const message of messages) this.#log.append(message);
    });
  }

  #skipped(tenantId: string): readonly string[] {
    const row = this.#db.get<{ readonly skipped: string }>('SELECT skipped FROM expired_files WHERE tenant_id = ?', tenantId);
    return row === undefined ? [] : (JSON.parse(row.skipped) as readonly string[]);
  }

  /** @returns false when it has another version by now, or is gone */
  #delete({ tenantId, forecastNo, forecastId, version }: EndedForecast): boolean {
    const row = this.#db.get<OwnRow>(OWN, forecastId, version);
    if (row === undefined) return false;
    const terms = termsOf(JSON.parse(row.content) as CanonicalForecast, JSON.parse(row.progress) as Progress);
    removeTerms(this.#db, { tenantId, createdAt: row.created_at, forecastId }, terms);
    this.#db.run('DELETE FROM forecast_contents WHERE forecast_id = ?', forecastId);
    this.#db.run('DELETE FROM forecast_received_items WHERE forecast_id = ?', forecastId);
    this.#db.run('DELETE FROM applied_events WHERE tenant_id = ? AND forecast_no = ?', tenantId, forecastNo);
    this.#db.run('DELETE FROM forecasts WHERE forecast_id = ?', forecastId);
    return true;
  }
}
