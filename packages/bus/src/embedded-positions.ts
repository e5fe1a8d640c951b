import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ConsumeOptions } from './driver.ts';
import { GroupPositions } from './embedded-group-positions.ts';

type Registration = Pick<ConsumeOptions, 'group' | 'topics' | 'settle'> & { readonly partitions: number };

/** How far each group has come in each partition. */
export class EmbeddedPositions {
  readonly #db: SqliteDatabase;
  readonly #logger: Logger;
  readonly #groups = new Map<string, GroupPositions>();

  constructor(db: SqliteDatabase, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Makes a group known, so that retention keeps what it has not finished, and what makes durable what it has handled. */
  async register({ group, topics, partitions, settle }: Registration): Promise<void> {
    for (const topic of topics) this.#of(group).settleWith(topic, settle);
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
    return this.#of(group).next(topic, partition);
  }

  /** Moves the group on to `next`; never backwards. Written soon after. */
  advance(group: string, topic: string, partition: number, next: number): void {
    this.#of(group).advance(topic, partition, next);
  }

  /**
   * Writes the positions of a group down now, once what it has handled is durable. They survive the end of the process then, and a loss of
   * power once the file is flushed.
   * @throws AppError 50301 when the disk is out; it is tried again
   */
  flush(group: string): Promise<void> {
    return this.#of(group).flush();
  }

  /** Writes down what it can, and nothing any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  #of(group: string): GroupPositions {
    let positions = this.#groups.get(group);
    if (!positions) {
      positions = new GroupPositions(this.#db, this.#logger, group);
      this.#groups.set(group, positions);
    }
    return positions;
  }
}
