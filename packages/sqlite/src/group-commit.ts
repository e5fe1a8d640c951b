import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { PendingTransaction } from './commit-schedule.ts';
import type { LateFlush } from './late-flush.ts';
import { asStorageError, isDiskFailure, storeFailure } from './sqlite-errors.ts';

/** What {@link GroupCommit} works on. */
export interface GroupCommitOptions {
  readonly db: DatabaseSyncInstance;
  readonly lateFlush: LateFlush;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** The statements that begin and end transactions: prepared, they are not parsed each time. */
type Controls = Readonly<Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo' | 'changes', StatementSyncInstance>>;

/** So long after a failed flush another one is tried. */
const RETRY_MS = 1000;

const NOT_SYNCHRONOUS = 'transaction work must be synchronous';

function prepareControls(db: DatabaseSyncInstance): Controls {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT entry'),
    release: db.prepare('RELEASE entry'),
    rollbackTo: db.prepare('ROLLBACK TO entry'),
    changes: db.prepare('SELECT total_changes() AS count'),
  };
}

/** Commits groups of transactions of one file, each transaction as if it were alone. */
export class GroupCommit {
  /** True while the work of a transaction runs. Only read from outside. */
  isWriting = false;
  /** How often writes were rolled back. Only read from outside. */
  rollbacks = 0;
  readonly #options: GroupCommitOptions;
  #controls: Controls | undefined;
  /** Of the transactions that are written now. */
  #callbacks: (() => void)[] = [];
  /** Of committed transactions that a flush has failed for, in order. */
  readonly #unflushed: (() => void)[] = [];
  #retry: NodeJS.Timeout | undefined;
  /** Rows that this connection had changed when it committed last. */
  #changes = 0;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Calls back once the transaction whose work runs is on the disk; not at all when it is undone. */
  afterCommit(callback: () => void): void {
    if (!this.isWriting) throw new Error('afterCommit is only allowed inside a transaction');
    this.#callbacks.push(callback);
  }

  /** Commits transactions, and gives each its outcome: those that wait for the disk, once the commit is there. */
  commit(group: readonly PendingTransaction[]): void {
    const { lateFlush } = this.#options;
    if (lateFlush.hasFailed && !this.#recover(group)) return;
    // Savepoints copy every page that is written, once for each of them, and transactions seldom fail: so without them first.
    const outcomes = this.#write(group, group.length > 1 && !group.every(({ repeatable }) => repeatable));
    const callbacks = this.#callbacks;
    const waiting: ((error?: unknown) => void)[] = [];
    for (const [index, { flushLater, resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (!outcome.ok) reject(outcome.error);
      else if (flushLater) resolve(outcome.value);
      else waiting.push((error) => (error === undefined ? resolve(outcome.value) : reject(error)));
    }
    if (waiting.length + callbacks.length === 0) return;
    this.#flushFor(callbacks, (error) => {
      for (const end of waiting) end(error);
    });
  }

  /** Forgets its statements, so that the file can be closed. */
  close(): void {
    this.#controls = undefined;
    clearTimeout(this.#retry);
  }

  /** Brings everything to the disk, calls back, and says what came of it. After a failure the callbacks wait for a flush that succeeds. */
  #flushFor(callbacks: readonly (() => void)[], end: (error?: unknown) => void): void {
    const succeed = (): void => {
      for (const callback of [...this.#unflushed.splice(0), ...callbacks]) callback();
      end();
    };
    const fail = (error: unknown): void => {
      this.#unflushed.push(...callbacks);
      // There may be no other commit that flushes.
      clearTimeout(this.#retry);
      if (this.#unflushed.length > 0) this.#retry = setTimeout(() => this.#flushFor([], () => undefined), RETRY_MS).unref();
      end(error);
    };
    void this.#options.lateFlush.flushed().then(succeed, fail);
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
   * @param savepoints false to try without; when one fails, all are rolled back and run again with savepoints
   */
  #write(group: readonly PendingTransaction[], savepoints: boolean): readonly Outcome[] {
    const { db, lateFlush } = this.#options;
    const outcomes: Outcome[] = [];
    this.#callbacks = [];
    this.isWriting = true;
    try {
      this.#controls ??= prepareControls(db);
      const { begin, commit, changes } = this.#controls;
      begin.run();
      for (const { work } of group) {
        if (savepoints) outcomes.push(this.#runInSavepoint(work, this.#controls));
        else {
          const value = work();
          if (value instanceof Promise) throw new Error(NOT_SYNCHRONOUS);
          outcomes.push({ ok: true, value });
        }
      }
      commit.run();
      const { count } = changes.get() as { count: number };
      if (count !== this.#changes) lateFlush.committed();
      this.#changes = count;
      return outcomes;
    } catch (error) {
      this.#rollback();
      this.#callbacks = [];
      const failure = asStorageError(error);
      if (failure === error && !savepoints && group.length > 1) return this.#write(group, true);
      if (isDiskFailure(failure)) lateFlush.failed();
      return group.map(() => ({ ok: false, error: failure }));
    } finally {
      this.isWriting = false;
    }
  }

  #runInSavepoint(work: () => unknown, { savepoint, release, rollbackTo }: Controls): Outcome {
    savepoint.run();
    const { length } = this.#callbacks;
    try {
      const value = work();
      if (value instanceof Promise) throw new Error(NOT_SYNCHRONOUS);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // After a storage error the whole transaction may be gone: then the group fails together.
      if (asStorageError(error) !== error) throw error;
      this.rollbacks += 1;
      this.#callbacks.length = length;
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
