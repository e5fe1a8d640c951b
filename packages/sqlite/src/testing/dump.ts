import type { SqliteDatabase } from '../database.ts';

/** All rows of all tables but the erased tenants, as text. */
export function dumpOf(db: SqliteDatabase): string {
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('erased_tenants')");
  return tables.map(({ name }) => `${name} ${JSON.stringify(db.all(`/* dump */ SELECT * FROM "${name}"`))}`).join('\n');
}
