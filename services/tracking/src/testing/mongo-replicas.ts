import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { systemClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { parcels } from '../watch/adapters/mongo-schema.ts';
import { type MongoStores, openMongoStores } from '../watch/adapters/mongo-stores.ts';

/** The stores of one process. */
export function storesOf(database: MongoDatabase): MongoStores {
  return openMongoStores(database, systemClock);
}

/** The stores of three processes on one database. */
export async function openReplicas(opened: TestDatabase): Promise<readonly [MongoStores, MongoStores, MongoStores]> {
  return [storesOf(opened.database), storesOf(await opened.second()), storesOf(await opened.second())];
}

/** The same database, but something else happens right before the first bulk write: after the store has read what it decides on. */
export function interruptedOnce(database: MongoDatabase, act: () => Promise<unknown>): MongoDatabase {
  let pending: typeof act | undefined = act;
  const model: MongoDatabase['model'] = (collection) => {
    const known = database.model(collection);
    const bulkWrite = async (...given: Parameters<typeof known.collection.bulkWrite>): Promise<unknown> => {
      const before = pending;
      pending = undefined;
      await before?.();
      return known.collection.bulkWrite(...given);
    };
    const written = new Proxy(known.collection, { get: (target, key) => (key === 'bulkWrite' ? bulkWrite : Reflect.get(target, key)) });
    return new Proxy(known, { get: (target, key) => (key === 'collection' ? written : Reflect.get(target, key)) });
  };
  return Object.create(database, { model: { value: model }, run: { value: database.run.bind(database) } }) as MongoDatabase;
}

/** The encoded events that wait in the outboxes, in the order of their writes. */
export async function waitingValues(database: MongoDatabase): Promise<readonly string[]> {
  const documents = await database
    .model(parcels)
    .find({ outbox_due: { $exists: true } }, { outbox: 1 })
    .lean();
  const entries = documents.flatMap(({ outbox }) => outbox ?? []);
  // Their ids rise with the time of writing.
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ value }) => value);
}

/** Takes everything out of the outbox, as the relay does once it has published it. */
export async function emptyOutbox(outbox: MongoStores['outbox']): Promise<void> {
  const waiting = await outbox.lease(100_000);
  await outbox.remove(waiting.map(({ id }) => id));
}

/** From which status to which, event by event. */
export async function waitingChanges(database: MongoDatabase): Promise<readonly (readonly [string, string])[]> {
  const events = (await waitingValues(database)).map((value) => decodeEvent(value) as DomainEvent<'tracking.changed'>);
  return events.map(({ data }) => [data.previous_admin_status, data.admin_status]);
}
