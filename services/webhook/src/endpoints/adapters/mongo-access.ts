import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';

export const text = { type: String, required: true };

/** May be empty, which mongoose takes for missing where a text is required. */
export const free = { type: String };

export const whole = { type: Number, required: true };

export const nullableText = { type: String, default: null };

export const nullableWhole = { type: Number, default: null };

/**
 * A collection without mongoose's casting: the values are typed here and were validated at the edge, and batches of
 * events and deliveries are what this service spends its time with.
 */
export function collectionOf<T extends { readonly _id: string }>(db: MongoDatabase, collection: MongoCollection<T>): mongo.Collection<T> {
  return db.model(collection).collection as unknown as mongo.Collection<T>;
}

/** Option of a read: the server sends up to so many documents at once, instead of 101 and the rest when asked again. */
export const AT_ONCE = { batchSize: 2000 } as const;
