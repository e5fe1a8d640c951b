import { SqliteDatabase, type SqlValue } from '../database.ts';
import { PlanStore, Samples, schemaOf } from './filled-store.ts';
import { literalsNotRun } from './sql-literals.ts';
import { wastedRows } from './wasted-rows.ts';

/** Statements that may read more rows than they return: a text within each → why that does no harm. */
export type Exceptions = Readonly<Record<string, string>>;

/** Tables that each store has; the suites of the data of tenants write to them. */
const TENANT_TABLES: readonly string[] = ['erased_tenants'];

/** Part of statements on a table that a store has for moments only, when the schema is looked at no more (secure-delete.ts). Its rows are taken by their key. */
const PASSING = /\bfree_pages\b/;

/** Values of a statement that are tried, at most: with statistics, a plan depends on them. */
const MAX_VALUES = 4;

/** Remembers every statement with its values, and hands itself over before it is closed. */
class RecordedDatabase extends SqliteDatabase {
  readonly #record: (sql: string, values: readonly SqlValue[]) => void;
  readonly #closing: (db: SqliteDatabase) => void;

  constructor(path: string, record: (sql: string, values: readonly SqlValue[]) => void, closing: (db: SqliteDatabase) => void) {
    super(path);
    this.#record = record;
    this.#closing = closing;
  }

  override get<Row extends object>(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#record(sql, values);
    return super.get(sql, ...values);
  }

  override all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
    this.#record(sql, values);
    return super.all(sql, ...values);
  }

  override run(sql: string, ...values: SqlValue[]): ReturnType<SqliteDatabase['run']> {
    this.#record(sql, values);
    return super.run(sql, ...values);
  }

  override close(): void {
    this.#closing(this);
    super.close();
  }
}

/**
 * Checks the plans of the statements of a store. Run its conformance suite on databases from {@link open}; then {@link findings} explains each
 * statement that ran, on an empty store and on a filled one, with and without the statistics of `ANALYZE`.
 */
export class QueryPlans {
  readonly #sources: readonly URL[];
  readonly #exceptions: Exceptions;
  readonly #elsewhere: readonly string[];
  readonly #statements = new Map<string, SqlValue[][]>();
  readonly #samples = new Samples();
  #schema: readonly string[] = [];
  #isRecording = true;

  /**
   * @param sources files whose SQL the suite must run
   * @param exceptions of this store
   * @param elsewhere tables that the suite of another store writes to
   */
  constructor(sources: readonly URL[], exceptions: Exceptions = {}, elsewhere: readonly string[] = []) {
    this.#sources = sources;
    this.#exceptions = exceptions;
    this.#elsewhere = elsewhere;
  }

  /** Opens a database for the suite; its statements and some of its rows are kept when it is closed. */
  open(path = ':memory:'): SqliteDatabase {
    return new RecordedDatabase(
      path,
      (sql, values) => this.#record(sql, values),
      (db) => this.#keep(db),
    );
  }

  /** What is wrong, one line each: statements that read too much, SQL that no test ran, tables without a row, exceptions that nothing needs. */
  findings(): string[] {
    const needed = new Set<string>();
    const found = new Map<string, string[]>();
    for (const [state, db] of this.#stores()) {
      for (const [sql, all] of this.#statements) {
        for (const values of all) {
          const waste = wastedRows(db, sql, values);
          const exception = this.#exceptionOf(sql);
          if (waste.length > 0 && exception !== undefined) needed.add(exception);
          else for (const one of waste) addTo(found, `${one}: ${flat(sql)}`, state);
        }
      }
      db.close();
    }
    const notRun = literalsNotRun(this.#sources, [...this.#statements.keys()]);
    const unneeded = Object.keys(this.#exceptions).filter((text) => !needed.has(text));
    return [
      ...[...found].map(([text, states]) => `${text} [${states.join(', ')}]`),
      ...notRun.map((text) => `not run: ${text}`),
      ...this.#samples
        .missing()
        .filter((table) => !this.#elsewhere.includes(table) && !TENANT_TABLES.includes(table))
        .map((table) => `table without a row: ${table}`),
      ...unneeded.map((text) => `exception that nothing needs: ${text}`),
    ];
  }

  #stores(): (readonly [string, PlanStore])[] {
    const [empty, filled, analysed] = [1, 2, 3].map(() => new PlanStore(this.#schema)) as [PlanStore, PlanStore, PlanStore];
    filled.fill(this.#samples);
    analysed.fill(this.#samples);
    analysed.analyse();
    return [
      ['empty', empty],
      ['filled', filled],
      ['filled and analysed', analysed],
    ];
  }

  #record(sql: string, values: readonly SqlValue[]): void {
    if (!this.#isRecording || !/^\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i.test(sql) || PASSING.test(sql)) return;
    const known = this.#statements.get(sql);
    if (known === undefined) this.#statements.set(sql, [[...values]]);
    else if (known.length < MAX_VALUES) known.push([...values]);
  }

  #keep(db: SqliteDatabase): void {
    this.#isRecording = false;
    this.#schema = schemaOf(db);
    this.#samples.take(db);
    this.#isRecording = true;
  }

  #exceptionOf(sql: string): string | undefined {
    const isOf = (text: string): boolean => flat(sql).includes(flat(text));
    return Object.keys(this.#exceptions).find(isOf);
  }
}

function addTo(found: Map<string, string[]>, text: string, state: string): void {
  const states = found.get(text) ?? [];
  if (!states.includes(state)) found.set(text, [...states, state]);
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
