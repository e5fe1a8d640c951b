import { AppError } from '@parcelway/kernel/app-error';
import type { StatementSyncInstance } from '@photostructure/sqlite';
import { asStorageError } from './sqlite-errors.ts';
import { SqliteFile } from './sqlite-file.ts';

/** A value that binds to a placeholder. `Date` and `undefined` do not bind: convert them first. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Outcome of a statement that returns no rows. */
export interface RunResult {
  /** Rows inserted, changed or deleted. */
  readonly changes: number;
  readonly lastInsertRowid: number;
}

/** What the names of a service's tables begin with. */
export const prefixOf = (service: string): string => (service === '' ? '' : `${service.replaceAll('-', '_')}_`);

const nameIn = (statement: string): string => statement.split('"')[1] as string;
/** The table that an index or a further table belongs to. */
const firstOf = (name: string): string => name.split('__')[0] as string;

/** Makes tables: SQL, or what makes it from the prefix of their names. */
type SqlScript = string | ((prefix: string) => string);

/** How long a transaction may wait, and how it may run. */
export interface TransactionOptions {
  /**
   * Milliseconds by which the commit may be delayed, because nobody waits for the outcome. The transaction waits for half of this time, then
   * joins the next commit of the file. When the time is over, the schedule commits it. Default 0.
   */
  readonly deferMs?: number;
  /**
   * True when the work may run again after its writes were rolled back: it has no effect elsewhere that a second run would spoil. A group of
   * such transactions needs no savepoints. Default false.
   */
  readonly repeatable?: boolean;
  /**
   * True when the promise may resolve before the commit is on the disk: the writes survive the end of the process, but a loss of power
   * only after {@link SqliteDatabase.flushed}. For callers that get the work again until then. Default false.
   */
  readonly flushLater?: boolean;
}

/** Versions of the schemas in a file, of each service its own; the log has none of these names. */
const VERSIONS = 'CREATE TABLE IF NOT EXISTS schema_versions (service TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID';

/**
 * The tables of one service in a SQLite file, and with {@link SqliteFile} the only place that knows the driver.
 *
 * Writes go through {@link transaction}: transactions that arrive in the same turn of the event loop, of whichever service, are committed together (group
 * commit), each as if it were alone. A promise resolves only after the commit is on the disk, but for those that may be flushed later. Nothing waits for
 * the disk on the event loop. Reads are immediate and see committed state.
 */
export class SqliteDatabase {
  /** What the names of the service's tables begin with. */
  readonly prefix: string;
  readonly #service: string;
  readonly #file: SqliteFile;
  readonly #statements = new Map<string, StatementSyncInstance>();

  /**
   * @param file opened here when it is a path, or `:memory:`; then closed with this
   * @param service whose tables these are; default those that have no prefix
   */
  constructor(file: SqliteFile | string, service = '') {
    this.#file = typeof file === 'string' ? new SqliteFile(file) : file;
    this.#service = service;
    this.prefix = prefixOf(service);
    this.#file.onClose.push(() => this.#statements.clear());
  }

  /**
   * Brings the schema of the service up to date. The number of the last script that was applied is kept in the file.
   * Scripts are append-only: one that has shipped is never edited.
   * @throws Error when the file was written by a newer version, or is damaged
   */
  migrate(scripts: readonly SqlScript[]): void {
    this.#file.naming(() => this.#migrate(scripts));
  }

