import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { CommitLoad, type CommitWait, commitDueAt, isCalm } from './commit-policy.ts';
import { type GroupEntry, GroupWriter, type Outcome } from './group-writer.ts';
import { hasLeftLog, LateFlush } from './late-flush.ts';
import { countStatement } from './operations.ts';
import { asStorageError, isDiskFailure } from './sqlite-errors.ts';
import { BUSY_TIMEOUT_MS, IdleCheckpoint, openingPragmas } from './write-ahead-log.ts';

/** A value that binds to a placeholder. `Date` and `undefined` do not bind: convert them first. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Outcome of a statement that returns no rows. */
export interface RunResult {
  /** Rows inserted, changed or deleted. */
  readonly changes: number;
  readonly lastInsertRowid: number;
}

/** How a transaction may be put off, and run. */
export interface TransactionOptions extends CommitWait {
  /**
   * True when the work may run again after what it wrote was undone: it leaves nothing behind elsewhere that a second run would spoil. A group of
   * such transactions is spared the savepoints. Default false.
   */
  readonly repeatable?: boolean;
  /**
   * True when the promise may resolve before the commit is on the disk: what was written survives the end of the process, but a loss of power
   * only after {@link SqliteDatabase.flushed}. For whoever gets the work again until then. Unless the process is calm, a commit has many
   * transactions and is flushed with them. Default false. A transaction with `deferMs` does not hold up the process for its flush either, but it
   * resolves after it.
   */
  readonly flushLater?: boolean;
}

interface PendingTransaction extends GroupEntry {
  readonly flushLater: boolean;
  /** True when nobody waits for the outcome. */
  readonly deferred: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Of all files of this process: they share its event loop. */
const processLoad = new CommitLoad();

/** Transactions beyond this number wait for the next commit, so that one commit stays short. */
const MAX_GROUP = 512;

/**
 * One SQLite file in WAL mode with full durability, and the only place that knows the driver.
 *
 * Writes go through {@link transaction}: transactions that arrive in the same turn of the event loop, or within the
 * wait of all of them (see commit-policy), are committed together (group commit), each in a savepoint of its own, so that one failing
 * leaves the others untouched. A promise resolves only after the commit is on disk, but for those that may be flushed later. Reads are
 * immediate and see committed state.
 */
export class SqliteDatabase {
  readonly #path: string;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #writer: GroupWriter;
  readonly #load: CommitLoad;
  /** False when the file is open without full durability: then nothing is ever flushed. */
  readonly #flushes: boolean;
  readonly #lateFlush: LateFlush;
  #pending: PendingTransaction[] = [];
  /** Set while a commit is to come, which nothing can bring forward any more. */
  #scheduled = false;
  /** Set while a commit is put off. */
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** By the clock of {@link performance}. */
  #committedAt = Number.NEGATIVE_INFINITY;
  readonly #idle = new IdleCheckpoint(() => this.#checkpointQuietly());
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
    this.#flushes = (options.synchronous ?? 'full') === 'full' && path !== ':memory:';
    this.#db.exec(openingPragmas(options.synchronous ?? 'full'));
    this.#load = options.load ?? processLoad;
    this.#lateFlush = new LateFlush({ path, checkpoint: () => this.#checkpointAll() });
    if (this.#flushes && isLogLeft) this.#lateFlush.committed();
    this.#writer = new GroupWriter(this.#db, (ms) => this.#load.committed(ms));
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

  /** Rises whenever something that was written is undone: what was remembered of it, read or counted in the meantime, may be wrong then. */
  get rollbacks(): number {
    return this.#writer.rollbacks;
  }

  /**
   * Runs a statement that writes. Only inside {@link transaction}.
   * @throws the driver's error; test it with sqlite-errors isUniqueViolation
   */
  run(sql: string, ...values: SqlValue[]): RunResult {
    if (!this.#writer.isWriting) throw new Error('SqliteDatabase.run is only allowed inside transaction()');
    const result = this.#statement(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  }

  /**
   * Runs `work` in the next group commit and resolves with its value once it is durable.
   * @param work synchronous; whatever it throws rolls back its own writes only and rejects the promise
   * @throws AppError 50301 when the disk is full or failing, or another process holds the file
   */
  transaction<T>(work: () => T, { repeatable = false, flushLater = false, ...wait }: TransactionOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(AppError.unavailable('The store is closed'));
        return;
      }
      this.#pending.push({
        work,
        repeatable,
        flushLater,
        deferred: (wait.deferMs ?? 0) > 0,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#schedule(wait);
    });
  }

