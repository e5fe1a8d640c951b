import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { type Collection, compareValues, entriesOf, type Index, type Key, type Value } from '../collection.ts';
import type { Bounds, DriverWrite, StoreDriver } from '../driver.ts';
import type { ApplyOptions, Claimed, ClaimOptions, CountRange, GroupRange, Outcome, Stored } from '../store.ts';
import { conditions, LIMIT, named, orderOf, presence, queryOf, source } from './sqlite-conditions.ts';
import { KeptPages } from './sqlite-kept-pages.ts';
import { columnsOf, documentOf, encode, indexName, quoted, type ReadRows, type Row, type Table, tableOf, update } from './sqlite-table.ts';

/** What the driver works on. */
export interface SqliteStoreOptions {
  /** In which {@link sqliteSchema} is declared. */
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
  readonly #pages: KeptPages;

  readonly #read: ReadRows = (sql, ...values) => this.#db.all(sql, ...values);

  constructor({ db, log }: SqliteStoreOptions) {
    this.#db = db;
    this.#log = log;
    this.#pages = new KeptPages(db);
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
    const load = (range: Bounds) => this.#rows(table, index, range).map((row) => this.#stored(table, row, heavy));
    const isKept = index.collection.isMostlyRead && heavy.length === 0;
    const read = isKept ? (range: Bounds) => this.#pages.read(table, index, range, load) : load;
    return bounds.any === undefined ? read(bounds) : this.#ofAny(index, bounds, bounds.any, read);
  }

  flushed(): Promise<void> {
    return this.#db.flushed();
  }

  async plan(index: Index, bounds: Bounds): Promise<readonly string[]> {
    const { sql, values } = this.#range(this.#table(index.collection), index, bounds);
    const steps = this.#db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    return steps.map(({ detail }) => detail).filter((detail) => /SCAN|TEMP B-TREE/.test(detail));
  }

