import type { Index, Value } from '../collection.ts';
import type { Bounds } from '../driver.ts';
import { indexName, isEach, quoted, selected, type Table } from './sqlite-table.ts';

/** SQLite prepares a statement anew for each value of a bare `LIMIT ?`. */
export const LIMIT = 'LIMIT ? + 0';

/** Where an index is read: by name, so that a query without it fails instead of reading the table. */
export function source(table: Table, index: Index): string {
  if (!isEach(index)) return `${quoted(table.name)} AS t INDEXED BY ${indexName(table, index)}`;
  return `${indexName(table, index)} AS e CROSS JOIN ${quoted(table.name)} AS t ON t.n = e.n`;
}

export const named = (index: Index, field: string): string => `${isEach(index) ? 'e' : 't'}.${quoted(field)}`;

/** The first fields of an index have these values. */
export function conditions(index: Index, values: readonly Value[]): string[] {
  return values.map((_, place) => `${named(index, index.fields[place]?.field ?? '')} = ?`);
}

/** What an index asks of documents, behind its first fields. */
export function presence(index: Index, first: number): string[] {
  if (isEach(index)) return [];
  return index.fields.slice(first).flatMap(({ field, isOptional }) => (isOptional ? [`${named(index, field)} NOTNULL`] : []));
}

export function orderOf(index: Index, first: number, backwards: boolean): string {
  return index.fields
    .slice(first)
    .map(({ field, falls }) => `${named(index, field)}${falls !== backwards ? ' DESC' : ''}`)
    .join(', ');
}

/** Distinguishes queries of an index: ranges of one shape differ in their values alone. */
function shapeOf({ eq, from, to, after, backwards, isBare = false }: Bounds): number {
  const bits = [from !== undefined, to !== undefined, after !== undefined, backwards, isBare];
  return bits.reduce((shape, bit) => 2 * shape + Number(bit), eq.length);
}

/** The query of a range, kept with its table. */
export function queryOf(table: Table, index: Index, bounds: Bounds): string {
  const queries = table.queries.get(index) as Map<number, string>;
  const shape = shapeOf(bounds);
  let sql = queries.get(shape);
  if (sql === undefined) {
    sql = rangeQuery(table, index, bounds);
    queries.set(shape, sql);
  }
  return sql;
}

/** The query of a range. Its values: those of `eq`, `from`, `to` and `after`, as far as they are given, and the limit. */
function rangeQuery(table: Table, index: Index, { eq, from, to, after, backwards, isBare = false }: Bounds): string {
  const tail = index.fields.slice(eq.length);
  const next = named(index, tail[0]?.field ?? 'n');
  const where = [...conditions(index, eq), ...presence(index, eq.length)];
  if (from !== undefined) where.push(`${next} >= ?`);
  if (to !== undefined) where.push(`${next} < ?`);
  if (after !== undefined) {
    const isFalling = (tail[0]?.falls ?? false) !== backwards;
    where.push(`(${tail.map(({ field }) => named(index, field)).join(', ')}) ${isFalling ? '<' : '>'} (${tail.map(() => '?').join(', ')})`);
  }
  const order = tail.length === 0 ? '' : ` ORDER BY ${orderOf(index, eq.length, backwards)}`;
  const fields = isBare ? selected(table.columns).replace('t.body', "'{}' AS body") : selected(table.columns);
  return `SELECT ${fields} FROM ${source(table, index)} WHERE ${where.join(' AND ') || '1'}${order} ${LIMIT}`;
}