  /**
   * Resolves once everything that is committed now is on the disk; at once when it is. Whoever shows others what a transaction with
   * `flushLater` wrote waits for it after reading.
   * @throws AppError 50301 when the disk is out
   */
  async flushed(): Promise<void> {
    try {
      await this.#lateFlush.flushed();
    } catch (error) {
      throw AppError.unavailable('The store cannot be used now; try again', error);
    }
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#closed = true;
    while (this.#pending.length > 0) this.#commitGroup();
    this.#idle.stop();
    this.#statements.clear();
    this.#writer.close();
    // Prepared statements keep the driver from tidying up at close: without this, what was committed last stays in the
    // -wal file, and a copy of the main file alone would lack it.
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#db.close();
    void this.#lateFlush.close();
  }

  /** In a transaction the driver's own error goes through: the group has to know that it was the disk. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#writer.isWriting ? error : asStorageError(error);
    }
  }

  #schedule(wait: CommitWait): void {
    const now = performance.now();
    if (!wait.deferMs) this.#load.arrived(now);
    if (this.#scheduled) return;
    const at = commitDueAt(wait, now, this.#committedAt, this.#load.at(now));
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    if (at > now) {
      this.#timerAt = at;
      this.#timer = setTimeout(() => this.#commitSoon(), at - now);
    } else this.#commitSoon();
  }

  #commitSoon(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#commitGroup();
      this.#committedAt = performance.now();
      this.#idle.committed(this.#committedAt);
      if (this.#pending.length > 0) this.#commitSoon();
    });
  }

  #commitGroup(): void {
    const group = this.#pending.slice(0, MAX_GROUP);
    this.#pending = this.#pending.slice(MAX_GROUP);
    if (group.length === 0) return;
    const isLate = this.#mayFlushLater(group);
    const outcomes = this.#commitBehindFlushed(group, this.#flushes && !isLate);
    if (isLate) this.#lateFlush.committed();
    group.forEach((entry, index) => {
      const outcome = outcomes[index] as Outcome;
      if (!outcome.ok) entry.reject(outcome.error);
      else if (isLate && !entry.flushLater) this.flushed().then(() => entry.resolve(outcome.value), entry.reject);
      else entry.resolve(outcome.value);
    });
  }

  /** Where nobody waits for the disk, the event loop does not either. Only a calm process: in others a commit has many transactions, and is flushed with them. */
  #mayFlushLater(group: readonly PendingTransaction[]): boolean {
    if (!this.#flushes || this.#closed || !isCalm(this.#load.at(performance.now()))) return false;
    return group.every(({ flushLater, deferred }) => flushLater || deferred);
  }

  #commitBehindFlushed(group: readonly GroupEntry[], flush: boolean): Outcome[] {
    try {
      this.#lateFlush.makeUp();
    } catch (error) {
      const failure: Outcome = { ok: false, error: AppError.unavailable('The store cannot be used now; try again', error) };
      return group.map(() => failure);
    }
    const outcomes = this.#writer.commit(group, flush);
    if (outcomes.some((outcome) => !outcome.ok && isDiskFailure(outcome.error))) this.#lateFlush.failed();
    return outcomes;
  }

  /** So that the next commit begins the log anew: none may stand behind what has got lost of it. Waits for nobody: nothing else runs meanwhile. */
  #checkpointAll(): void {
    this.#db.exec('PRAGMA busy_timeout=0');
    try {
      const { busy } = this.#db.prepare('PRAGMA wal_checkpoint(RESTART)').get() as { busy: number };
      if (busy !== 0) throw new Error('Another process reads the file, so its log cannot be moved');
    } finally {
      this.#db.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
    }
  }

  #checkpointQuietly(): void {
    try {
      this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // Nothing is lost by it: the log stays as it is. The next commit meets the same disk and says what is wrong with it.
      if (isDiskFailure(error)) this.#lateFlush.failed();
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
