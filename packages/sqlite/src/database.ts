import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { CommitLoad, CommitSchedule, type CommitWait } from './commit-schedule.ts';
import { GroupCommit } from './group-commit.ts';
import { hasLeftLog, LateFlush } from './late-flush.ts';
import { counted } from './operations.ts';
import { asStorageError, namingDamaged, storeFailure } from './sqlite-errors.ts';
import { openingPragmas, restartLog } from './write-ahead-log.ts';

/** A value that binds to a placeholder. `Date` and `undefined` do not bind: convert them first. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Outcome of a statement that returns no rows. */
export interface RunResult {
  /** Rows inserted, changed or deleted. */
  readonly changes: number;
  readonly lastInsertRowid: number;
}

/** How long a transaction may wait, and how it may run. */
export interface TransactionOptions extends CommitWait {
  /**
   * True when the work may run again after its writes were rolled back: it has no effect elsewhere that a second run would spoil. A group of
   * such transactions needs no savepoints. Default false.
   */
  readonly repeatable?: boolean;
  /**
   * True when the promise may resolve before the commit is on the disk: the writes survive the end of the process, but a loss of power
   * only after {@link SqliteDatabase.flushed}. For callers that get the work again until then. Unless the process is calm, a commit has many
   * transactions and is flushed with them. Default false. A transaction with `deferMs` does not hold up the process for its flush either, but it
   * resolves after it.
   */
  readonly flushLater?: boolean;
}

/** Of all files of this process: they share its event loop. */
const processLoad = new CommitLoad();

/**
 * One SQLite file in WAL mode with full durability, and the only place that knows the driver.
 *
 * Writes go through {@link transaction}: transactions that arrive in the same turn of the event loop, or within the
 * wait of all of them (see commit-schedule), are committed together (group commit), each in a savepoint of its own, so that one failing
 * leaves the others untouched. A promise resolves only after the commit is on disk, but for those that may be flushed later. Reads are
 * immediate and see committed state.
 */
export class SqliteDatabase {
  readonly #path: string;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #commits: GroupCommit;
  readonly #schedule: CommitSchedule;
  readonly #lateFlush: LateFlush;
  #closed = false;

  /**
   * Opens or creates the file.
   * @param path file path, or `:memory:`
   * @param options.synchronous `full` (default) survives power loss; `normal` survives a crash of the process
   * @param options.load decides how long transactions wait; default that of the process
   */
  constructor(path: string, options: { readonly synchronous?: 'full' | 'normal'; readonly load?: CommitLoad } = {}) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    const isLogLeft = hasLeftLog(path);
    this.#db = new DatabaseSync(path);
    const { synchronous = 'full', load = processLoad } = options;
    this.#naming(() => this.#db.exec(openingPragmas(synchronous)));
    const flushes = synchronous === 'full' && path !== ':memory:';
    this.#lateFlush = new LateFlush({ path, checkpoint: () => restartLog(this.#db) });
    if (flushes && isLogLeft) this.#lateFlush.commits += 1;
    this.#commits = new GroupCommit({ db: this.#db, flushes, lateFlush: this.#lateFlush });
    this.#schedule = new CommitSchedule(load, (group, isCalm) => this.#commits.commit(group, isCalm));
  }

  /**
   * Brings the schema up to date. Each entry is one script; the index of the last applied one is kept in the file.
   * Entries are append-only: an entry that has shipped is never edited.
   * @throws Error when the file was written by a newer version, or is damaged
   */
  migrate(scripts: readonly string[]): void {
    this.#naming(() => this.#migrate(scripts));
  }

  #migrate(scripts: readonly string[]): void {
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
        // SQLite itself has rolled back when the disk is full.
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
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

  /** Rises whenever writes are rolled back: what a caller remembered of them, read or counted in the meantime, may be wrong then. */
  get rollbacks(): number {
    return this.#commits.rollbacks;
  }

  /**
   * Runs a statement that writes. Only inside {@link transaction}.
   * @throws the driver's error; test it with sqlite-errors isUniqueViolation
   */
  run(sql: string, ...values: SqlValue[]): RunResult {
    if (!this.#commits.isWriting) throw new Error('SqliteDatabase.run is only allowed inside transaction()');
    const result = this.#statement(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  }

  /**
   * Runs `work` in the next group commit and resolves with its value once it is durable.
   * @param work synchronous; whatever it throws rolls back its own writes only and rejects the promise
   * @throws AppError 50301 when the disk is full or failing, or another process holds the file
   */
  transaction<T>(work: () => T, options: TransactionOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(AppError.unavailable('The store is closed'));
        return;
      }
      const { repeatable = false, flushLater = false, deferMs = 0 } = options;
      const outcome = {
        resolve: resolve as (value: unknown) => void,
        reject: (error: unknown) => reject(namingDamaged(error, this.#path)),
      };
      this.#schedule.add({ work, repeatable, flushLater, deferred: deferMs > 0, ...outcome }, options);
    });
  }

  /**
   * Resolves once everything that is committed now is on the disk; at once when it is. Whoever shows others what a transaction with
   * `flushLater` wrote waits for it after reading.
   * @throws AppError 50301 when the disk is out
   */
  flushed(): Promise<void> {
    return this.#lateFlush.flushed();
  }

  /** Empties the write-ahead log, where pages stay as they were before they were overwritten. @throws AppError 50301 when another process reads it, or the disk is out */
  emptyLog(): void {
    try {
      restartLog(this.#db, 'TRUNCATE');
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#schedule.close();
    this.#commits.close();
    this.#statements.clear();
    // Prepared statements keep the driver from tidying up at close: without this, what was committed last stays in the
    // -wal file, and a copy of the main file alone would lack it.
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#db.close();
    // Everything is on the disk.
    void this.#lateFlush.close();
  }

  /** In a transaction the driver's own error goes through: the group has to know that it was the disk. */
  #reading<T>(read: () => T): T {
    try {
      return this.#naming(read);
    } catch (error) {
      throw this.#commits.isWriting ? error : asStorageError(error);
    }
  }

  #naming<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw namingDamaged(error, this.#path);
    }
  }

  /** The prepared statement of a query or write, which is counted. */
  #statement(sql: string): StatementSyncInstance {
    counted.statements += 1;
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
