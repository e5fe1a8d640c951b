import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';

/** Positions are written soon after this time; a crash repeats at most the messages finished since the last were. */
const WRITE_DELAY_MS = 50;
/** Pause after a write that failed. */
const RETRY_DELAY_MS = 1000;
/** A write that takes longer is logged. */
const SLOW_MS = 10_000;
/** Written in a commit that others need anyway, where there is one in this time, and flushed with others: what is lost with the power comes again. */
const IN_COMPANY = { deferMs: 25, repeatable: true, flushLater: true } as const;

const WRITE = `INSERT INTO positions (group_name, topic, partition, next)
  SELECT ?, value ->> 'topic', value ->> 'partition', value ->> 'next' FROM json_each(?) WHERE true
  ON CONFLICT (group_name, topic, partition) DO UPDATE SET next = excluded.next`;

/** How far a group has come in a partition. Stays the same object, so that who follows a partition looks it up once. */
export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  /** First offset that the group has not finished; 0 for a new group. */
  readonly next: number;
}

interface Position extends PartitionPosition {
  next: number;
}

/**
 * How far one group has come in each partition. The truth is in memory, because the file belongs to one process; it
 * is written down lazily, many positions in one commit, so that no message costs a commit of its own.
 */
export class GroupPositions {
  readonly #db: SqliteDatabase;
  readonly #logger: Logger;
  readonly #group: string;
  readonly #known = new Map<string, Position>();
  readonly #dirty = new Set<Position>();
  /** By topic, what makes durable what was handled of it. */
  readonly #settle = new Map<string, () => Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun, because one before it has not ended. */
  #waiting: Promise<void> | undefined;
  #failing = false;
  #closed = false;

  constructor(db: SqliteDatabase, logger: Logger, group: string) {
    this.#db = db;
    this.#logger = logger;
    this.#group = group;
  }

  /** Says what to wait for before a position in the topic is written; undefined for nothing. */
  settleWith(topic: string, settle: (() => Promise<void>) | undefined): void {
    if (settle === undefined) this.#settle.delete(topic);
    else this.#settle.set(topic, settle);
  }

  /** The group's position in a partition. */
  position(topic: string, partition: number): PartitionPosition {
    const name = `${topic}\n${partition}`;
    let position = this.#known.get(name);
    if (!position) {
      const row = this.#db.get<{ next: number }>(
        'SELECT next FROM positions WHERE group_name = ? AND topic = ? AND partition = ?',
        this.#group,
        topic,
        partition,
      );
      position = { topic, partition, next: row?.next ?? 0 };
      this.#known.set(name, position);
    }
    return position;
  }

  /** Moves a position of this group on to `next`; never backwards. */
  advance(position: PartitionPosition, next: number): void {
    if (next <= position.next) return;
    (position as Position).next = next;
    this.#dirty.add(position);
    this.#plan(WRITE_DELAY_MS);
  }

  /** Writes the positions down now, once what was handled is durable. @throws AppError 50301 when the disk is out; it is tried again */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a write that waited longer for its topics would move a position back.
    this.#waiting ??= this.#last
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.#write();
      });
    this.#last = this.#waiting;
    return this.#waiting;
  }

  /** Writes down what it can, and nothing any more. */
  async close(): Promise<void> {
    this.#closed = true;
    // The write has logged its failure.
    await this.flush().catch(() => undefined);
  }

  #plan(delayMs: number): void {
    // A write that waits takes what is finished by then.
    if (this.#closed || this.#waiting !== undefined) return;
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), delayMs).unref();
  }

  async #write(): Promise<void> {
    if (this.#dirty.size === 0) return;
    // What is finished while the topics settle may not be settled with the rest.
    const moved = [...this.#dirty];
    const rows = JSON.stringify(moved);
    this.#dirty.clear();
    const slow = setTimeout(() => this.#warn(undefined, 'Storing positions takes long; check the disk'), SLOW_MS).unref();
    try {
      const topics = new Set(moved.map(({ topic }) => topic));
      await Promise.all([...topics].map((topic) => this.#settle.get(topic)?.()));
      await this.#db.transaction(() => this.#db.run(WRITE, this.#group, rows), IN_COMPANY);
      this.#failing = false;
    } catch (error) {
      for (const position of moved) this.#dirty.add(position);
      const then = this.#closed ? 'the last messages will be processed again' : 'they will be stored at the next try';
      if (!this.#failing || this.#closed) this.#warn(error, `Positions could not be stored; ${then}`);
      this.#failing = true;
      this.#plan(RETRY_DELAY_MS);
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  #warn(error: unknown, message: string): void {
    this.#logger.warn({ group: this.#group, ...(error === undefined ? {} : { err: error }) }, message);
  }
}
