import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { eraseRows } from '@parcelway/sqlite/secure-delete';
import { type Collection, compareValues, entriesOf, type Index, type Key, type Value } from '../collection.ts';
import type { Bounds, ClaimOptions, CountRange, DriverWrite, GroupRange, StoreDriver } from '../driver.ts';
import type { ApplyOptions, Message, Outcome, Stored } from '../store.ts';
import { conditions, LIMIT, named, orderOf, presence, rangeQuery, shapeOf, source } from './sqlite-conditions.ts';
import { columnsOf, documentOf, encode, indexName, isEach, quoted, type Row, type Table, tableOf } from './sqlite-table.ts';

/** What the driver works on. */
export interface SqliteStoreOptions {
  /** Migrated with {@link sqliteSchema}. */
  readonly db: SqliteDatabase;
  /** In the same file; needed when a collection has messages. */
  readonly log?: MessageLog;
}

type Found = { readonly n: number; readonly v: number } & Row;

/** Entries of an array up to which a statement for each is the quickest. */
const FEW = 2;

/** Takes back the writes of a group. */
class Undone extends Error {
  readonly outcomes: readonly Outcome[];

  constructor(outcomes: readonly Outcome[]) {
    super('A write of the group cannot be made');
    this.outcomes = outcomes;
  }
}

/** Documents in tables of SQLite: plain columns for what indexes have, the rest as JSON. */
export class SqliteStoreDriver implements StoreDriver {
  readonly #db: SqliteDatabase;
  readonly #log: MessageLog | undefined;
  readonly #tables = new Map<string, Table>();

  constructor({ db, log }: SqliteStoreOptions) {
    this.#db = db;
    this.#log = log;
  }

