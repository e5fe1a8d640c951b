import { AppError } from '@parcelway/kernel/app-error';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { type CommitLoad, type CommitWait, commitDueAt, isCalm } from './commit-policy.ts';
import { LateFlush } from './late-flush.ts';
import { counted } from './operations.ts';
import { asStorageError, isDiskFailure } from './sqlite-errors.ts';
import { IdleCheckpoint, restartLog } from './write-ahead-log.ts';

/** How long a transaction may wait, and how it may run. */
export interface TransactionOptions extends CommitWait {
  /**
   * True when the work may run again after its writes were rolled back: it has no effect elsewhere that a second run would spoil. A group of
   * such transactions needs no savepoints. Default false.
   */
  readonly repeatable?: boolean;
  /**
   * True when the promise may resolve before the commit is on the disk: the writes survive the end of the process, but a loss of power
   * only after {@link GroupCommit.flushed}. For callers that get the work again until then. Unless the process is calm, a commit has many
   * transactions and is flushed with them. Default false. A transaction with `deferMs` does not hold up the process for its flush either, but it
   * resolves after it.
   */
  readonly flushLater?: boolean;
}

/** What {@link GroupCommit} works on. */
export interface GroupCommitOptions {
  readonly db: DatabaseSyncInstance;
  /** The main file. */
  readonly path: string;
  /** False when the file is open without full durability: then nothing is ever flushed. */
  readonly flushes: boolean;
  /** True when an earlier process left commits in the write-ahead log that may not be on the disk. */
  readonly isLogLeft: boolean;
  /** Decides how long transactions wait. */
  readonly load: CommitLoad;
}

interface Pending {
  readonly work: () => unknown;
  readonly repeatable: boolean;
  readonly flushLater: boolean;
  /** True when nobody waits for the outcome. */
  readonly deferred: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** The statements that begin and end transactions: prepared, they are not parsed each time. */
type Controls = Readonly<Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo', StatementSyncInstance>>;

/** Transactions beyond this number wait for the next commit, so that one commit stays short. */
const MAX_GROUP = 512;
const NOT_SYNCHRONOUS = 'transaction work must be synchronous';

function prepareControls(db: DatabaseSyncInstance): Controls {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT entry'),
    release: db.prepare('RELEASE entry'),
    rollbackTo: db.prepare('ROLLBACK TO entry'),
  };
}

/**
 * The write path of one file: collects transactions, commits those of one moment together, and resolves each of them. A transaction passes
 * {@link transact}, which plans the commit (commit-policy), and is run by `#commitGroup` in a later turn of the event loop.
 */
