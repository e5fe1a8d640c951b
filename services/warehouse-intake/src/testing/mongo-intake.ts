import { afterAll, beforeAll, jest } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStore } from '@parcelway/platform/open-mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { storesOf } from '../adapters/intake-stores.ts';
import { intakeCollections } from '../collections.ts';
import { expected } from '../expected/expected-collection.ts';
import { createViewChanges } from '../expected/view-store.ts';
import type { IntakeStore } from '../reports/ports.ts';
import { events } from '../reports/report-collections.ts';
import { collectPublications } from './collect-publications.ts';
import { type Step, whereabouts } from './intake-steps.ts';
import { openStores } from './open-stores.ts';
import { NOW } from './samples.ts';

/** The collections of the service in MongoDB. */
export const mongoCollections = intakeCollections.map(mongoCollection);

/** The stores of the service over MongoDB. @param keepsChanges records changes of the view for systems outside the platform */
export function openMongo(database: MongoDatabase, clock: Clock, keepsChanges = false) {
  const opened = openMongoStore(database, intakeCollections, expected);
  const { store } = opened;
  return { ...storesOf(opened, clock, keepsChanges), changes: { ...createViewChanges(store), outbox: store.outbox(expected) } };
}

type Run = <T>(work: () => PromiseLike<T>) => Promise<T>;

/** The database with another way to run operations. */
function withRun(database: MongoDatabase, run: Run): MongoDatabase {
  const wrapped: Pick<MongoDatabase, 'connection' | 'model' | 'run' | 'check'> = {
    connection: database.connection,
    model: (collection) => database.model(collection),
    check: () => database.check(),
    run,
  };
  return wrapped as MongoDatabase;
}

/**
 * Has a process take a step and die: it learns nothing of the operation that begins after `operations` others, which takes
 * place all the same, and begins none after that. Resolves when nothing of it is under way any more: what takes its place
 * starts behind operations that it had begun beside its last one, as the bus waits seconds before it delivers again.
 * @param step given the database as the process sees it
 * @returns false when the step needs no more operations than that
 */
export async function diesAfter(
  database: MongoDatabase,
  operations: number,
  step: (dying: MongoDatabase) => Promise<unknown>,
): Promise<boolean> {
  const death = AppError.unavailable('The process has died');
  const underWay = new Set<Promise<unknown>>();
  let begun = 0;
  const run: Run = async (work) => {
    begun += 1;
    if (begun > operations + 1) throw death;
    const last = begun === operations + 1;
    const running = database.run(work);
    underWay.add(running);
    try {
      const result = await running;
      if (last) throw death;
      return result;
    } finally {
      underWay.delete(running);
    }
  };
  try {
    await step(withRun(database, run));
    return false;
  } catch (error) {
    if (error !== death) throw error;
    return true;
  } finally {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }
}

/** The database over a connection of changing speed: each operation begins up to `maxMs` later. */
export function unsteady(database: MongoDatabase, maxMs: number): MongoDatabase {
  return withRun(database, async (work) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
    return database.run(work);
  });
}

/** A process that stops before one of its operations until `goOn` is called. */
export interface PausedProcess {
  readonly database: MongoDatabase;
  /** Resolves when the operation is about to begin; never when there are not so many. */
  readonly paused: Promise<void>;
  goOn(): void;
}

/** The database as a process sees it that stops before the operation that begins after `operations` others; without deadlines. */
export function pausingAfter(database: MongoDatabase, operations: number): PausedProcess {
  let begun = 0;
  let reach = (): void => undefined;
  let goOn = (): void => undefined;
  const paused = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const run: Run = async (work) => {
    begun += 1;
    if (begun === operations + 1) {
      reach();
      await released;
    }
    return work();
  };
  return { database: withRun(database, run), paused, goOn: () => goOn() };
}

/**
 * Has a process take a step up to the operation that begins after `operations` others, then `meanwhile`, then the rest of the step.
 * @param step given the database as the process sees it
 * @returns false when the step has no such operation
 */
export async function interleave(
  database: MongoDatabase,
  step: (pausing: MongoDatabase) => Promise<unknown>,
  operations: number,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  const process = pausingAfter(database, operations);
  const running = step(process.database);
  const paused = await Promise.race([process.paused.then(() => true), running.then(() => false)]);
  await meanwhile();
  process.goOn();
  await running;
  return paused;
}

/** The intake on MongoDB, as two processes see it. */
export interface MongoIntake {
  /** As the process under test sees it. */
  readonly database: MongoDatabase;
  /** As another process sees it. */
  readonly other: MongoDatabase;
  open(database: MongoDatabase): IntakeStore;
  /** Empties the store and takes these steps in it. @returns the store as the other process sees it */
  after(steps: readonly Step[]): Promise<IntakeStore>;
  /** Collects the encoded domain events written from now on. */
  published(): () => Promise<readonly string[]>;
  /** Where every event is; see {@link whereabouts}. */
  where(store: IntakeStore): Promise<readonly string[]>;
}

/** Opens a database for the tests of a file. */
export function useMongoIntake(clock: Clock = new ManualClock(NOW)): MongoIntake {
  // Thousands of writes, each confirmed by the disk, on a machine that may be busy.
  jest.setTimeout(180_000);
  let opened: TestDatabase;
  let other: MongoDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(mongoCollections);
    other = await opened.second();
  });
  afterAll(() => opened.close());
  const published = () => collectPublications(laterOutbox(opened.database, mongoCollection(events), clock));
  return {
    get database() {
      return opened.database;
    },
    get other() {
      return other;
    },
    open: (database) => openMongo(database, clock).intake,
    async after(steps) {
      await opened.clear();
      const store = openMongo(other, clock).intake;
      for (const step of steps) await step(store);
      return store;
    },
    published,
    where: (store) => whereabouts(store, published()),
  };
}

/** Where the events are after one process has taken the steps in turn, in transactions. */
export async function inSqlite(steps: readonly Step[]): Promise<readonly string[]> {
  const { intake, published, close } = openStores();
  for (const step of steps) await step(intake);
  const result = await whereabouts(intake, published);
  await close();
  return result;
}
