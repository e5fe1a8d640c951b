import type { mongo } from 'mongoose';
import type { MongoDatabase } from './mongo-database.ts';
import { isDuplicateKey } from './mongo-errors.ts';

/**
 * Writes what is newer: stores `fields` in the document of `key`, which it inserts where there is none, unless that has their version or a later one.
 * Writes of several versions at once leave the newest.
 * @param key the fields of the unique index `index`, which is that of `_id` unless it is named
 * @throws AppError 50301
 */
export async function writeNewerVersion(
  database: MongoDatabase,
  collection: Pick<mongo.Collection, 'updateOne'>,
  {
    key,
    index,
    fields,
  }: { readonly key: object; readonly index?: string; readonly fields: { readonly version: number; readonly [field: string]: unknown } },
): Promise<void> {
  const older = { ...key, version: { $lt: fields.version } };
  // The insertion is refused when this version or a later one is there; and when another process has just inserted any, which the second try then sees.
  for (const isLast of [false, true]) {
    try {
      await database.run(() => collection.updateOne(older, { $set: fields }, { upsert: true }));
      return;
    } catch (error) {
      if (!isDuplicateKey(error, index ?? '_id_')) throw error;
      if (isLast) return;
    }
  }
}
