import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Index, Value } from '../collection.ts';
import type { Bounds, DriverWrite } from '../driver.ts';
import type { Stored } from '../store.ts';
import { queryOf } from './sqlite-conditions.ts';
import type { Table } from './sqlite-table.ts';

/** Values of shard fields whose pages stay in memory; the oldest is evicted first. */
const OWNERS_KEPT = 5000;

/** All documents of a query. */
interface KeptPage {
  readonly sql: string;
  readonly eq: readonly Value[];
  readonly items: readonly Stored[];
}

/** True when only the shard value and other first fields bound a range. */
const isOfShard = ({ collection, fields }: Index, { eq, from, to, after }: Bounds): boolean =>
  eq.length > 0 && fields[0]?.field === collection.shard && from === undefined && to === undefined && after === undefined;

/** Pages of collections that are mostly read. A write of one of their shard value ends them: no other process writes. */
export class KeptPages {
  readonly #db: SqliteDatabase;
  /** By their collection and shard value. */
  readonly #pages = new Map<string, KeptPage[]>();
  /** `rollbacks` of the database when the pages were last valid. */
  #rollbacks = 0;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** Reads a range. It is kept when `load` returns all documents that there are. */
  read(table: Table, index: Index, bounds: Bounds, load: (bounds: Bounds) => readonly Stored[]): readonly Stored[] {
    if (!isOfShard(index, bounds)) return load(bounds);
    if (this.#rollbacks !== this.#db.rollbacks) this.#pages.clear();
    this.#rollbacks = this.#db.rollbacks;
    const { eq, limit } = bounds;
    const owner = `${table.name} ${eq[0]}`;
    const sql = queryOf(table, index, bounds);
    const pages = this.#pages.get(owner) ?? [];
    const known = pages.find((one) => one.sql === sql && one.eq.every((value, place) => value === eq[place]));
    if (known !== undefined) return known.items.slice(0, limit);
    const items = load(bounds);
    if (items.length === limit) return items;
    pages.push({ sql, eq, items });
    this.#pages.set(owner, pages);
    if (this.#pages.size > OWNERS_KEPT) this.#pages.delete(this.#pages.keys().next().value as string);
    return items;
  }

  forget({ name, collection }: Table, write: DriverWrite): void {
    const value = (write.kind === 'insert' ? write.value : write.before) as Readonly<Record<string, Value>>;
    this.#pages.delete(`${name} ${value[collection.shard as string]}`);
  }
}
