import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { countCommit, countStatement } from './operations.ts';

/** A value that binds to a placeholder. `Date` and `undefined` do not bind: convert them first. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Outcome of a statement that returns no rows. */
export interface RunResult {
  /** Rows inserted, changed or deleted. */
  readonly changes: number;
  readonly lastInsertRowid: number;
}

interface PendingTransaction {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** Transactions beyond this number wait for the next commit, so that one commit stays short. */
const MAX_GROUP = 512;

/** SQLite result code SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY (sqlite.org/rescode.html). */
const UNIQUE_CODES = new Set([2067, 1555]);
/**
 * Families of failures that are the disk's or another process's and pass: SQLITE_BUSY (a person or a backup holds the
 * file), SQLITE_READONLY (remounted after an error), SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN (no descriptors left).
 */
const STORAGE_CODES = new Set([5, 8, 10, 13, 14]);

function resultCode(error: unknown): number | undefined {
  const code = (error as { sqliteExtendedCode?: unknown } | null)?.sqliteExtendedCode;
  return typeof code === 'number' ? code : undefined;
}

/** True when `error` is a violated UNIQUE or PRIMARY KEY constraint; `column` narrows it to one column or index name. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  if (!UNIQUE_CODES.has(resultCode(error) ?? -1)) return false;
  return column === undefined || (error as Error).message.includes(column);
}

function asStorageError(error: unknown): unknown {
  const code = resultCode(error);
  if (code !== undefined && STORAGE_CODES.has(code & 0xff)) {
    return AppError.unavailable('The store cannot be used now; try again', error);
  }
  return error;
}

/**
 * One SQLite file in WAL mode with full durability, and the only place that knows the driver.
 *
 * Writes go through {@link transaction}: transactions that arrive in the same turn of the event loop are committed
 * together (group commit), each in a savepoint of its own, so that one failing leaves the others untouched. A promise
 * resolves only after the commit is on disk. Reads are immediate and see committed state.
 */
export class SqliteDatabase {
  readonly #path: string;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, StatementSyncInstance>();
  #pending: PendingTransaction[] = [];
  #scheduled = false;
  #closed = false;
  #inTransaction = false;

  /**
   * Opens or creates the file.
   * @param path file path, or `:memory:`
   * @param options.synchronous `full` (default) survives power loss; `normal` survives a crash of the process
   */
  constructor(path: string, options: { readonly synchronous?: 'full' | 'normal' } = {}) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(
      `PRAGMA journal_mode=WAL; PRAGMA synchronous=${options.synchronous ?? 'full'}; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=2000; PRAGMA temp_store=MEMORY`,
    );
  }

  /**
   * Brings the schema up to date. Each entry is one script; the index of the last applied one is kept in the file.
   * Entries are append-only: an entry that has shipped is never edited.
   * @throws Error when the file was written by a newer version
   */
  migrate(scripts: readonly string[]): void {
    const row = this.#db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (row.user_version > scripts.length) {
      throw new Error(
        `The file ${this.#path} was written by a newer version (schema ${row.user_version}, this one knows ${scripts.length}). Run the newer version, or restore a backup.`,
      );
    }
    for (let version = row.user_version; version < scripts.length; version += 1) {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        this.#db.exec(scripts[version] as string);
        this.#db.exec(`PRAGMA user_version=${version + 1}`);
        this.#db.exec('COMMIT');
      } catch (error) {
        this.#db.exec('ROLLBACK');
        throw error;
      }
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

  /** Texts of the statements that were run so far, so that a test can look at their plans (see full-scans). */
  statements(): string[] {
    return [...this.#statements.keys()];
  }

  /**
   * Runs a statement that writes. Only inside {@link transaction}.
   * @throws the driver's error; test it with {@link isUniqueViolation}
   */
  run(sql: string, ...values: SqlValue[]): RunResult {
    if (!this.#inTransaction) throw new Error('SqliteDatabase.run is only allowed inside transaction()');
    const result = this.#statement(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  }

  /**
   * Runs `work` in the next group commit and resolves with its value once it is durable.
   * @param work synchronous; whatever it throws rolls back its own writes only and rejects the promise
   * @throws AppError 50301 when the disk is full or failing, or another process holds the file
   */
  transaction<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(AppError.unavailable('The store is closed'));
        return;
      }
      this.#pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    if (this.#closed) return;
    while (this.#pending.length > 0) this.#commitGroup();
    this.#closed = true;
    this.#statements.clear();
    // Prepared statements keep the driver from tidying up at close: without this, what was committed last stays in the
    // -wal file, and a copy of the main file alone would lack it.
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }

  /** In a transaction the driver's own error goes through: the group has to know that it was the disk. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#inTransaction ? error : asStorageError(error);
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#commitGroup();
      if (this.#pending.length > 0) this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#pending.slice(0, MAX_GROUP);
    this.#pending = this.#pending.slice(MAX_GROUP);
    if (group.length === 0) return;
    const outcomes: Outcome[] = [];
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      this.#inTransaction = true;
      for (const entry of group) outcomes.push(this.#runInSavepoint(entry.work));
      this.#db.exec('COMMIT');
      countCommit();
    } catch (error) {
      this.#rollback();
      const failure = asStorageError(error);
      for (const entry of group) entry.reject(failure);
      return;
    } finally {
      this.#inTransaction = false;
    }
    group.forEach((entry, index) => {
      const outcome = outcomes[index] as Outcome;
      if (outcome.ok) entry.resolve(outcome.value);
      else entry.reject(outcome.error);
    });
  }

  #runInSavepoint(work: () => unknown): Outcome {
    this.#db.exec('SAVEPOINT entry');
    try {
      const value = work();
      if (value instanceof Promise) throw new Error('transaction work must be synchronous');
      this.#db.exec('RELEASE entry');
      return { ok: true, value };
    } catch (error) {
      const failure = asStorageError(error);
      // After a storage error the whole transaction may be gone: let the group fail together.
      if (failure !== error) throw error;
      this.#db.exec('ROLLBACK TO entry; RELEASE entry');
      return { ok: false, error };
    }
  }

  #rollback(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself (SQLITE_FULL, SQLITE_IOERR); there is nothing left to undo.
    }
  }

  /** For one run of it: that is counted here. */
  #statement(sql: string): StatementSyncInstance {
    countStatement();
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
