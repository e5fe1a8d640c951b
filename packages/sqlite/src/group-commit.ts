import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { PendingTransaction } from './commit-schedule.ts';
import type { LateFlush } from './late-flush.ts';
import { counted } from './operations.ts';
import { asStorageError, isDiskFailure, storeFailure } from './sqlite-errors.ts';
import { IdleCheckpoint } from './write-ahead-log.ts';

/** What {@link GroupCommit} works on. */
export interface GroupCommitOptions {
  readonly db: DatabaseSyncInstance;
  /** False when the file is open without full durability: then nothing is ever flushed. */
  readonly flushes: boolean;
  readonly lateFlush: LateFlush;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** What became of a group. */
interface CommittedGroup {
  /** Of each transaction, in the same order. */
  readonly outcomes: readonly Outcome[];
  /** Milliseconds until the commit was on the disk; undefined when it was not flushed, or failed. */
  readonly durableMs?: number;
}

/** The statements that begin and end transactions: prepared, they are not parsed each time. */
type Controls = Readonly<Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo', StatementSyncInstance>>;

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

/** Commits groups of transactions of one file, each transaction as if it were alone. */
export class GroupCommit {
  /** True while the work of a transaction runs. Only read from outside. */
  isWriting = false;
  /** How often writes were rolled back. Only read from outside. */
  rollbacks = 0;
  readonly #options: GroupCommitOptions;
  readonly #idle: IdleCheckpoint;
  #controls: Controls | undefined;
  /** Whether the driver flushes commits now; undefined until it was set here. */
  #driverFlushes: boolean | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#idle = new IdleCheckpoint(options.db, () => options.lateFlush.failed());
  }

  /** Commits transactions, and gives each its outcome. See {@link CommitTogether}. */
  commit(group: readonly PendingTransaction[], isCalm: boolean): number | undefined {
    const { flushes, lateFlush } = this.#options;
    if (lateFlush.hasFailed && !this.#recover(group)) return undefined;
    // Where nobody waits for the disk, the event loop does not either. Only in a calm process: in others a commit has many transactions.
    const isLate = isCalm && flushes && group.every(({ flushLater, deferred }) => flushLater || deferred);
    // Savepoints copy every page that is written, once for each of them, and transactions seldom fail: so without them first.
    const needsSavepoints = group.length > 1 && !group.every(({ repeatable }) => repeatable);
    const { outcomes, durableMs } = this.#write(group, flushes && !isLate, needsSavepoints);
    if (isLate) lateFlush.commits += 1;
    for (const [index, { flushLater, resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (!outcome.ok) reject(outcome.error);
      else if (isLate && !flushLater) lateFlush.flushed().then(() => resolve(outcome.value), reject);
      else resolve(outcome.value);
    }
    this.#idle.committedAt = performance.now();
    if (!this.#idle.isPlanned) this.#idle.plan();
    return durableMs;
  }

  /** Stops what runs by itself, so that the file can be closed. */
  close(): void {
    this.#idle.stop();
    this.#controls = undefined;
  }

  /** Repairs the log after a failed flush: nothing may be committed before. @returns false when that failed and the group with it */
  #recover(group: readonly PendingTransaction[]): boolean {
    try {
      this.#options.lateFlush.recover();
      return true;
    } catch (error) {
      const failure = storeFailure(error);
      for (const { reject } of group) reject(failure);
      return false;
    }
  }

  /**
   * Runs the transactions in order and commits them.
   * @param flush true to bring the commit to the disk, false to leave it in the write-ahead log for now
   * @param savepoints false to try without; when one fails, all are rolled back and run again with savepoints
   */
  #write(group: readonly PendingTransaction[], flush: boolean, savepoints: boolean): CommittedGroup {
    const { db } = this.#options;
    const outcomes: Outcome[] = [];
    this.isWriting = true;
    try {
      this.#controls ??= prepareControls(db);
      const { begin, commit } = this.#controls;
      if (flush !== this.#driverFlushes) {
        // Takes effect when it is parsed, so it cannot be prepared.
        db.exec(`PRAGMA synchronous=${flush ? 'FULL' : 'NORMAL'}`);
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
      counted.commits += 1;
      return flush ? { outcomes, durableMs: performance.now() - begunAt } : { outcomes };
    } catch (error) {
      this.#rollback();
      const failure = asStorageError(error);
      if (failure === error && !savepoints && group.length > 1) return this.#write(group, flush, true);
      if (isDiskFailure(failure)) this.#options.lateFlush.failed();
      return { outcomes: group.map(() => ({ ok: false, error: failure })) };
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
