import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ForecastRecord } from '../domain/forecast.ts';

/**
 * The numbers of a list that other forecasts hold. CROSS JOIN fixes the order, one look-up per number: the planner takes the list for longer than
 * the claims of the tenant and would read all of those.
 */
const HELD_BY_OTHERS = `SELECT tracking_number FROM json_each(?) AS wanted
  CROSS JOIN tracking_claims ON tenant_id = ? AND tracking_number = wanted.value WHERE forecast_id <> ? ORDER BY wanted.key`;

export class ClaimsTaken extends Error {
  readonly numbers: readonly string[];
  constructor(numbers: readonly string[]) {
    super('tracking numbers are taken');
    this.numbers = numbers;
  }
}

/** The tracking numbers that forecasts hold: one holder each, by the primary key. */
export class SqliteTrackingClaims {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** Claims numbers for a forecast. Only in a transaction. @throws ClaimsTaken when others hold some of them */
  claim(tenantId: string, forecastId: number, numbers: readonly string[]): void {
    const { changes } = this.#db.run(
      'INSERT INTO tracking_claims SELECT ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
      tenantId,
      forecastId,
      JSON.stringify(numbers),
    );
    if (changes < numbers.length) throw new ClaimsTaken(this.heldByOthers(tenantId, forecastId, numbers));
  }

  /** Those of the numbers that other forecasts hold, in their order. */
  heldByOthers(tenantId: string, forecastId: number, numbers: readonly string[]): string[] {
    if (numbers.length === 0) return [];
    return this.#db
      .all<{ tracking_number: string }>(HELD_BY_OTHERS, JSON.stringify(numbers), tenantId, forecastId)
      .map((row) => row.tracking_number);
  }

  /** Releases what a forecast holds: at most the numbers of its stored content. Only in a transaction. */
  release({ tenantId, forecastId }: Pick<ForecastRecord, 'tenantId' | 'forecastId'>): void {
    this.#db.run(
      `DELETE FROM tracking_claims WHERE tenant_id = ? AND forecast_id = ? AND tracking_number IN (
        SELECT item.value ->> '$.tracking_number' FROM forecast_contents, json_each(content, '$.items') AS item
          WHERE forecast_contents.forecast_id = ?)`,
      tenantId,
      forecastId,
      forecastId,
    );
  }
}
