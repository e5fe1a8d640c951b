import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { Schema } from 'mongoose';
import { defineCollection } from '../mongo-collection.ts';
import { MongoDatabase } from '../mongo-database.ts';
import { MongoOutbox } from '../mongo-outbox.ts';
import { type OutboxEntry, type OutboxFields, outboxFields } from '../mongo-outbox-fields.ts';
import { byId } from '../mongo-sharding.ts';
import type { MemoryCollection } from './mongo-memory-collection.ts';

/** A database whose every model is over one collection in memory. Its deadline is that of any database. */
class MemoryDatabase extends MongoDatabase {
  readonly #collection: MemoryCollection;

  constructor(collection: MemoryCollection) {
    super({ url: 'mongodb://none', name: 'none', logger: silentLogger });
    this.#collection = collection;
  }

  override model<T>(): T {
    return this.#collection as T;
  }
}

const collection = defineCollection<OutboxFields>('aggregates', new Schema(outboxFields), { sharding: byId });

/** How long a lease of {@link memoryOutbox} lasts, in milliseconds. */
export const LEASE_MS = 15_000;

/** An outbox, of one process, over a collection in memory. */
export function memoryOutbox(memory: MemoryCollection, clock: Clock): MongoOutbox {
  return new MongoOutbox(new MemoryDatabase(memory) as never, collection, { clock, leaseMs: LEASE_MS });
}

/** A message that has nothing but its value. */
export const message = (value: string): OutboxEntry => ({ topic: 't', key: 'k', value });

/** An update that appends messages of these values. */
export const updateOf = (id: string, ...values: string[]) => ({
  id,
  condition: {},
  update: { $inc: { state: 1 } },
  messages: values.map(message),
});

/** What a process has to publish now. */
export const valuesOf = async (outbox: MongoOutbox): Promise<string[]> => (await outbox.lease(100)).map(({ value }) => value);

/** Publishes all that a process has to publish. @returns it */
export async function publishAll(outbox: MongoOutbox): Promise<string[]> {
  const leased = await outbox.lease(100);
  await outbox.remove(leased.map(({ id }) => id));
  return leased.map(({ value }) => value);
}

/** For `received` and `made` of a collection: fails once, as a connection that breaks. */
export function failOnce(): () => Promise<void> {
  let isOut = true;
  return async () => {
    if (!isOut) return;
    isOut = false;
    throw AppError.unavailable('out');
  };
}
