import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ClaimedNumbers, ScannedText } from '../../expected/ports.ts';

const SCANNED = `SELECT forecast_no FROM numbers INDEXED BY numbers_claimed
  WHERE warehouse_code = ? AND scanned_no = ? AND assigned IS NOT NULL ORDER BY assigned DESC LIMIT ?`;

/** Reads claimed numbers from the directory in the service's file. */
export class SqliteClaimedNumbers implements ClaimedNumbers {
  readonly #db: SqliteDatabase;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async claimedFor(warehouseCode: string, { text, number }: ScannedText, limit: number): Promise<readonly string[]> {
    const scanned = this.#db.all<{ forecast_no: string }>(SCANNED, warehouseCode, number, limit);
    const named = this.#db.get<{ forecast_no: string }>(
      'SELECT forecast_no FROM stand_ins WHERE warehouse_code = ? AND named_no = ?',
      warehouseCode,
      text,
    );
    return [...scanned, ...(named ? [named] : [])].map((row) => row.forecast_no);
  }
}
