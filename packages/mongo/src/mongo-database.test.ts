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

test('who listens hears of operations that failed and may have happened, and of nothing else', async () => {
  const database = new MongoDatabase({ url: 'mongodb://none', name: 'none', logger: silentLogger });
  let heard = 0;
  database.onDoubt(() => {
    heard += 1;
  });
  const isHeard = async (error?: Error): Promise<boolean> => {
    heard = 0;
    await database.run(() => (error ? Promise.reject(error) : Promise.resolve())).catch(() => undefined);
    return heard > 0;
  };
  const inPart = new mongo.MongoBulkWriteError({ message: 'in part', code: 11_000, writeErrors: [] }, {
    getWriteConcernError: () => undefined,
  } as never);
  expect(await isHeard(refusal(189))).toBe(true);
  expect(await isHeard(inPart)).toBe(true);
  expect(await isHeard(refusal(11_000))).toBe(false);
  expect(await isHeard()).toBe(false);
});
