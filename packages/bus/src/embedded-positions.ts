import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';

/** Positions are written at the latest after this time; a crash repeats at most the messages finished within it. */
const WRITE_DELAY_MS = 50;
/** Written in a commit that others need anyway, where there is one in this time, and flushed with others: what is lost with the power comes again. */
const IN_COMPANY = { deferMs: 25, repeatable: true, flushLater: true } as const;

interface Position {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  next: number;
}

/**
 * How far each group has come in each partition. The truth is in memory, because the file belongs to one process; it
 * is written down lazily, many positions in one commit, so that no message costs a commit of its own.
 */
export class EmbeddedPositions {
  readonly #db: SqliteDatabase;
  readonly #logger: Logger;
  readonly #known = new Map<string, Position>();
  readonly #dirty = new Set<Position>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: SqliteDatabase, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Makes a group known, so that retention keeps what it has not finished. */
  async register(group: string, topics: readonly string[], partitions: number): Promise<void> {
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
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'Positions in the log were not written down; they are kept for the next try');
      });
    }, WRITE_DELAY_MS).unref();
  }

  /**
   * Writes the positions down now. They survive the end of the process then, and a loss of power once the file is flushed.
   * @throws AppError 50301 when the disk is out; they are kept for the next try
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = [...this.#dirty];
    if (written.length === 0) return;
    this.#dirty.clear();
    try {
      await this.#db.transaction(() => {
        for (const { group, topic, partition, next } of written) {
          this.#db.run(
            `INSERT INTO positions (group_name, topic, partition, next) VALUES (?, ?, ?, ?)
             ON CONFLICT (group_name, topic, partition) DO UPDATE SET next = excluded.next`,
            group,
            topic,
            partition,
            next,
          );
        }
      }, IN_COMPANY);
    } catch (error) {
      for (const position of written) this.#dirty.add(position);
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
