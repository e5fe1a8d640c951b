import type { SqlValue } from '@parcelway/sqlite/database';
import type { Collection, Index, Value } from '../collection.ts';

type Document = Readonly<Record<string, unknown>>;

/** A row of a table. */
export type Row = Readonly<Record<string, Value | null>>;

/** The table of a collection: how its documents lie in columns, and the statements of single documents. */
export interface Table {
  readonly collection: Collection;
  readonly name: string;
  /** Fields that have a column of their own, because an index has them. */
  readonly columns: readonly string[];
  /** Heavy fields in the order of their rows: those of a new document are appended to the table. */
  readonly heavy: readonly string[];
  /** Those that lie as JSON in `body`. */
  readonly rest: readonly string[];
  /** Does nothing when another document has the key, or a value of a unique index that is no array. */
  readonly insert: string;
  readonly byKey: string;
  /** Writes so many heavy fields of a document. */
  readonly putHeavy: Map<number, string>;
  readonly dropHeavy: string;
  readonly touch: string;
  readonly remove: string;
  /** Indexes over arrays: each has a table of its own. */
  readonly sides: readonly Index[];
  /** True when `insert` itself finds out what must be unique. */
  readonly refusesItself: boolean;
  /** Queries of ranges, by their shapes. */
  readonly queries: ReadonlyMap<Index, Map<number, string>>;
  /** Updates, by the columns that they set. */
  readonly updates: Map<number, string>;
}