export class GroupCommit {
  /** True while the work of a transaction runs. Only read from outside. */
  isWriting = false;
  /** How often writes were rolled back. Only read from outside. */
  rollbacks = 0;
  readonly #options: GroupCommitOptions;
  readonly #lateFlush: LateFlush;
  readonly #idle: IdleCheckpoint;
  #controls: Controls | undefined;
  #pending: Pending[] = [];
  /** True while a commit is about to run that cannot be brought forward any more. */
  #scheduled = false;
  /** Set while a commit is put off. */
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** By the clock of {@link performance}. */
  #committedAt = Number.NEGATIVE_INFINITY;
  /** Whether the driver flushes commits now; undefined until it was set here. */
  #driverFlushes: boolean | undefined;
  #closed = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#lateFlush = new LateFlush({ path: options.path, checkpoint: () => restartLog(options.db) });
    this.#idle = new IdleCheckpoint(options.db, () => this.#lateFlush.failed());
    if (options.flushes && options.isLogLeft) this.#lateFlush.commits += 1;
  }

  /** See {@link SqliteDatabase.transaction}. */
  transact<T>(work: () => T, { repeatable = false, flushLater = false, patienceMs = 0, deferMs = 0 }: TransactionOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(AppError.unavailable('The store is closed'));
        return;
      }
      this.#pending.push({ work, repeatable, flushLater, deferred: deferMs > 0, resolve: resolve as Pending['resolve'], reject });
      const { load } = this.#options;
      const now = performance.now();
      if (deferMs === 0) load.arrived(now);
      if (this.#scheduled) return;
      const at = commitDueAt({ patienceMs, deferMs }, now, this.#committedAt, load.at(now));
      if (at >= this.#timerAt) return;
      clearTimeout(this.#timer);
      if (at > now) {
        this.#timerAt = at;
        this.#timer = setTimeout(() => this.#commitSoon(), at - now);
      } else this.#commitSoon();
    });
  }

  /**
   * Resolves once everything that is committed now is on the disk.
   * @throws AppError 50301 when the disk is out
   */
  async flushed(): Promise<void> {
    try {
      await this.#lateFlush.flushed();
    } catch (error) {
      throw AppError.unavailable('The store cannot be used now; try again', error);
    }
  }

  /** Commits what is pending, and accepts nothing more. The file can be closed then. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closed = true;
    while (this.#pending.length > 0) this.#commitGroup();
    this.#idle.stop();
    this.#controls = undefined;
  }

  /** Call it once the file is closed: everything is on the disk. */
  closed(): void {
    void this.#lateFlush.close();
  }

  #commitSoon(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#commitGroup();
      this.#committedAt = performance.now();
      this.#idle.committedAt = this.#committedAt;
      if (!this.#idle.isPlanned) this.#idle.plan();
      if (this.#pending.length > 0) this.#commitSoon();
    });
  }

  /** Commits the transactions that came first, and gives each its outcome. */
  #commitGroup(): void {
    const group = this.#pending.slice(0, MAX_GROUP);
    this.#pending = this.#pending.slice(MAX_GROUP);
    if (group.length === 0) return;
    if (this.#lateFlush.hasFailed && !this.#recover(group)) return;
    const { flushes, load } = this.#options;
    // Where nobody waits for the disk, the event loop does not either. Only in a calm process: in others a commit has many transactions.
    const mayBeLate = flushes && !this.#closed && group.every(({ flushLater, deferred }) => flushLater || deferred);
    const isLate = mayBeLate && isCalm(load.at(performance.now()));
    // Savepoints copy every page that is written, once for each of them, and transactions seldom fail: so without them first.
    const needsSavepoints = group.length > 1 && !group.every(({ repeatable }) => repeatable);
    const outcomes = this.#write(group, flushes && !isLate, needsSavepoints);
    if (isLate) this.#lateFlush.commits += 1;
    for (const [index, { flushLater, resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (!outcome.ok) reject(outcome.error);
      else if (isLate && !flushLater) this.flushed().then(() => resolve(outcome.value), reject);
      else resolve(outcome.value);
    }
  }

  /** Repairs the log after a failed flush: nothing may be committed before. @returns false when that failed and the group with it */
  #recover(group: readonly Pending[]): boolean {
    try {
      this.#lateFlush.recover();
      return true;
    } catch (error) {
      const failure = AppError.unavailable('The store cannot be used now; try again', error);
      for (const { reject } of group) reject(failure);
      return false;
    }
  }

  /**
   * Runs the transactions in order and commits them, each as if it were alone.
   * @param flush true to bring the commit to the disk, false to leave it in the write-ahead log for now
   * @param savepoints false to try without; when one fails, all are rolled back and run again with savepoints
   * @returns their outcomes, in the same order
   */
  #write(group: readonly Pending[], flush: boolean, savepoints: boolean): Outcome[] {
    const outcomes: Outcome[] = [];
    this.isWriting = true;
    try {
      this.#controls ??= prepareControls(this.#options.db);
      const { begin, commit } = this.#controls;
      if (flush !== this.#driverFlushes) {
        // Takes effect when it is parsed, so it cannot be prepared.
        this.#options.db.exec(`PRAGMA synchronous=${flush ? 'FULL' : 'NORMAL'}`);
        this.#driverFlushes = flush;
      }
      begin.run();
      for (const { work } of group) {
        if (savepoints) outcomes.push(this.#runInSavepoint(work, this.#controls));
        else {
          const value = work();
          if (value instanceof Promise) throw new Error(NOT_SYNCHRONOUS);
          outcomes.push({ ok: true, value });
        }
      }
      const begunAt = performance.now();
      commit.run();
      if (flush) this.#options.load.committed(performance.now() - begunAt);
      counted.commits += 1;
      return outcomes;
    } catch (error) {
      this.#rollback();
      const failure = asStorageError(error);
      if (failure === error && !savepoints && group.length > 1) return this.#write(group, flush, true);
      if (isDiskFailure(failure)) this.#lateFlush.failed();
      return group.map(() => ({ ok: false, error: failure }));
    } finally {
      this.isWriting = false;
    }
  }

  #runInSavepoint(work: () => unknown, { savepoint, release, rollbackTo }: Controls): Outcome {
    savepoint.run();
    try {
      const value = work();
      if (value instanceof Promise) throw new Error(NOT_SYNCHRONOUS);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // After a storage error the whole transaction may be gone: then the group fails together.
      if (asStorageError(error) !== error) throw error;
      this.rollbacks += 1;
      rollbackTo.run();
      release.run();
      return { ok: false, error };
    }
  }

  #rollback(): void {
    this.rollbacks += 1;
    try {
      this.#options.db.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself (SQLITE_FULL, SQLITE_IOERR); there is nothing left to undo.
    }
  }
}
