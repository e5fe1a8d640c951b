import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ForecastRecord } from '../domain/forecast.ts';

export type TermsOwner = Pick<ForecastRecord, 'tenantId' | 'createdAt' | 'forecastId'>;

/** Adds terms to a forecast, those that it has too. Only in a transaction. @returns how many it did not have */
export function addTerms(db: SqliteDatabase, { tenantId, createdAt, forecastId }: TermsOwner, terms: readonly string[]): number {
  if (terms.length === 0) return 0;
  const sql = 'INSERT INTO forecast_terms SELECT ?, value, ?, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING';
  return db.run(sql, tenantId, createdAt, forecastId, JSON.stringify(terms)).changes;
}

/** Takes terms from a forecast, as far as it has them. Only in a transaction. */
export function removeTerms(db: SqliteDatabase, { tenantId, createdAt, forecastId }: TermsOwner, terms: readonly string[]): void {
  if (terms.length === 0) return;
  const sql = `DELETE FROM forecast_terms WHERE tenant_id = ? AND created_at = ? AND forecast_id = ?
    AND term IN (SELECT value FROM json_each(?))`;
  db.run(sql, tenantId, createdAt, forecastId, JSON.stringify(terms));
}
