import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import { MongoDatabase } from './mongo-database.ts';
import { asStoreError, isDuplicateKey } from './mongo-errors.ts';

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

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongo;

const CONCERN = { code: 64, errmsg: 'waiting for replication timed out' };

const duplicate = { index: 0, code: 11_000, errmsg: 'E11000 duplicate key error collection: t.events index: event dup key: { a: "x" }' };

/** A failed bulk write as the driver makes it. */
function bulkError(given: { cause?: Error; writeErrors?: object[]; concern?: object }): unknown {
  const { cause, writeErrors = [], concern } = given;
  const result = { getWriteConcernError: () => concern };
  return new MongoBulkWriteError((cause ?? { message: 'failed', writeErrors }) as never, result as never);
}

const isPassing = (error: unknown): boolean => {
  const known = asStoreError(error);
  return known instanceof AppError && known.code === '50301';
};

describe('a failed bulk write', () => {
  test.each([
    ['without a connection', { cause: new MongoNetworkError('connection closed') }],
    ['at a primary that ends', { cause: new MongoServerError({ message: 'ending', code: 91, codeName: 'ShutdownInProgress' } as never) }],
    ['that the majority has not confirmed', { concern: CONCERN }],
    ['of which one write was interrupted', { writeErrors: [duplicate, { index: 1, code: 11_602, errmsg: 'interrupted' }] }],
    ['that the majority has not confirmed, with a duplicate', { writeErrors: [duplicate], concern: CONCERN }],
  ])('%s passes', (_name, given) => {
    expect(isPassing(bulkError(given))).toBe(true);
  });

  test.each([
    ['a duplicate', { writeErrors: [duplicate] }],
    ['a wrong update', { writeErrors: [{ index: 0, code: 9, errmsg: 'FailedToParse' }] }],
    ['a command that is not allowed', { cause: new MongoServerError({ message: 'no', code: 13, codeName: 'Unauthorized' } as never) }],
  ])('by %s stays what it is', (_name, given) => {
    const error = bulkError(given);
    expect(asStoreError(error)).toBe(error);
  });

  test('is a duplicate when all its failures are, under the index in question', () => {
    const other = { ...duplicate, errmsg: duplicate.errmsg.replace('index: event', 'index: other') };
    expect(isDuplicateKey(bulkError({ writeErrors: [duplicate, duplicate] }), 'event')).toBe(true);
    expect(isDuplicateKey(bulkError({ writeErrors: [duplicate, other] }), 'event')).toBe(false);
    expect(isDuplicateKey(bulkError({ writeErrors: [duplicate, { code: 9 }] }))).toBe(false);
    expect(isDuplicateKey(bulkError({ concern: CONCERN }))).toBe(false);
  });
});

test('a connection that breaks under a command, which the driver reports with an error of Node, is temporary', () => {
  const ended = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
  expect(isPassing(ended)).toBe(true);
  expect(isPassing(new Error('anything else'))).toBe(false);
});
