import { DEAD_LETTER_RETENTION_DAYS, TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep } from '@parcelway/kernel/upkeep';
import type { SqliteDatabase } from '@parcelway/sqlite/database';

const DAY_MS = 86_400_000;
const INTERVAL_MS = 60_000;
/** Records deleted in one transaction, so that none holds up the publishers. */
const MAX_DELETED = 500;

/** Deletes records that are past their retention and that every known group has finished. */
export class EmbeddedRetention {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  /** Runs every minute once it is started. */
  readonly upkeep: Upkeep;

  constructor(db: SqliteDatabase, clock: Clock, logger: Logger) {
    this.#db = db;
    this.#clock = clock;
    const step = { what: 'Deleting old records of the log', run: async () => (await this.deleteSome()).isMore };
    this.upkeep = new Upkeep({ steps: [step], everyMs: INTERVAL_MS, logger });
  }

  /** Deletes some of each partition. @returns how many, and whether more may go */
  async deleteSome(): Promise<{ readonly deleted: number; readonly isMore: boolean }> {
    let [deleted, isMore] = [0, false];
    for (const { topic, partition } of this.#partitions()) {
      const days = topic.endsWith('.dlq') ? DEAD_LETTER_RETENTION_DAYS : TOPIC_RETENTION_DAYS;
      const before = this.#clock.now() - days * DAY_MS;
      const changes = await this.#db.transaction(() => this.#deleteOf(topic, partition, before));
      deleted += changes;
      isMore ||= changes === MAX_DELETED;
    }
    return { deleted, isMore };
  }

  #deleteOf(topic: string, partition: number, before: number): number {
    const row = this.#db.get<{ next: number | null }>(
      'SELECT min(next) AS next FROM positions WHERE topic = ? AND partition = ?',
      topic,
      partition,
    );
    const finished = topic.endsWith('.dlq') ? null : (row?.next ?? null);
    // Only the oldest are looked at: a search for old ones would go through the whole partition, every minute.
    return this.#db.run(
      `DELETE FROM records WHERE topic = ?1 AND partition = ?2 AND timestamp < ?3 AND "offset" IN (
         SELECT "offset" FROM records
         WHERE topic = ?1 AND partition = ?2 AND "offset" < ?4
         ORDER BY "offset" LIMIT ?5)`,
      topic,
      partition,
      before,
      finished ?? Number.MAX_SAFE_INTEGER,
      MAX_DELETED,
    ).changes;
  }

  /** Every partition with records, found by jumps along the primary key. */
  #partitions(): { topic: string; partition: number }[] {
    const found: { topic: string; partition: number }[] = [];
    let at = { topic: '', partition: -1 };
    for (;;) {
      const next = this.#db.get<{ topic: string; partition: number }>(
        'SELECT topic, partition FROM records WHERE (topic, partition) > (?, ?) ORDER BY topic, partition LIMIT 1',
        at.topic,
        at.partition,
      );
      if (!next) return found;
      found.push(next);
      at = next;
    }
  }
}
