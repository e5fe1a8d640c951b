import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { WritePace } from '@parcelway/mongo/mongo-write-pace';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createSharedFeedOrder } from '../intake/feed-order.ts';
import { createStores, type StoresWithDocuments } from '../stores.ts';

/** Batches of events begin at most this far apart: an event waits for half of it, in the mean, when there are many. */
const INTAKE_GAP_MS = 60;
/** Batches of results begin at most this far apart: nobody waits for what they write, but what was sent and not written is sent again after a crash. */
const RECORD_GAP_MS = 120;
/** With four results in a batch it waits as long as it may: from some thirty webhooks a second on. */
const RECORD_GAP_FOR_EACH_MS = 30;

/** The stores over the service's MongoDB database, for any number of processes. @param db has the collections of ../collections.ts */
export function openMongoStores(db: MongoDatabase, clock: Pick<Clock, 'now'>): StoresWithDocuments {
  const time = new MongoServerTime(db);
  return createStores(
    createMongoStore(db, () => clock.now()),
    {
      order: createSharedFeedOrder(() => time.now()),
      intakePace: new WritePace(INTAKE_GAP_MS),
      recordPace: new WritePace(RECORD_GAP_MS, RECORD_GAP_FOR_EACH_MS),
    },
  );
}
