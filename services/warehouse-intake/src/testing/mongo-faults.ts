import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';

type Run = <T>(work: () => PromiseLike<T>) => Promise<T>;

/** The database with another way to run operations. */
function withRun(database: MongoDatabase, run: Run): MongoDatabase {
  const wrapped: Pick<MongoDatabase, 'model' | 'run' | 'check'> = {
    model: (collection) => database.model(collection),
    check: () => database.check(),
    run,
  };
  return wrapped as MongoDatabase;
}

/**
 * The database as a process sees it that dies: it learns nothing of the operation that begins after `operations` others,
 * which takes place all the same, and begins none after that.
 */
export function dyingAfter(database: MongoDatabase, operations: number): MongoDatabase {
  let begun = 0;
  return withRun(database, async (work) => {
    begun += 1;
    if (begun > operations + 1) throw AppError.unavailable('The process is dead');
    const last = begun === operations + 1;
    const result = await database.run(work);
    if (last) throw AppError.unavailable('The process has died');
    return result;
  });
}

/** The database over a connection of changing speed: each operation begins up to `maxMs` later. */
export function unsteady(database: MongoDatabase, maxMs: number): MongoDatabase {
  return withRun(database, async (work) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
    return database.run(work);
  });
}

/** A process that stops before one of its operations until it is told to go on. */
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