  async groups(index: Index, { eq = [], after, limit }: GroupRange) {
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

  async write(writes: readonly DriverWrite[], { together = false, deferMs = 0, flushLater = false }: ApplyOptions) {
    const options = { deferMs, flushLater, repeatable: !together };
    const work = () => (together ? this.#writeAll(writes) : writes.map((write) => this.#write(write)));
    try {
      return await this.#db.transaction(work, options);
    } catch (error) {
      if (error instanceof Undone) return error.outcomes;
      throw error;
    }
  }

  claim(queue: Index, { group, now, until, limit }: ClaimOptions, heavy: readonly string[]): Promise<readonly Claimed[]> {
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
  #ofAny(index: Index, { any: _any, after, ...bounds }: Bounds, values: readonly Value[], read: (range: Bounds) => readonly Stored[]) {
    const falls = (index.fields[bounds.eq.length]?.falls ?? false) !== bounds.backwards;
    const [first, ...rest] = after ?? [];
    const found: Stored[] = [];
    for (const value of values) {
      const order = first === undefined ? 1 : compareValues(value, first) * (falls ? -1 : 1);
      if (order < 0 || (order === 0 && rest.length === 0)) continue;
      const limit = bounds.limit - found.length;
      if (limit === 0) break;
      found.push(...read({ ...bounds, eq: [...bounds.eq, value], limit, ...(order === 0 && { after: rest }) }));
    }
    return found;
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

  /** Writes, and looks when that was refused. The writer is alone: what it sees is what refused it. */
  #write(write: DriverWrite): Outcome {
    const table = this.#table(write.in);
    if (write.in.isMostlyRead) this.#pages.forget(table, write);
    if (write.kind === 'insert') return this.#insert(table, write);
    const refused = this.#isMade(table, write) ? undefined : this.#refusal(table, write);
    if (refused !== undefined) return refused;
    this.#append(write.messages);
    return { kind: 'written', version: write.version + 1 };
  }

  #insert(table: Table, write: Extract<DriverWrite, { kind: 'insert' }>): Outcome {
    const { value, messages } = write;
    const made = table.refusesItself ? this.#db.run(table.insert, ...encode(table, value)) : undefined;
    if (made === undefined || made.changes === 0) {
      const row = this.#byKey(table, write.key);
      if (row !== undefined) return { kind: 'taken', index: 'key', holder: this.#stored(table, row, []) };
      const taken = this.#holder(table, value, undefined);
      if (taken !== undefined) return taken;
      if (made !== undefined) throw new Error(`${table.name} refused a document that no index explains`);
    }
    const { lastInsertRowid: n } = made ?? this.#db.run(table.insert, ...encode(table, value));
    this.#putHeavy(table, n, value);
    for (const index of table.sides) this.#addEntries(table, index, n, entriesOf(index, value));
    this.#append(messages);
    return { kind: 'written', version: 1 };
  }

  /** Tries to change or delete a document. @returns false when it has another version, or another document a value of a unique index */
  #isMade(table: Table, write: Exclude<DriverWrite, { kind: 'insert' }>): boolean {
    const { key, version } = write;
    if (write.kind === 'touch') return this.#db.run(table.touch, ...key, version).changes > 0;
    const changed = write.kind === 'patch' ? write.changed : undefined;
    const sides = table.sides.filter(({ fields }) => changed === undefined || fields.some(({ field }) => changed.includes(field)));
    const row = sides.length === 0 ? undefined : this.#byKey(table, key);
    if (sides.length > 0) {
      if (row?.v !== version) return false;
      if (write.kind === 'patch' && this.#holder(table, write.value, row.n, changed) !== undefined) return false;
      for (const index of sides) this.#moveEntries(table, index, row, write);
    }
    if (write.kind === 'delete') {
      const deleted = this.#db.get<{ readonly n: number }>(table.remove, ...key, version);
      if (deleted !== undefined && table.collection.heavy.length > 0) this.#db.run(table.dropHeavy, deleted.n);
      return deleted !== undefined;
    }
    const { sql, values } = update(table, write.value, write.changed);
    const updated = this.#db.get<{ readonly n: number }>(sql, ...values, ...key, version);
    if (updated !== undefined && table.collection.heavy.length > 0) this.#putHeavy(table, updated.n, write.value, write.changed);
    return updated !== undefined;
  }

  /** Why a write was not made. */
  #refusal(table: Table, write: Exclude<DriverWrite, { kind: 'insert' }>): Outcome {
    const row = this.#byKey(table, write.key);
    if (row?.v !== write.version) return { kind: 'lost', current: row && this.#stored(table, row, []) };
    const taken = write.kind === 'patch' ? this.#holder(table, write.value, row.n, write.changed) : undefined;
    if (taken === undefined) throw new Error(`${table.name} refused a write`);
    return taken;
  }

  #append(messages: readonly EncodedMessage[]): void {
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

  /** Brings the entries of an array to what a write makes of its document. */
  #moveEntries(table: Table, index: Index, row: Found, write: Extract<DriverWrite, { kind: 'patch' | 'delete' }>): void {
    const before = this.#withArray(table, index, row);
    this.#dropEntries(table, index, entriesOf(index, before.value));
    if (write.kind === 'delete') return;
    const after = write.changed.includes(before.array) ? write.value : { ...write.value, [before.array]: before.value[before.array] };
    this.#addEntries(table, index, row.n, entriesOf(index, after));
  }

  /** A document as it is stored, with the array of an index. */
  #withArray(table: Table, index: Index, row: Found): { readonly array: string; readonly value: Readonly<Record<string, unknown>> } {
    const array = index.fields.find((one) => one.isEach)?.field as string;
    const value = this.#stored(table, row, table.collection.heavy.includes(array) ? [array] : []).value;
    return { array, value: value as Readonly<Record<string, unknown>> };
  }

  /** Writes the large fields of a document. @param changed those of a new one are all written */
  #putHeavy(table: Table, n: number, value: object, changed?: readonly string[]): void {
    const values: SqlValue[] = [];
    for (const field of table.heavy) {
      if (changed !== undefined && !changed.includes(field)) continue;
      const large = (value as Readonly<Record<string, unknown>>)[field];
      if (large !== undefined) values.push(n, field, JSON.stringify(large));
      else if (changed !== undefined) this.#db.run(`${table.dropHeavy} AND field = ?`, n, field);
    }
    if (values.length === 0) return;
    const count = values.length / 3;
    let sql = table.putHeavy.get(count);
    if (sql === undefined) {
      const places = Array.from({ length: count }, () => '(?, ?, ?)').join(', ');
      sql = `INSERT OR REPLACE INTO ${quoted(`${table.name}__heavy`)} (n, field, value) VALUES ${places}`;
      table.putHeavy.set(count, sql);
    }
    this.#db.run(sql, ...values);
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
    return { value: documentOf(table, row, heavy, this.#read), version: row.v };
  }

  /** The query of a range, and its values. */
  #range(table: Table, index: Index, bounds: Bounds): { readonly sql: string; readonly values: SqlValue[] } {
    const { eq, from, to, after, limit } = bounds;
    const values: SqlValue[] = [...eq];
    if (from !== undefined) values.push(from);
    if (to !== undefined) values.push(to);
    if (after !== undefined) values.push(...after);
    values.push(limit);
    return { sql: queryOf(table, index, bounds), values };
  }
}
