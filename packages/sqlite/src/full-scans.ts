import type { SqliteDatabase } from './database.ts';

/*
 * The outbox is read from its oldest message on, at most a batch; it is near empty, and its depth is asked by operators.
 */
const OUTBOX = /^SCAN outbox$/;

/** A step that goes through a table or a whole index. Elements of a JSON value and constants are not tables. */
const FULL_SCAN = /^SCAN (?!CONSTANT ROW|.* VIRTUAL TABLE)/;

/**
 * The statements that a database has run so far and that go through a whole table or index, each with the step of its
 * plan that does: what is quick in a test and stands still with a million rows. For tests of stores.
 * @param allowed texts within statements that may: those that end at their LIMIT in the order of the table, for instance
 */
export function fullScansOf(db: SqliteDatabase, allowed: readonly string[] = []): string[] {
  const found: string[] = [];
  for (const sql of db.statements()) {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql) || allowed.some((text) => sql.includes(text))) continue;
    for (const { detail } of db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)) {
      if (FULL_SCAN.test(detail) && !OUTBOX.test(detail)) found.push(`${detail}: ${sql.replace(/\s+/g, ' ')}`);
    }
  }
  return found;
}
