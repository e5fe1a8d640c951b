import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { addTerms } from '../../adapters/sqlite-forecast-terms.ts';
import type { CanonicalForecast } from '../../domain/canonical.ts';
import type { Progress } from '../../domain/forecast.ts';
import { termsOf } from '../../domain/search-terms.ts';
import type { SearchTerms } from '../../ports.ts';
import { FILLED, FILLING } from '../domain/filling.ts';
import type { FillableForecast, TermFilling } from '../ports.ts';

interface Row {
  readonly tenant_id: string;
  readonly created_at: number;
  readonly progress: string;
  readonly content: string;
}

const NEXT = 'SELECT forecast_id, item_count FROM forecasts WHERE forecast_id > ? ORDER BY forecast_id LIMIT ?';
const WHOLE = `SELECT tenant_id, created_at, progress, content FROM forecasts JOIN forecast_contents USING (forecast_id)
  WHERE forecast_id = ?`;

/** Gives forecasts from before the search their terms in SQLite. Each step is one transaction, which nobody else writes beside. */
export class SqliteTermFilling implements TermFilling, SearchTerms {
  readonly #db: SqliteDatabase;
  #isComplete = false;

  /** @param db migrated with forecastMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async next(after: string | null, limit: number): Promise<readonly FillableForecast[]> {
    const rows = this.#db.all<{ readonly forecast_id: number; readonly item_count: number }>(NEXT, Number(after ?? 0), limit);
    return rows.map((row) => ({ place: String(row.forecast_id), itemCount: row.item_count }));
  }

  /** No release without the search writes into a file of this one: a forecast may lack terms, and has none too many. */
  fill(places: readonly string[]): Promise<number> {
    return this.#db.transaction(() => places.filter((place) => this.#fillOne(Number(place))).length);
  }

  async areComplete(): Promise<boolean> {
    const sql = 'SELECT place FROM work_places WHERE name = ?';
    this.#isComplete ||= this.#db.get<{ readonly place: string }>(sql, FILLING)?.place === FILLED;
    return this.#isComplete;
  }

  #fillOne(forecastId: number): boolean {
    const row = this.#db.get<Row>(WHOLE, forecastId);
    if (row === undefined) return false;
    const { tenant_id: tenantId, created_at: createdAt } = row;
    const terms = termsOf(JSON.parse(row.content) as CanonicalForecast, JSON.parse(row.progress) as Progress);
    return addTerms(this.#db, { tenantId, createdAt, forecastId }, terms) > 0;
  }
}
