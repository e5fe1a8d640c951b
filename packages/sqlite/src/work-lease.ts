import { MAX_CLOCK_LEAD_MS, type WorkLease } from '@parcelway/kernel/work-lease';
import type { SqliteDatabase } from './database.ts';

/**
 * Regular work of a process that has it to itself, as it has its data directory. Only the place is stored; when the work is due is in memory, as with the
 * process its lease ends: whoever opens the file next does the work at once.
 */
export class SqliteWorkLease implements WorkLease {
  /** Table of the places; one entry of the owner's migration list. */
  static readonly schema = 'CREATE TABLE work_places (name TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT, WITHOUT ROWID';

  readonly #db: SqliteDatabase;
  readonly #name: string;
  #dueAt = 0;
  #isHeld = false;

  /** @param db database whose migrations include {@link SqliteWorkLease.schema} @param name of the work */
  constructor(db: SqliteDatabase, name: string) {
    this.#db = db;
    this.#name = name;
  }

  async take(now: number, until: number, latest: number): Promise<string | undefined> {
    const isPaused = !this.#isHeld && this.#dueAt > latest;
    const isAhead = this.#isHeld && this.#dueAt > until + MAX_CLOCK_LEAD_MS;
    if (this.#dueAt > now && !isPaused && !isAhead) return undefined;
    const place = this.#place();
    this.#dueAt = until;
    this.#isHeld = true;
    return place;
  }

  async keep(place: string, until: number): Promise<boolean> {
    if (place !== this.#place()) {
      await this.#db.transaction(() => this.#db.run('INSERT OR REPLACE INTO work_places (name, place) VALUES (?, ?)', this.#name, place));
    }
    this.#dueAt = until;
    return true;
  }

  async giveBack(place: string, dueAt: number): Promise<void> {
    await this.keep(place, dueAt);
    this.#isHeld = false;
  }

  #place(): string {
    const sql = 'SELECT place FROM work_places WHERE name = ?';
    return this.#db.get<{ readonly place: string }>(sql, this.#name)?.place ?? '';
  }
}