  async read(collection: Collection, keys: readonly Key[], heavy: readonly string[]): Promise<readonly Stored[]> {
    const table = this.#table(collection);
    return keys.flatMap((key) => {
      const row = this.#byKey(table, key);
      return row === undefined ? [] : [this.#stored(table, row, heavy)];
    });
  }

  async scan(index: Index, bounds: Bounds, heavy: readonly string[]): Promise<readonly Stored[]> {
    const table = this.#table(index.collection);
    const rows = bounds.any === undefined ? this.#rows(table, index, bounds) : this.#rowsOfAny(table, index, bounds, bounds.any);
    return rows.map((row) => this.#stored(table, row, heavy));
  }

  flushed(): Promise<void> {
    return this.#db.flushed();
  }

  async plan(index: Index, bounds: Bounds): Promise<readonly string[]> {
    const { sql, values } = this.#range(this.#table(index.collection), index, bounds);
    const steps = this.#db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    return steps.map(({ detail }) => detail).filter((detail) => /SCAN|TEMP B-TREE/.test(detail));
  }

  async groups(index: Index, { eq, after, limit }: GroupRange) {
    const table = this.#table(index.collection);
    const field = named(index, index.fields[eq.length]?.field ?? '');
    const next = named(index, index.fields[eq.length + 1]?.field ?? '');
    const where = [...conditions(index, eq), ...presence(index, eq.length), `${field} > ?`].join(' AND ');
    const sql = `SELECT ${field} AS "group", ${next} AS first FROM ${source(table, index)} WHERE ${where} ORDER BY ${field}, ${next} LIMIT 1`;
    const groups: { readonly group: Value; readonly first: Value }[] = [];
    // Before every value: numbers come first.
    let last: Value = after ?? Number.NEGATIVE_INFINITY;
    while (groups.length < limit) {
      const row = this.#db.get<{ group: Value; first: Value }>(sql, ...eq, last);
      if (row === undefined) break;
      groups.push({ group: row.group, first: row.first });
      last = row.group;
    }
    return groups;
  }

  async count(index: Index, { eq, to, most }: CountRange) {
    const table = this.#table(index.collection);
    const next = named(index, index.fields[eq.length]?.field ?? 'n');
    const where =
      [...conditions(index, eq), ...presence(index, eq.length), ...(to === undefined ? [] : [`${next} < ?`])].join(' AND ') || '1';
    const from = `FROM ${source(table, index)} WHERE ${where}`;
    const values = [...eq, ...(to === undefined ? [] : [to])];
    const count = this.#db.get<{ c: number }>(`SELECT count(*) AS c FROM (SELECT 1 ${from} ${LIMIT})`, ...values, most)?.c ?? 0;
    const first = this.#db.get<{ first: Value }>(
      `SELECT ${next} AS first ${from} ORDER BY ${orderOf(index, eq.length, false) || next} LIMIT 1`,
      ...values,
    );
    return { count, first: first?.first };
  }

  async write(writes: readonly DriverWrite[], { together = false, deferMs = 0, flushLater = false, overwrite = false }: ApplyOptions) {
    const options = { deferMs, flushLater, repeatable: !together };
    const work = () => (together ? this.#writeAll(writes) : writes.map((write) => this.#write(write)));
    try {
      return await (overwrite ? eraseRows(this.#db, work) : this.#db.transaction(work, options));
    } catch (error) {
      if (error instanceof Undone) return error.outcomes;
      throw error;
    }
  }

  claim(
    queue: Index,
    { group, now, until, limit }: ClaimOptions,
    heavy: readonly string[],
  ): Promise<readonly (Stored & { readonly dueAt: number })[]> {
    const table = this.#table(queue.collection);
    const due = queue.fields[queue.declared - 1]?.field as string;
    const eq = group === undefined ? [] : [group];
    const { sql, values } = this.#range(table, queue, { eq, to: now + 1, limit, backwards: false });
    return this.#db.transaction(
      () =>
        this.#db.all<Found>(sql, ...values).map((row) => {
          this.#db.run(`UPDATE ${quoted(table.name)} SET v = v + 1, ${quoted(due)} = ? WHERE n = ?`, until, row.n);
          return { ...this.#stored(table, { ...row, v: row.v + 1, [due]: until }, heavy), dueAt: row[due] as number };
        }),
      { repeatable: true },
    );
  }

  #rows(table: Table, index: Index, bounds: Bounds): readonly Found[] {
    const { sql, values } = this.#range(table, index, bounds);
    return this.#db.all<Found>(sql, ...values);
  }

  /** A range for each value: they come in the order of the index. */
  #rowsOfAny(table: Table, index: Index, { after, ...bounds }: Bounds, values: readonly Value[]): readonly Found[] {
    const falls = (index.fields[bounds.eq.length]?.falls ?? false) !== bounds.backwards;
    const [first, ...rest] = after ?? [];
    const rows: Found[] = [];
    for (const value of values) {
      const order = first === undefined ? 1 : compareValues(value, first) * (falls ? -1 : 1);
      if (order < 0 || (order === 0 && rest.length === 0)) continue;
      const limit = bounds.limit - rows.length;
      if (limit === 0) break;
      rows.push(...this.#rows(table, index, { ...bounds, eq: [...bounds.eq, value], limit, ...(order === 0 && { after: rest }) }));
    }
    return rows;
  }

  #table(collection: Collection): Table {
    let table = this.#tables.get(collection.name);
    if (table === undefined) {
      table = tableOf(collection, this.#db.prefix);
      this.#tables.set(collection.name, table);
    }
    return table;
  }

  /** @throws Undone, which takes all of them back, when one cannot be made */
  #writeAll(writes: readonly DriverWrite[]): readonly Outcome[] {
    return writes.map((write, place) => {
      const outcome = this.#write(write);
      if (outcome.kind === 'written') return outcome;
      throw new Undone(writes.map((_, other) => (other === place ? outcome : { kind: 'undone' })));
    });
  }

