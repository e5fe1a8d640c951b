import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from './database.ts';

/** A message to be published once the transaction that wrote it has committed. */
export interface OutboxEntry {
  readonly topic: string;
  /** Messages of one topic and key are published in the order of their writes. */
  readonly key: string;
  readonly value: string;
}

/** An entry in the outbox; `id` rises in the order of the writes. */
export interface WaitingEntry extends OutboxEntry {
  readonly id: string;
}

interface EntryRow {
  readonly id: number;
  readonly topic: string;
  readonly key: string;
  readonly value: string;
}

/** Nobody waits for it, and it may run again. */
const REMOVAL = { repeatable: true } as const;
/** Removals are written down at the latest after this time: at most 4 commits a second, however many are published. */
const REMOVAL_DELAY_MS = 250;

/**
 * The messages that a service has still to publish, in the service's own file, so that a message is written in the
 * very transaction that changes the state.
 *
 * Who may publish: a data directory belongs to one process and a process runs one relay per outbox, so a lease needs
 * neither owner nor expiry. It is the position of the relay in memory: `lease` gives the oldest messages that have not
 * been removed, and gives the same again when they were not published. A lease ends with the process.
 *
 * Removal is remembered in memory at once and written down a little later in one commit with others. A crash in
 * between publishes those messages a second time; consumers are idempotent, so that costs nothing.
 */
export class SqliteOutbox {
  /** Table of the outbox; one entry of the owner's migration list. AUTOINCREMENT: an id is never given twice. */
  static readonly schema = `CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) STRICT`;

  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  /** Published, and perhaps still in the table. */
  readonly #removed = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param db database whose migrations include {@link SqliteOutbox.schema}
   * @param clock gives the time since when a message waits
   */
  constructor(db: SqliteDatabase, clock: Clock = systemClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Adds a message. Only inside `db.transaction` of the same database: message and state change commit together or not at all. */
  append(message: OutboxEntry): void {
    this.#db.run(
      'INSERT INTO outbox (topic, key, value, written_at) VALUES (?, ?, ?, ?)',
      message.topic,
      message.key,
      message.value,
      this.#clock.now(),
    );
  }

  /** The oldest `limit` messages that were not removed, in the order of their writes. */
  async lease(limit: number): Promise<readonly WaitingEntry[]> {
    const rows = this.#db.all<EntryRow>(
      'SELECT id, topic, key, value FROM outbox WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?',
      this.#removedAsJson(),
      limit,
    );
    return rows.map((row) => ({ id: String(row.id), topic: row.topic, key: row.key, value: row.value }));
  }

  /** Forgets messages that have been published. Resolves at once; on disk within 250 ms, or by {@link flush}. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#removed.add(Number(id));
    this.#timer ??= setTimeout(() => {
      // A failure is not a response to anyone: the ids stay marked, and the next removal tries again.
      this.flush().catch(() => undefined);
    }, REMOVAL_DELAY_MS).unref();
  }

  /**
   * Writes down the removals of before. Call it before the database is closed, or they are published again.
   * @throws AppError 50301 when the disk is out; the removals are kept for the next try
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#removed.size === 0) return;
    const ids = [...this.#removed];
    const json = JSON.stringify(ids);
    await this.#db.transaction(() => this.#db.run('DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))', json), REMOVAL);
    for (const id of ids) this.#removed.delete(id);
  }

  /** How many messages wait, and since when the oldest does (epoch milliseconds; null when none). */
  async depth(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    const row = this.#db.get<{ count: number; oldest: number | null }>(
      'SELECT count(*) AS count, min(written_at) AS oldest FROM outbox WHERE id NOT IN (SELECT value FROM json_each(?))',
      this.#removedAsJson(),
    );
    return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null };
  }

  #removedAsJson(): string {
    return this.#removed.size === 0 ? '[]' : JSON.stringify([...this.#removed]);
  }
}
