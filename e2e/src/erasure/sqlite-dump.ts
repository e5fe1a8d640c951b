import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** Every row of every table of a stopped platform, the log aside: `service.table` → its rows as JSON. @param dataDirectory of the platform */
export function dumpSqlite(dataDirectory: string): ReadonlyMap<string, string> {
  const dump = new Map<string, string>();
  for (const file of readdirSync(dataDirectory).filter((name) => name.endsWith('.db') && name !== 'bus.db')) {
    const db = new DatabaseSync(join(dataDirectory, file));
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
      for (const { name } of tables)
        dump.set(`${file.replace('.db', '')}.${name}`, JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()));
    } finally {
      db.close();
    }
  }
  return dump;
}