/** Lays out the table of a collection, which has its name behind the prefix of its service. */
export function tableOf(collection: Collection, prefix: string): Table {
  const { key, indexes, heavy, schema } = collection;
  const name = prefix + collection.name;
  const indexed = indexes.flatMap(({ fields }) => fields.filter((one) => !one.isEach).map(({ field }) => field));
  const columns = [...new Set([...key, ...indexed.sort()])];
  const names = [...columns.map(quoted), 'body'];
  const isOne = key.map((field) => `${quoted(field)} = ?`).join(' AND ');
  return {
    collection,
    name,
    columns,
    heavy: heavy.toSorted(),
    rest: Object.keys(schema.properties).filter((field) => !columns.includes(field) && !heavy.includes(field)),
    insert: `INSERT INTO ${quoted(name)} (v, ${names.join(', ')}) VALUES (1, ${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
    byKey: `SELECT ${selected(columns)} FROM ${quoted(name)} AS t WHERE ${isOne}`,
    putHeavy: new Map(),
    dropHeavy: `DELETE FROM ${quoted(`${name}__heavy`)} WHERE n = ?`,
    touch: `UPDATE ${quoted(name)} SET v = v + 1 WHERE ${isOne} AND v = ?`,
    remove: `DELETE FROM ${quoted(name)} WHERE ${isOne} AND v = ? RETURNING n`,
    sides: indexes.filter(isEach),
    refusesItself: !indexes.some((index) => index.kind === 'unique' && isEach(index)),
    queries: new Map(indexes.map((index) => [index, new Map<number, string>()])),
    updates: new Map(),
  };
}

/** Writes the rest of a document, and some columns, onto a version; does nothing when another document has a value of a unique index. @param shape see {@link update} */
function updateOf({ name, columns, collection: { key } }: Table, shape: number): string {
  const set = [...columns.filter((_, place) => Math.floor(shape / 2 ** place) % 2 === 1).map(quoted), 'body'];
  const isOne = key.map((field) => `${quoted(field)} = ?`).join(' AND ');
  return `UPDATE OR IGNORE ${quoted(name)} SET ${set.map((column) => `${column} = ?`).join(', ')}, v = v + 1 WHERE ${isOne} AND v = ? RETURNING n`;
}

/** The update of a document, and its values without the key and the version. Indexes of which no column is named are left alone. */
export function update(table: Table, value: object, changed: readonly string[]): { readonly sql: string; readonly values: SqlValue[] } {
  const { columns, updates } = table;
  const values: SqlValue[] = [];
  // A bit for each column.
  let shape = 0;
  for (let place = 0; place < columns.length; place += 1) {
    const field = columns[place] as string;
    if (!changed.includes(field)) continue;
    shape += 2 ** place;
    values.push(((value as Document)[field] ?? null) as SqlValue);
  }
  let sql = updates.get(shape);
  if (sql === undefined) {
    sql = updateOf(table, shape);
    updates.set(shape, sql);
  }
  values.push(bodyOf(table, value as Document));
  return { sql, values };
}

/** What a query reads of a table that it calls `t`. */
export const selected = (columns: readonly string[]): string =>
  ['n', 'v', ...columns.map(quoted), 'body'].map((name) => `t.${name}`).join(', ');

export const quoted = (name: string): string => `"${name}"`;
/** True when the index of the key has the same order. */
const isKey = ({ fields, collection: { key } }: Index): boolean =>
  fields.length === key.length && fields.every(({ field, falls, isEach: each }, place) => field === key[place] && !falls && !each);
/** Name of the index of a table, or of the side table of one over an array. */
export const indexName = (table: Table, index: Index): string => quoted(`${table.name}__${isKey(index) ? 'key' : index.name}`);
export const isEach = ({ fields }: Index): boolean => fields.some(({ isEach: each }) => each);
/** The columns of an index, in order. */
export const columnsOf = (index: Index): string => index.fields.map(({ field }) => quoted(field)).join(', ');

/** The statements that make the tables and indexes of collections, for `SqliteDatabase.declare`. */
export function sqliteSchema(collections: readonly Collection[]): (prefix: string) => readonly string[] {
  return (prefix) => collections.flatMap((collection) => statementsOf(tableOf(collection, prefix)));
}

function statementsOf(table: Table): string[] {
  const { collection, columns, heavy, name } = table;
  const { key } = collection;
  const column = (field: string): string => `${quoted(field)} ANY${key.includes(field) ? ' NOT NULL' : ''}`;
  const statements = [
    `CREATE TABLE ${quoted(name)} (n INTEGER PRIMARY KEY, v INTEGER NOT NULL, ${columns.map(column).join(', ')}, body TEXT NOT NULL) STRICT`,
    `CREATE UNIQUE INDEX ${quoted(`${name}__key`)} ON ${quoted(name)} (${key.map(quoted).join(', ')})`,
  ];
  // A file with other heavy fields is refused: their values would be lost.
  const names = heavy.map((one) => `'${one}'`).join(', ');
  if (heavy.length > 0)
    statements.push(
      `CREATE TABLE ${quoted(`${name}__heavy`)} (n INTEGER NOT NULL, field TEXT NOT NULL CHECK (field IN (${names})), value TEXT NOT NULL, PRIMARY KEY (n, field)) STRICT, WITHOUT ROWID`,
    );
  for (const index of collection.indexes)
    if (!isKey(index)) statements.push(isEach(index) ? sideTable(table, index) : plainIndex(table, index));
  return statements;
}

/**
 * The columns of an index. Where all columns behind the first fall, they are stored rising, and SQLite reads the index backwards: a new document is then
 * appended, which writes fewer pages. With more rising columns in front, reads by the first of them would need a sort.
 */
function layoutOf({ fields }: Index): string {
  const isBackwards = fields.slice(1).every(({ falls }) => falls);
  return fields.map(({ field, falls }) => `${quoted(field)}${falls && !isBackwards ? ' DESC' : ''}`).join(', ');
}

function plainIndex(table: Table, index: Index): string {
  const present = index.fields.filter(({ isOptional }) => isOptional).map(({ field }) => `${quoted(field)} NOTNULL`);
  const where = present.length > 0 ? ` WHERE ${present.join(' AND ')}` : '';
  return `CREATE ${index.kind === 'unique' ? 'UNIQUE ' : ''}INDEX ${indexName(table, index)} ON ${quoted(table.name)} (${layoutOf(index)})${where}`;
}

function sideTable(table: Table, index: Index): string {
  const columns = index.fields.map(({ field }) => `${quoted(field)} ANY NOT NULL`);
  return `CREATE TABLE ${indexName(table, index)} (${columns.join(', ')}, n INTEGER NOT NULL, PRIMARY KEY (${layoutOf(index)})) STRICT, WITHOUT ROWID`;
}

/** The columns of a new document, and its rest. */
export function encode(table: Table, value: object): SqlValue[] {
  const document = value as Document;
  const values: SqlValue[] = [];
  for (const field of table.columns) values.push((document[field] ?? null) as SqlValue);
  values.push(bodyOf(table, document));
  return values;
}

function bodyOf({ columns, rest }: Table, document: Document): string {
  const body: Record<string, unknown> = {};
  for (const field of rest) {
    const value = document[field];
    if (value !== undefined) body[field] = value;
  }
  // A null has no place in a column: there it is what lacks.
  for (const field of columns) if (document[field] === null) body[field] = null;
  return JSON.stringify(body);
}

/** The document of a row, without its heavy fields. */
function decode({ columns }: Table, row: Row): object {
  const value = JSON.parse(row['body'] as string) as Record<string, unknown>;
  for (const field of columns) {
    const placed = row[field];
    if (placed !== null && placed !== undefined) value[field] = placed;
  }
  return value;
}

/** Runs a query. */
export type ReadRows = <R extends object>(sql: string, ...values: Value[]) => readonly R[];

/** The document of a row, with some of its heavy fields. */
export function documentOf(table: Table, row: Row, heavy: readonly string[], read: ReadRows): object {
  const value = decode(table, row) as Record<string, unknown>;
  if (heavy.length === 0) return value;
  const sql = `SELECT field, value FROM ${quoted(`${table.name}__heavy`)} WHERE n = ? AND field IN (${heavy.map(() => '?').join(', ')})`;
  for (const { field, value: text } of read<{ readonly field: string; readonly value: string }>(sql, row['n'] as number, ...heavy))
    value[field] = JSON.parse(text) as unknown;
  return value;
}
