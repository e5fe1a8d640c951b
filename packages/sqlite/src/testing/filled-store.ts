import { DatabaseSync } from '@photostructure/sqlite';
import type { SqlValue } from '../database.ts';

/** Anything that responds to queries. */
export interface Queryable {
  all<Row extends object>(sql: string, ...values: SqlValue[]): Row[];
}

type Row = Record<string, SqlValue>;

interface Column {
  readonly name: string;
  readonly pk: number;
  readonly hidden: number;
}

const ROWS = 2000;
/** Rows that copies are made of, per table. */
const MAX_SAMPLES = 40;
/** Of ten copies as many are of one row, as many belong to one owner: a column that has few values distinguishes few rows. */
const OF_TEN_ALIKE = 7;

/** Columns that group rows: a copy keeps them, so that each group is large. */
const GROUPS = /^(tenant_id|owner_id|warehouse_code|endpoint_id|group_name|topic|partition|watch|slot)$/;
/** Columns that distinguish rows, or that rise with time. */
const DISTINCT =
  /(^|_)(id|no|number|at|from|until|since|instant|timestamp|digest|token|hash|md5|sha256|key|offset|position|seq|sequence|next|code)$/;

/** The tables of a store, but for SQLite's own. */
export function tablesOf(db: Queryable): string[] {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'";
  return db.all<{ name: string }>(sql).map(({ name }) => name);
}

/** The schema of a store, as scripts for `migrate`. */
export function schemaOf(db: Queryable): string[] {
  const sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type = 'index'";
  return db.all<{ sql: string }>(sql).map((row) => row.sql);
}

/** Rows of each table, as samples of what the store holds. */
export class Samples {
  readonly #rows = new Map<string, Row[]>();

  /** Takes some rows of every table. */
  take(db: Queryable): void {
    for (const table of tablesOf(db)) {
      const rows = this.#rows.get(table) ?? [];
      rows.push(...db.all<Row>(`SELECT * FROM "${table}" LIMIT ?`, MAX_SAMPLES - rows.length));
      this.#rows.set(table, rows);
    }
  }

  /** Tables that never had a row. */
  missing(): string[] {
    return [...this.#rows].flatMap(([table, rows]) => (rows.length === 0 ? table : []));
  }

  /** The rows of a table. */
  of(table: string): readonly Row[] {
    return this.#rows.get(table) ?? [];
  }
}

/** A store in memory that plans are looked at on. Close it. */
export class PlanStore implements Queryable {
  readonly #db = new DatabaseSync(':memory:');

  /** @param schema as of {@link schemaOf} */
  constructor(schema: readonly string[]) {
    this.#db.exec(schema.join(';\n'));
  }

  all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#db.prepare(sql).all(...values) as Row[];
  }

  /**
   * Fills the tables with copies of the samples: thousands of rows, of several tenants, most of them alike. Ids and times differ from copy to
   * copy; everything else is as in the samples, so that it is valid.
   */
  fill(samples: Samples): void {
    // Copies refer to rows that are not there.
    this.#db.exec('PRAGMA foreign_keys=OFF; BEGIN');
    for (const table of tablesOf(this)) this.#fillTable(table, samples.of(table));
    this.#db.exec('COMMIT; PRAGMA foreign_keys=ON');
  }

  /** Gives the planner statistics. */
  analyse(): void {
    this.#db.exec('ANALYZE');
  }

  close(): void {
    this.#db.close();
  }

  #fillTable(table: string, samples: readonly Row[]): void {
    const columns = this.all<Column>(`PRAGMA table_xinfo("${table}")`).filter(({ hidden }) => hidden === 0);
    const names = columns.map(({ name }) => name);
    const unique = uniqueColumns(this, table, columns);
    const places = names.map(() => '?').join();
    const insert = this.#db.prepare(`INSERT OR IGNORE INTO "${table}" (${names.map((name) => `"${name}"`).join()}) VALUES (${places})`);
    for (const row of samples) insert.run(...names.map((name) => row[name] ?? null));
    for (let copy = 1; samples.length > 0 && copy <= ROWS; copy += 1) {
      const row = samples[copy % 10 < OF_TEN_ALIKE ? 0 : copy % samples.length] as Row;
      insert.run(...names.map((name) => copied(name, row[name] ?? null, copy, unique)));
    }
  }
}

/** Columns of a unique key that a copy must change, because nothing else in the key differs. */
function uniqueColumns(db: Queryable, table: string, columns: readonly Column[]): ReadonlySet<string> {
  const keys = [columns.filter(({ pk }) => pk > 0).map(({ name }) => name)];
  for (const index of db.all<{ name: string; unique: number }>(`PRAGMA index_list("${table}")`)) {
    if (index.unique === 1) keys.push(db.all<{ name: string }>(`PRAGMA index_info("${index.name}")`).map(({ name }) => name));
  }
  return new Set(keys.flatMap((key) => (key.some((name) => DISTINCT.test(name) && !GROUPS.test(name)) ? [] : key.slice(-1))));
}

function copied(name: string, value: SqlValue, copy: number, unique: ReadonlySet<string>): SqlValue {
  if (name === 'tenant_id' && typeof value === 'string' && copy % 10 >= OF_TEN_ALIKE) return `${value}-${copy % 5}`;
  if (!unique.has(name) && (GROUPS.test(name) || !DISTINCT.test(name))) return value;
  if (typeof value === 'number') return value + copy * 1000;
  return typeof value === 'string' ? `${value}-${copy}` : value;
}
