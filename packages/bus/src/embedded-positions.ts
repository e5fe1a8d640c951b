import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ConsumeOptions } from './driver.ts';

/** Positions are written soon after this time; a crash repeats at most the messages finished since the last were. */
const WRITE_DELAY_MS = 50;
/** Pause after a write that failed. */
const RETRY_DELAY_MS = 1000;
/** Written in a commit that others need anyway, where there is one in this time, and flushed with others: what is lost with the power comes again. */
const IN_COMPANY = { deferMs: 25, repeatable: true, flushLater: true } as const;

interface Position {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  next: number;
}

type Registration = Pick<ConsumeOptions, 'group' | 'topics' | 'settle'> & { readonly partitions: number };

/**
 * How far each group has come in each partition. The truth is in memory, because the file belongs to one process; it
 * is written down lazily, many positions in one commit, so that no message costs a commit of its own.
 */
export class EmbeddedPositions {
  readonly #db: SqliteDatabase;
  readonly #logger: Logger;
  readonly #known = new Map<string, Position>();
  readonly #dirty = new Set<Position>();
  /** By group, what makes durable what it has handled. */
  readonly #settle = new Map<string, () => Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun, because one before it has not ended. */
  #waiting: Promise<void> | undefined;
  #failing = false;
  #closed = false;

  constructor(db: SqliteDatabase, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Makes a group known, so that retention keeps what it has not finished, and what makes durable what it has handled. */
  async register({ group, topics, partitions, settle }: Registration): Promise<void> {
    if (settle === undefined) this.#settle.delete(group);
    else this.#settle.set(group, settle);
    await this.#db.transaction(() => {
      for (const topic of topics) {
        for (let partition = 0; partition < partitions; partition += 1) {
          this.#db.run(
            'INSERT INTO positions (group_name, topic, partition, next) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING',
            group,
            topic,
            partition,
          );
        }
      }
    });
  }

  /** First offset that the group has not finished; 0 for a new group. */
  next(group: string, topic: string, partition: number): number {
    return this.#position(group, topic, partition).next;
  }

  /** Moves the group on to `next`; never backwards. */
  advance(group: string, topic: string, partition: number, next: number): void {
    const position = this.#position(group, topic, partition);
    if (next <= position.next) return;
    position.next = next;
    this.#dirty.add(position);
    this.#plan(WRITE_DELAY_MS);
  }

  /**
   * Writes the positions down now, once what their groups have handled is durable. They survive the end of the process then, and a loss of
   * power once the file is flushed.
   * @throws AppError 50301 when the disk is out; they are kept for the next try
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a write that waited longer for its groups would move a position back.
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
    try {
      await this.flush();
    } catch (error) {
      this.#logger.warn({ err: error }, 'Positions in the log were not written down; the last messages will be handled again');
    }
  }

  #plan(delayMs: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.flush().then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => {
          if (!this.#failing) this.#logger.warn({ err: error }, 'Positions in the log were not written down; it is tried again');
          this.#failing = true;
          if (this.#dirty.size > 0) this.#plan(RETRY_DELAY_MS);
        },
      );
    }, delayMs).unref();
  }

  async #write(): Promise<void> {
    if (this.#dirty.size === 0) return;
    // What a group finishes while it settles may not be settled with the rest.
    const written = [...this.#dirty].map((position) => ({ position, next: position.next }));
    this.#dirty.clear();
    try {
      const groups = new Set(written.map(({ position }) => position.group));
      await Promise.all([...groups].map((group) => this.#settle.get(group)?.()));
      await this.#db.transaction(() => {
        for (const { position, next } of written) {
          this.#db.run(
            `INSERT INTO positions (group_name, topic, partition, next) VALUES (?, ?, ?, ?)
             ON CONFLICT (group_name, topic, partition) DO UPDATE SET next = excluded.next`,
            position.group,
            position.topic,
            position.partition,
            next,
          );
        }
      }, IN_COMPANY);
    } catch (error) {
      for (const { position } of written) this.#dirty.add(position);
      throw error;
    }
  }

  #position(group: string, topic: string, partition: number): Position {
    const name = `${group}\n${topic}\n${partition}`;
    let position = this.#known.get(name);
    if (!position) {
      const row = this.#db.get<{ next: number }>(
        'SELECT next FROM positions WHERE group_name = ? AND topic = ? AND partition = ?',
        group,
        topic,
        partition,
      );
      position = { group, topic, partition, next: row?.next ?? 0 };
      this.#known.set(name, position);
    }
    return position;
  }
}
