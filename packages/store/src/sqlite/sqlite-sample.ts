import { type Collection, nameOfKey, type Value } from '../collection.ts';
import type { Sampled, SampleOptions } from '../sample.ts';
import { documentOf, quoted, type ReadRows, type Row, selected, tableOf } from './sqlite-table.ts';

/** Reads documents that were stored last or first. @param prefix of the tables of the service */
export function* sampleSqlite(
  read: ReadRows,
  collection: Collection,
  prefix: string,
  { limit, newest }: SampleOptions,
): Generator<Sampled> {
  const table = tableOf(collection, prefix);
  const sql = `SELECT ${selected(table.columns)} FROM ${quoted(table.name)} AS t ORDER BY n${newest ? ' DESC' : ''} LIMIT ?`;
  for (const row of read<Row>(sql, limit))
    yield {
      key: nameOfKey(collection.key.map((field) => row[field] as Value)),
      read: () => documentOf(table, row, collection.heavy, read),
    };
}
