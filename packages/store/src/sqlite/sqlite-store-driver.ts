import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { eraseRows } from '@parcelway/sqlite/secure-delete';
import { type Collection, compareValues, entriesOf, type Index, type Key, type Value } from '../collection.ts';
import type { Bounds, ClaimOptions, CountRange, DriverWrite, GroupRange, StoreDriver } from '../driver.ts';
import type { ApplyOptions, Outcome, Stored } from '../store.ts';
import { conditions, named, orderOf, presence, source } from './sqlite-conditions.ts';
import { columnsOf, decode, encode, indexName, isEach, quoted, type Row, selected, type Table, tableOf } from './sqlite-table.ts';

/** What the driver works on. */
export interface SqliteStoreOptions {
  /** Migrated with {@link sqliteSchema}. */
  readonly db: SqliteDatabase;
  /** In the same file; needed when a collection has messages. */
  readonly log?: MessageLog;
}

type Found = { readonly n: number; readonly v: number } & Row;

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
    const count = this.#db.get<{ c: number }>(`SELECT count(*) AS c FROM (SELECT 1 ${from} LIMIT ?)`, ...values, most)?.c ?? 0;
    const first = this.#db.get<{ first: Value }>(
      `SELECT ${next} AS first ${from} ORDER BY ${orderOf(index, eq.length, false) || next} LIMIT 1`,
      ...values,
    );
    return { count, first: first?.first };
  }

  async write(writes: readonly DriverWrite[], { together = false, deferMs = 0, flushLater = false, overwrite = false }: ApplyOptions) {
    const options = { deferMs, flushLater, repeatable: !together };
    const work = () => (together ? this.#writeAll(writes) : writes.map((write) => this.#look(write) ?? this.#write(write)));
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
      const failure = this.#look(write);
      if (failure === undefined) return this.#write(write);
      throw new Undone(writes.map((_, other) => (other === place ? failure : { kind: 'undone' })));
    });
  }

  /** Why a write cannot be made; undefined when it can. The writer is alone, so that what it sees stays until it has written. */
  #look(write: DriverWrite): Outcome | undefined {
    const table = this.#table(write.in);
    const row = this.#byKey(table, write.key);
    if (write.kind === 'insert') {
      if (row !== undefined) return { kind: 'taken', index: 'key', holder: this.#stored(table, row, []) };
      return this.#holder(table, write.value, undefined);
    }
    if (row?.v !== write.version) return { kind: 'lost', current: row && this.#stored(table, row, []) };
    return write.kind === 'patch' ? this.#holder(table, write.value, row.n, write.changed) : undefined;
  }

  /** Who has a value of a unique index that a document is about to get. */
  #holder(table: Table, value: object, own: number | undefined, changed?: readonly string[]): Outcome | undefined {
    for (const index of table.collection.indexes) {
      if (index.kind !== 'unique') continue;
      if (changed !== undefined && !index.fields.some(({ field }) => changed.includes(field))) continue;
      for (const entry of entriesOf(index, value)) {
        const row = this.#db.get<Found>(
          `SELECT ${selected(table.columns)} FROM ${source(table, index)} WHERE ${conditions(index, entry).join(' AND ')}`,
          ...entry,
        );
        if (row !== undefined && row.n !== own) return { kind: 'taken', index: index.name, holder: this.#stored(table, row, []) };
      }
    }
    return undefined;
  }

  #write(write: DriverWrite): Outcome {
    const table = this.#table(write.in);
    for (const message of write.messages) {
      if (this.#log === undefined) throw new Error('The store was opened without a log');
      this.#log.append(message);
    }
    if (write.kind === 'insert') return this.#insert(table, write.value);
    const row = this.#byKey(table, write.key) as Found;
    const { n } = row;
    const version = write.version + 1;
    if (write.kind === 'touch') this.#db.run(`UPDATE ${quoted(table.name)} SET v = ? WHERE n = ?`, version, n);
    else if (write.kind === 'delete') this.#delete(table, row);
    else this.#replace(table, row, write.value, write.changed);
    return { kind: 'written', version };
  }

  #insert(table: Table, value: object): Outcome {
    const { placed, body, large } = encode(table, value);
    const { lastInsertRowid: n } = this.#db.run(table.insert, ...placed, body);
    for (const one of large) this.#putHeavy(table, n, one.field, one.value);
    for (const index of table.collection.indexes) if (isEach(index)) this.#addEntries(table, index, n, entriesOf(index, value));
    return { kind: 'written', version: 1 };
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
    this.#db.run(table.replace, ...placed, body, row.n);
    for (const { field, value: text } of large) this.#putHeavy(table, row.n, field, text);
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

  #putHeavy(table: Table, n: number, field: string, text: string): void {
    this.#db.run(
      `INSERT INTO ${quoted(`${table.name}__heavy`)} (n, field, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
      n,
      field,
      text,
    );
  }

  #addEntries(table: Table, index: Index, n: number, entries: readonly (readonly Value[])[]): void {
    const places = index.fields.map(() => '?').join(', ');
    const sql = `INSERT INTO ${indexName(table, index)} (${columnsOf(index)}, n) VALUES (${places}, ?)`;
    for (const entry of entries) this.#db.run(sql, ...entry, n);
  }

  #dropEntries(table: Table, index: Index, entries: readonly (readonly Value[])[]): void {
    for (const entry of entries)
      this.#db.run(`DELETE FROM ${indexName(table, index)} AS e WHERE ${conditions(index, entry).join(' AND ')}`, ...entry);
  }

  #byKey(table: Table, key: Key): Found | undefined {
    return this.#db.get<Found>(table.byKey, ...key);
  }

  #stored(table: Table, row: Found, heavy: readonly string[]): Stored {
    const value = decode(table, row) as Record<string, unknown>;
    for (const field of heavy) {
      const found = this.#db.get<{ value: string }>(
        `SELECT value FROM ${quoted(`${table.name}__heavy`)} WHERE n = ? AND field = ?`,
        row.n,
        field,
      );
      if (found !== undefined) value[field] = JSON.parse(found.value) as unknown;
    }
    return { value, version: row.v };
  }

  #range(
    table: Table,
    index: Index,
    { eq, from, to, after, limit, backwards, isBare = false }: Bounds,
  ): { readonly sql: string; readonly values: SqlValue[] } {
    const tail = index.fields.slice(eq.length);
    const next = named(index, tail[0]?.field ?? 'n');
    const where = [...conditions(index, eq), ...presence(index, eq.length)];
    const values: SqlValue[] = [...eq];
    if (from !== undefined) {
      where.push(`${next} >= ?`);
      values.push(from);
    }
    if (to !== undefined) {
      where.push(`${next} < ?`);
      values.push(to);
    }
    if (after !== undefined) {
      const isFalling = (tail[0]?.falls ?? false) !== backwards;
      where.push(
        `(${tail.map(({ field }) => named(index, field)).join(', ')}) ${isFalling ? '<' : '>'} (${tail.map(() => '?').join(', ')})`,
      );
      values.push(...after);
    }
    const order = tail.length === 0 ? '' : ` ORDER BY ${orderOf(index, eq.length, backwards)}`;
    const fields = isBare ? selected(table.columns).replace('t.body', "'{}' AS body") : selected(table.columns);
    const sql = `SELECT ${fields} FROM ${source(table, index)} WHERE ${where.join(' AND ') || '1'}${order} LIMIT ?`;
    return { sql, values: [...values, limit] };
  }
}
