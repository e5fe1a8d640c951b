import { afterAll, beforeAll, jest } from '@jest/globals';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { intakeCollections } from '../adapters/mongo-collections.ts';
import { openMongoStores } from '../adapters/mongo-stores.ts';
import { events } from '../expected/adapters/mongo-schema.ts';
import type { MongoIntakeStore } from '../reports/adapters/mongo-intake-store.ts';
import { collectPublications } from './collect-publications.ts';
import { type Step, whereabouts } from './intake-steps.ts';
import { NOW } from './samples.ts';
import { openSqliteIntake } from './sqlite-intake.ts';

/** The intake on MongoDB, as processes of their own see it. */
export interface MongoIntake {
  /** Of the process under test. */
  readonly database: MongoDatabase;
  /** Of another process. */
  readonly other: MongoDatabase;
  open(database: MongoDatabase): MongoIntakeStore;
  /** An empty store of the other process, in which these steps have been taken. */
  after(steps: readonly Step[]): Promise<MongoIntakeStore>;
  /** Encoded domain events that were written since this was made. */
  published(): () => Promise<readonly string[]>;
  /** Where every event is; see {@link whereabouts}. */
  where(store: MongoIntakeStore): Promise<readonly string[]>;
}

/** For the tests of a file: a database of their own. */
export function useMongoIntake(clock: Clock = new ManualClock(NOW)): MongoIntake {
  // Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
  jest.setTimeout(180_000);
  let opened: TestDatabase;
  let other: MongoDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(intakeCollections);
    other = await opened.second();
  });
  afterAll(() => opened.close());
  const published = () => collectPublications(laterOutbox(opened.database, events, clock));
  return {
    get database() {
      return opened.database;
    },
    get other() {
      return other;
    },
    open: (database) => openMongoStores(database, clock).intake,
    async after(steps) {
      await opened.clear();
      const store = openMongoStores(other, clock).intake;
      for (const step of steps) await step(store);
      return store;
    },
    published,
    where: (store) => whereabouts(store, published()),
  };
}

/** Where the events are when one process takes the steps, one after the other, in transactions. */
export async function inSqlite(steps: readonly Step[]): Promise<readonly string[]> {
  const db = new SqliteDatabase(':memory:');
  const store = openSqliteIntake(db, new ManualClock(NOW));
  for (const step of steps) await step(store);
  const result = await whereabouts(store, collectPublications(store.outbox));
  db.close();
  return result;
}