  /** Looks, then writes. The writer is alone, so that what it sees stays until it has written. */
  #write(write: DriverWrite): Outcome {
    const table = this.#table(write.in);
    if (write.kind === 'insert' && table.refusesItself) {
      const made = this.#tryInsert(table, write);
      if (made !== undefined) return made;
    }
    const row = this.#byKey(table, write.key);
    if (write.kind === 'insert') {
      if (row !== undefined) return { kind: 'taken', index: 'key', holder: this.#stored(table, row, []) };
    } else if (row?.v !== write.version) return { kind: 'lost', current: row && this.#stored(table, row, []) };
    const taken = 'value' in write && this.#holder(table, write.value, row?.n, 'changed' in write ? write.changed : undefined);
    if (taken) return taken;
    this.#append(write.messages);
    if (row === undefined || write.kind === 'insert') return this.#insert(table, (write as { readonly value: object }).value);
    const version = write.version + 1;
    if (write.kind === 'touch') this.#db.run(`UPDATE ${quoted(table.name)} SET v = ? WHERE n = ?`, version, row.n);
    else if (write.kind === 'delete') this.#delete(table, row);
    else this.#replace(table, row, write.value, write.changed);
    return { kind: 'written', version };
  }

  /** @returns undefined when another document has the key, or a value of a unique index */
  #tryInsert(table: Table, { value, messages }: Extract<DriverWrite, { kind: 'insert' }>): Outcome | undefined {
    const { placed, body, large } = encode(table, value);
    const { changes, lastInsertRowid: n } = this.#db.run(table.insert, ...placed, body);
    if (changes === 0) return undefined;
    this.#addAside(table, n, value, large);
    this.#append(messages);
    return { kind: 'written', version: 1 };
  }

  #append(messages: readonly Message[]): void {
    for (const message of messages) {
      if (this.#log === undefined) throw new Error('The store was opened without a log');
      this.#log.append(message);
    }
  }

  /** Who has a value of a unique index that a document is about to get. */
  #holder(table: Table, value: object, own: number | undefined, changed?: readonly string[]): Outcome | undefined {
    for (const index of table.collection.indexes) {
      if (index.kind !== 'unique') continue;
      if (changed !== undefined && !index.fields.some(({ field }) => changed.includes(field))) continue;
      for (const entry of entriesOf(index, value)) {
        const { sql } = this.#range(table, index, { eq: entry, limit: 1, backwards: false });
        const row = this.#db.get<Found>(sql, ...entry, 1);
        if (row !== undefined && row.n !== own) return { kind: 'taken', index: index.name, holder: this.#stored(table, row, []) };
      }
    }
    return undefined;
  }

