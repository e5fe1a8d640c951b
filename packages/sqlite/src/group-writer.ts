import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { countCommit } from './operations.ts';
import { asStorageError } from './sqlite-errors.ts';

/** A transaction of a group. */
export interface GroupEntry {
  /** Synchronous; what it throws undoes what it wrote. */
  readonly work: () => unknown;
  /** True when it may run again after all of its group was undone. */
  readonly repeatable: boolean;
}

/** What became of a transaction. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

function synchronous(value: unknown): unknown {
  if (value instanceof Promise) throw new Error('transaction work must be synchronous');
  return value;
}

/** Commits groups of transactions: each group at once, each transaction in it as if it were alone. */
export class GroupWriter {
  readonly #db: DatabaseSyncInstance;
  readonly #controls = new Map<string, StatementSyncInstance>();
  readonly #onDurable: (ms: number) => void;
  #isWriting = false;
  #rollbacks = 0;
  /** What the driver is set to now; undefined until it was set here. */
  #flushes: boolean | undefined;

  /** @param onDurable told after each commit that was flushed how many milliseconds it took, the work of the transactions left out */
  constructor(db: DatabaseSyncInstance, onDurable: (ms: number) => void) {
    this.#db = db;
    this.#onDurable = onDurable;
  }

  /** True while the work of a transaction runs. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** How often something was undone. */
  get rollbacks(): number {
    return this.#rollbacks;
  }

  /**
   * Runs the transactions in order and commits them.
   * @param flush true to bring the commit to the disk, false to leave it in the write-ahead log for now
   * @returns their outcomes, in the same order
   */
  commit(group: readonly GroupEntry[], flush: boolean): Outcome[] {
    this.#isWriting = true;
    try {
      // Savepoints copy every page that is written, once for each of them, and transactions seldom fail: so without them first.
      const together = group.length === 1 || group.every(({ repeatable }) => repeatable) ? this.#commitAll(group, flush) : undefined;
      return together ?? this.#commitEach(group, flush);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Lets the prepared statements go. */
  close(): void {
    this.#controls.clear();
  }

  /** @returns undefined when one of several failed: then everything was undone */
  #commitAll(group: readonly GroupEntry[], flush: boolean): Outcome[] | undefined {
    try {
      this.#begin(flush);
      const outcomes = group.map(({ work }): Outcome => ({ ok: true, value: synchronous(work()) }));
      this.#end();
      return outcomes;
    } catch (error) {
      this.#rollback();
      const failure = asStorageError(error);
      if (group.length > 1 && failure === error) return undefined;
      return group.map(() => ({ ok: false, error: failure }));
    }
  }

  #commitEach(group: readonly GroupEntry[], flush: boolean): Outcome[] {
    try {
      this.#begin(flush);
      const outcomes = group.map(({ work }) => this.#runInSavepoint(work));
      this.#end();
      return outcomes;
    } catch (error) {
      this.#rollback();
      const failure: Outcome = { ok: false, error: asStorageError(error) };
      return group.map(() => failure);
    }
  }

  #begin(flush: boolean): void {
    this.#setFlush(flush);
    this.#control('BEGIN IMMEDIATE');
  }

  #end(): void {
    const begun = performance.now();
    this.#control('COMMIT');
    if (this.#flushes) this.#onDurable(performance.now() - begun);
    countCommit();
  }

  /** Takes effect when it is parsed, so it cannot be prepared. */
  #setFlush(flush: boolean): void {
    if (flush === this.#flushes) return;
    this.#db.exec(`PRAGMA synchronous=${flush ? 'FULL' : 'NORMAL'}`);
    this.#flushes = flush;
  }

  #runInSavepoint(work: () => unknown): Outcome {
    this.#control('SAVEPOINT entry');
    try {
      const value = synchronous(work());
      this.#control('RELEASE entry');
      return { ok: true, value };
    } catch (error) {
      // After a storage error the whole transaction may be gone: let the group fail together.
      if (asStorageError(error) !== error) throw error;
      this.#rollbacks += 1;
      this.#control('ROLLBACK TO entry');
      this.#control('RELEASE entry');
      return { ok: false, error };
    }
  }

  #rollback(): void {
    this.#rollbacks += 1;
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself (SQLITE_FULL, SQLITE_IOERR); there is nothing left to undo.
    }
  }

  /** Runs what begins or ends a transaction: prepared, it is not parsed each time. */
  #control(sql: string): void {
    let statement = this.#controls.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#controls.set(sql, statement);
    }
    statement.run();
  }
}
