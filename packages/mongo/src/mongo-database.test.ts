import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import { MongoDatabase } from './mongo-database.ts';

const notes = defineCollection('notes', new Schema({}), { sharding: { unsharded: 'a test' } });

/** Migrates a database whose server refuses each command with this error. */
async function migrateWith(error: Error): Promise<void> {
  class RefusingDatabase extends MongoDatabase {
    override model<T>(): T {
      return { createCollection: () => Promise.reject(error) } as T;
    }
  }
  await new RefusingDatabase({ url: 'mongodb://none', name: 'none', logger: silentLogger }).migrate([notes]);
}
const refusal = (code: number) => new mongo.MongoServerError({ message: 'no', code });

test('a migration between two primaries fails as what passes by itself', async () => {
  await expect(migrateWith(refusal(189))).rejects.toMatchObject({ code: '50301' });
});

test.each([
  ['for a full disk, which passes for services alone', 14_031],
  ['for duplicates', 11_000],
])('one that fails %s says so', async (_name, code) => {
  const error = refusal(code);
  await expect(migrateWith(error)).rejects.toBe(error);
});