  #insert(table: Table, value: object): Outcome {
    const { placed, body, large } = encode(table, value);
    const { lastInsertRowid: n } = this.#db.run(table.insert, ...placed, body);
    this.#addAside(table, n, value, large);
    return { kind: 'written', version: 1 };
  }

  /** Writes what a new document has outside of its row. */
  #addAside(table: Table, n: number, value: object, large: readonly { readonly field: string; readonly value: string }[]): void {
    this.#putHeavy(table, n, large);
    for (const index of table.sides) this.#addEntries(table, index, n, entriesOf(index, value));
  }

  #replace(table: Table, row: Found, value: object, changed: readonly string[]): void {
    for (const index of table.collection.indexes) {
      if (!isEach(index) || !index.fields.some(({ field }) => changed.includes(field))) continue;
      const before = this.#withArray(table, index, row);
      const after = changed.includes(before.array) ? value : { ...value, [before.array]: before.value[before.array] };
      this.#dropEntries(table, index, entriesOf(index, before.value));
      this.#addEntries(table, index, row.n, entriesOf(index, after));
    }
    const { placed, body, large } = encode(table, value, changed);
    const places = [...table.columns.keys()].filter((place) => changed.includes(table.columns[place] as string));
    const set = [...places.map((place) => quoted(table.columns[place] as string)), 'body'].map((column) => `${column} = ?`).join(', ');
    // Indexes of which no column is named are left alone.
    const sql = `UPDATE ${quoted(table.name)} SET ${set}, v = v + 1 WHERE n = ?`;
    this.#db.run(sql, ...places.map((place) => placed[place] ?? null), body, row.n);
    this.#putHeavy(table, row.n, large);
    for (const field of table.collection.heavy) {
      if (changed.includes(field) && !large.some((one) => one.field === field))
        this.#db.run(`DELETE FROM ${quoted(`${table.name}__heavy`)} WHERE n = ? AND field = ?`, row.n, field);
    }
  }

  #delete(table: Table, row: Found): void {
    for (const index of table.collection.indexes)
      if (isEach(index)) this.#dropEntries(table, index, entriesOf(index, this.#withArray(table, index, row).value));
    if (table.collection.heavy.length > 0) this.#db.run(`DELETE FROM ${quoted(`${table.name}__heavy`)} WHERE n = ?`, row.n);
    this.#db.run(`DELETE FROM ${quoted(table.name)} WHERE n = ?`, row.n);
  }

  /** A document as it is stored, with the array of an index. */
  #withArray(table: Table, index: Index, row: Found): { readonly array: string; readonly value: Readonly<Record<string, unknown>> } {
    const array = index.fields.find((one) => one.isEach)?.field as string;
    const value = this.#stored(table, row, table.collection.heavy.includes(array) ? [array] : []).value;
    return { array, value: value as Readonly<Record<string, unknown>> };
  }

  #putHeavy(table: Table, n: number, large: readonly { readonly field: string; readonly value: string }[]): void {
    if (large.length === 0) return;
    const places = large.map(() => '(?, ?, ?)').join(', ');
    this.#db.run(
      `INSERT OR REPLACE INTO ${quoted(`${table.name}__heavy`)} (n, field, value) VALUES ${places}`,
      ...large.flatMap(({ field, value }) => [n, field, value]),
    );
  }

  /** @param entries of one document: they differ in their element alone */
  #addEntries(table: Table, index: Index, n: number, entries: readonly (readonly Value[])[]): void {
    const [first] = entries;
    if (first === undefined) return;
    const into = `INTO ${indexName(table, index)} (${columnsOf(index)}, n)`;
    if (entries.length <= FEW) {
      const sql = `INSERT ${into} VALUES (${index.fields.map(() => '?').join(', ')}, ?)`;
      for (const entry of entries) this.#db.run(sql, ...entry, n);
      return;
    }
    const place = index.fields.findIndex((one) => one.isEach);
    const values = index.fields.map((one) => (one.isEach ? 'element.value' : '?')).join(', ');
    // What fails takes back all of its transaction: SQLite need not be able to take back a part of the statement.
    const sql = `INSERT OR FAIL ${into} SELECT ${values}, ? FROM json_each(?) AS element`;
    this.#db.run(sql, ...first.toSpliced(place, 1), n, JSON.stringify(entries.map((entry) => entry[place])));
  }

  #dropEntries(table: Table, index: Index, entries: readonly (readonly Value[])[]): void {
    for (const entry of entries)
      this.#db.run(`DELETE FROM ${indexName(table, index)} AS e WHERE ${conditions(index, entry).join(' AND ')}`, ...entry);
  }

  #byKey(table: Table, key: Key): Found | undefined {
    return this.#db.get<Found>(table.byKey, ...key);
  }

  #stored(table: Table, row: Found, heavy: readonly string[]): Stored {
    return { value: documentOf(table, row, heavy, (sql, ...values) => this.#db.all(sql, ...values)), version: row.v };
  }

  /** The query of a range, and its values. */
  #range(table: Table, index: Index, bounds: Bounds): { readonly sql: string; readonly values: SqlValue[] } {
    const { eq, from, to, after, limit } = bounds;
    const shape = shapeOf(index, bounds);
    let sql = table.queries.get(shape);
    if (sql === undefined) {
      sql = rangeQuery(table, index, bounds);
      table.queries.set(shape, sql);
    }
    const range = [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [to])];
    return { sql, values: [...eq, ...range, ...(after ?? []), limit] };
  }
}
