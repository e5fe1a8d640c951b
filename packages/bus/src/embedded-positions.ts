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
    for (const topic of topics) this.of(group).settleWith(topic, settle);
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

  /** Writes down what it can, and nothing any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  /** The positions of one group. */
  of(group: string): GroupPositions {
    let positions = this.#groups.get(group);
    if (!positions) {
      positions = new GroupPositions(this.#db, this.#logger, group);
      this.#groups.set(group, positions);
    }
    return positions;
  }
}
