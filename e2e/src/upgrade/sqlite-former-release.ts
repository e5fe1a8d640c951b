import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** Leaves the intake's file of a stopped platform as a release without the warehouses' view has it. @param dataDirectory of the platform */
export function forgetViewInSqlite(dataDirectory: string): void {
  const db = new DatabaseSync(join(dataDirectory, 'warehouse-intake.db'));
  try {
    db.exec(`DELETE FROM view_keys; DELETE FROM view_items; DELETE FROM view_forecasts;
      UPDATE view_backfill SET pass = 1, after = NULL, copied = 0, due = 0`);
  } finally {
    db.close();
  }
}
