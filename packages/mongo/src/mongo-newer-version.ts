import type { mongo } from 'mongoose';
import type { MongoDatabase } from './mongo-database.ts';
import { isDuplicateKey } from './mongo-errors.ts';

/**
 * Writes what is newer: stores `fields` in the document of `key`, which it inserts where there is none, unless that has their version or a later one.
 * Writes of several versions at once leave the newest.
 * @param key the fields of the unique index `index`, which is that of `_id` unless it is named
 * @param again fields by which a document of this very version is known as the caller's, whose first write it does not know the outcome of
 * @returns false when that version or a later one was there already
 * @throws AppError 50301
 */
export async function writeNewerVersion(
  database: MongoDatabase,
  collection: Pick<mongo.Collection, 'updateOne'>,
  {
    key,
    index,
    fields,
    again,
  }: {
    readonly key: object;
    readonly index?: string;
    readonly fields: { readonly version: number; readonly [field: string]: unknown };
    readonly again?: object;
  },
): Promise<boolean> {
  const isOlder = { version: { $lt: fields.version } };
  const older = again === undefined ? { ...key, ...isOlder } : { ...key, $or: [isOlder, { version: fields.version, ...again }] };
  // The insertion is refused when this version or a later one is there; and when another process has just inserted any, which the second try then sees.
  for (const isLast of [false, true]) {
    try {
      await database.run(() => collection.updateOne(older, { $set: fields }, { upsert: true }));
      return true;
    } catch (error) {
      if (!isDuplicateKey(error, index ?? '_id_')) throw error;
      if (isLast) return false;
    }
  }
  return false;
}