  #migrate(scripts: readonly SqlScript[]): void {
    const { db, path } = this.#file;
    const made = scripts.map((script) => (typeof script === 'string' ? script : script(this.prefix)));
    db.exec(VERSIONS);
    const row = db.prepare('SELECT version FROM schema_versions WHERE service = ?').get(this.#service) as { version: number } | undefined;
    const before = row?.version ?? 0;
    if (before > scripts.length) {
      throw new Error(
        `The file ${path} was written by a newer version (schema ${before}, this one knows ${scripts.length}). Run the newer version, or restore a backup.`,
      );
    }
    for (let version = before; version < made.length; version += 1)
      this.#make(() => {
        db.exec(made[version] as string);
        db.prepare('INSERT INTO schema_versions VALUES (?1, ?2) ON CONFLICT DO UPDATE SET version = ?2').run(this.#service, version + 1);
      });
  }

  /**
   * Makes the tables and indexes that the file lacks, makes an index again when its declaration has changed, and drops one that is no longer declared.
   * @param declared statements for a prefix: each makes a table, an index, or, named `table__…`, a further table that is filled with the first
   * @throws Error when a table has another shape, or other further tables: another version has made it
   */
  declare(declared: (prefix: string) => readonly string[]): void {
    this.#file.naming(() => this.#declare(declared(this.prefix)));
  }

  #declare(statements: readonly string[]): void {
    const { db, path } = this.#file;
    const found = db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL').all() as { name: string; sql: string }[];
    const made = new Map(found.map(({ name, sql }) => [name, sql]));
    const lacking = statements.map((sql) => ({ sql, name: nameIn(sql) })).filter(({ sql, name }) => made.get(name) !== sql);
    const names = new Set(statements.map(nameIn));
    const surplus = found.filter(({ name }) => name.includes('__') && !names.has(name) && names.has(firstOf(name)));
    for (const { sql, name } of [...lacking, ...surplus])
      if (sql.startsWith('CREATE TABLE') && made.has(firstOf(name)))
        throw new Error(
          `Another version of the platform made the table ${name} in ${path}, or the data that it needs. Run that version, or start with an empty DATA_DIR.`,
        );
    if (lacking.length === 0 && surplus.length === 0) return;
    this.#make(() => {
      for (const { name } of surplus) db.exec(`DROP INDEX "${name}"`);
      for (const { sql, name } of lacking) db.exec(made.has(name) ? `DROP INDEX "${name}"; ${sql}` : sql);
    });
  }

  /** Changes the schema, as a whole or not at all. */
  #make(change: () => void): void {
    const { db, lateFlush } = this.#file;
    db.exec('BEGIN IMMEDIATE');
    try {
      change();
      db.exec('COMMIT');
      lateFlush.committed();
    } catch (error) {
      // SQLite itself has rolled back when the disk is full.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /** First row of a query, or undefined. Column names as in the SQL; blobs are Uint8Array. @throws AppError 50301 when the disk is out */
  get<Row extends object>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#reading(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** All rows of a query. Bound the result with LIMIT in the SQL. @throws AppError 50301 when the disk is out */
  all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#reading(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Rises whenever writes are rolled back: what a caller remembered of them, read or counted in the meantime, may be wrong then. */
  get rollbacks(): number {
    return this.#file.commits.rollbacks;
  }

  /**
   * Runs a statement that writes. Only inside {@link transaction}.
   * @throws the driver's error
   */
  run(sql: string, ...values: SqlValue[]): RunResult {
    if (!this.#file.commits.isWriting) throw new Error('SqliteDatabase.run is only allowed inside transaction()');
    const result = this.#statement(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  }

  /** Calls back once the transaction whose work runs now is on the disk; not at all when it is undone. Only inside {@link transaction}. */
  afterCommit(callback: () => void): void {
    this.#file.commits.afterCommit(callback);
  }

  /**
   * Runs `work` in the next group commit and resolves with its value once it is durable, and all that was committed before.
   * @param work synchronous; whatever it throws rolls back its own writes only and rejects the promise
   * @throws AppError 50301 when the disk is full or failing, or another process holds the file. When the disk failed the writes may have been made
   */
  transaction<T>(work: () => T, { repeatable = false, flushLater = false, deferMs = 0 }: TransactionOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#file.isClosed) {
        reject(AppError.unavailable('The store is closed'));
        return;
      }
      this.#file.transaction({ work, repeatable, flushLater, resolve: resolve as (value: unknown) => void, reject }, deferMs);
    });
  }

  /**
   * Resolves once everything that is committed now is on the disk; at once when it is. Whoever shows others what a transaction with
   * `flushLater` wrote waits for it after reading.
   * @throws AppError 50301 when the disk is out
   */
  flushed(): Promise<void> {
    return this.#file.lateFlush.flushed();
  }

  /** Empties the write-ahead log, where pages stay as they were before they were overwritten. @throws AppError 50301 when another process reads it, or the disk is out */
  emptyLog(): Promise<void> {
    return this.#file.checkpoints.empty();
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    this.#file.close();
  }

  /** In a transaction the driver's own error goes through: the group has to know that it was the disk. */
  #reading<T>(read: () => T): T {
    try {
      return this.#file.naming(read);
    } catch (error) {
      throw this.#file.commits.isWriting ? error : asStorageError(error);
    }
  }

  /** The prepared statement of a query or write. */
  #statement(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#file.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
