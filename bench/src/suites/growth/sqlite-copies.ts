import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import type { CopyStore, Stored } from './copy-store.ts';

/** A platform that is about new has fewer rows in each table. */
const MOST_ROWS = 1_000;

/** The file of a service; tables in the order in which they were made. */
export function sqliteCopies(service: string, db: SqliteDatabase): CopyStore {
  return {
    service,
    async read() {
      const tables = db.all<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid LIMIT 100",
      );
      return tables.map(({ name }) => ({ name, rows: db.all<Stored>(`SELECT * FROM ${name} LIMIT ${MOST_ROWS}`) }));
    },
    insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      return db.transaction(() => {
        for (const row of rows) db.run(sql, ...(Object.values(row) as SqlValue[]));
      });
    },
    async close() {
      db.close();
    },
  };
}
