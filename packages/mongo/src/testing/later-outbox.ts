import type { Clock } from '@parcelway/kernel/clock';
import type { MongoCollection } from '../mongo-collection.ts';
import type { MongoDatabase } from '../mongo-database.ts';
import { MongoOutbox } from '../mongo-outbox.ts';
import type { OutboxFields } from '../mongo-outbox-fields.ts';

/** Longer than a lease. */
const LATER_MS = 20_000;

/** Searches before each lease, and removes what was published at once. */
class SearchingOutbox extends MongoOutbox {
  override lease(limit: number) {
    this.noteWaiting();
    return super.lease(limit);
  }

  override async remove(ids: readonly string[]): Promise<void> {
    await super.remove(ids);
    await this.settle();
  }
}

/** The outbox as a process finds it once the leases of all others have run out: what they held and have not removed is there. */
export function laterOutbox(database: MongoDatabase, collection: MongoCollection<OutboxFields>, clock: Clock): MongoOutbox {
  return new SearchingOutbox(database, collection, { clock: { now: () => clock.now() + LATER_MS } });
}
