import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { LazyPositions } from './lazy-positions.ts';

const WRITE_DELAY_MS = 50;
/** A write that takes longer is logged. */
const SLOW_MS = 10_000;
/** Written in a commit that others need anyway, where there is one in this time, and flushed with others: what is lost with the power comes again. */
const IN_COMPANY = { deferMs: 25, repeatable: true, flushLater: true } as const;

const WRITE = `INSERT INTO positions (group_name, topic, partition, next)
  SELECT ?, value ->> 'topic', value ->> 'partition', value ->> 'next' FROM json_each(?) WHERE true
  ON CONFLICT (group_name, topic, partition) DO UPDATE SET next = excluded.next`;

const REGISTER = 'INSERT INTO positions (group_name, topic, partition, next) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING';

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
 * is written down lazily, many positions in one commit.
 */
export class GroupPositions {
  readonly #db: SqliteDatabase;
  readonly #logger: Logger;
  readonly #group: string;
  readonly #known = new Map<string, Position>();
  /** By topic, what makes durable what was handled of it. */
  readonly #settle = new Map<string, () => Promise<void>>();
  readonly #written: LazyPositions<PartitionPosition, number>;

  constructor(db: SqliteDatabase, logger: Logger, group: string) {
    this.#db = db;
    this.#logger = logger;
    this.#group = group;
    this.#written = new LazyPositions({
      delayMs: WRITE_DELAY_MS,
      write: (moved) => this.#write(moved),
      failed: (error, isLast) => {
        const then = isLast ? 'the last messages will be processed again' : 'they will be stored at the next try';
        this.#logger.warn({ group, err: error }, `Positions could not be stored; ${then}`);
      },
    });
  }

  /**
   * Makes the group known in topics, so that retention keeps what it has not finished.
   * @param settle what to wait for before a position in them is written; undefined for nothing
   */
  async register(topics: readonly string[], partitions: number, settle: (() => Promise<void>) | undefined): Promise<void> {
    for (const topic of topics) {
      if (settle === undefined) this.#settle.delete(topic);
      else this.#settle.set(topic, settle);
    }
    await this.#db.transaction(() => {
      for (const topic of topics)
        for (let partition = 0; partition < partitions; partition += 1) this.#db.run(REGISTER, this.#group, topic, partition);
    });
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
    this.#written.moved(position, next);
  }

  /** Writes the positions down now, once what was handled is durable. @throws AppError 50301 when the disk is out; it is tried again */
  flush(): Promise<void> {
    return this.#written.flush();
  }

  /** Writes down what it can, and nothing any more. */
  close(): Promise<void> {
    return this.#written.close();
  }

  async #write(moved: ReadonlyMap<PartitionPosition, number>): Promise<void> {
    const rows = JSON.stringify([...moved].map(([{ topic, partition }, next]) => ({ topic, partition, next })));
    const warn = (): void => this.#logger.warn({ group: this.#group }, 'Storing positions takes long; check the disk');
    const slow = setTimeout(warn, SLOW_MS).unref();
    try {
      const topics = new Set([...moved.keys()].map(({ topic }) => topic));
      await Promise.all([...topics].map((topic) => this.#settle.get(topic)?.()));
      await this.#db.transaction(() => this.#db.run(WRITE, this.#group, rows), IN_COMPANY);
    } finally {
      clearTimeout(slow);
    }
  }
}
