import { AppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import { type Connection, createConnection, type Model } from 'mongoose';
import { type MongoCollection, missingOf } from './mongo-collection.ts';
import { asStoreError, isOutOfDiskSpace } from './mongo-errors.ts';
import { whileBuilding } from './mongo-index-builds.ts';
import { markOf, RECOVERY, RefusedDatabaseError } from './mongo-mark.ts';

/** What a database is opened with. */
export interface MongoDatabaseOptions {
  /** Connection string of a replica set, such as `mongodb://a:27017,b:27017/?replicaSet=rs0`. May hold a password: never logged. */
  readonly url: string;
  /** Name of the database. Every service has one of its own, and every environment. */
  readonly name: string;
  readonly logger: Logger;
  /** Connections at most; default 20. */
  readonly maxConnections?: number;
  /** Time that one command may take on its connection; default 4000 ms; 0 for no limit, as the migrate step has it for the indexes of large collections. */
  readonly commandTimeoutMs?: number;
}

/** How collections are migrated. */
export interface MongoMigrateOptions {
  /** Hears how far a long build is. */
  readonly progress?: (line: string) => void;
  /** Runs the build of a collection's missing indexes, which may take hours; default at once. */
  readonly building?: (build: () => Promise<void>) => Promise<void>;
}

/* The deadlines of one operation. Together they stay below OPERATION_MS, so that most failures say what they are. */
const SERVER_SELECTION_MS = 2000;
const CONNECT_MS = 2000;
const COMMAND_MS = 4000;
const WRITE_CONCERN_MS = 4000;

/** No operation takes longer for its caller, retries of the driver included. */
const OPERATION_MS = 5000;

const CONNECT_PAUSES = { firstMs: 500, maxMs: 5000 };
const MIGRATION_PAUSE_MS = 1000;
/** The migrate step marks databases before anything else: one that runs beside the start of a new installation has done so by then. */
const MARK_WAIT_MS = 60_000;

/** A pause that does not keep the process alive on its own account. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One MongoDB database of one service, over mongoose. Writes are acknowledged by the majority, journal included; reads
 * see what the majority has. Every operation goes through {@link run}, which bounds it in time and turns an absent
 * server into 50301.
 */
export class MongoDatabase {
  /** For tools and tests; stores go through {@link model} and {@link run}. */
  readonly connection: Connection;
  readonly #options: MongoDatabaseOptions;
  readonly #models = new Map<string, unknown>();
  #closed = false;

  constructor(options: MongoDatabaseOptions) {
    this.#options = options;
    this.connection = createConnection();
  }

  /**
   * Connects; waits for the server as long as it is away, and says so in the log. Ends early only by {@link close}.
   * @throws Error when the connection string cannot be used or the credentials are refused
   */
  async connect(): Promise<void> {
    const { url, name, logger, maxConnections = 20, commandTimeoutMs = COMMAND_MS } = this.#options;
    for (let failures = 0; !this.#closed; failures += 1) {
      try {
        await this.connection.openUri(url, {
          dbName: name,
          // Names the service in the server's list of operations.
          appName: name,
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          maxPoolSize: maxConnections,
          serverSelectionTimeoutMS: SERVER_SELECTION_MS,
          connectTimeoutMS: CONNECT_MS,
          socketTimeoutMS: commandTimeoutMs,
          waitQueueTimeoutMS: SERVER_SELECTION_MS,
          writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_CONCERN_MS },
          readConcern: { level: 'majority' },
          // Whatever the URL says: a claim is read back right after it was made.
          readPreference: 'primary',
          retryReads: true,
          retryWrites: true,
        });
        if (failures > 0) logger.info({ database: name, failures }, 'MongoDB responds');
        return;
      } catch (error) {
        const known = asStoreError(error);
        if (!(known instanceof AppError)) throw error;
        logger.warn({ database: name, err: error }, 'MongoDB does not respond; waiting for it');
        await pause(backOffMs(CONNECT_PAUSES, failures + 1, Math.random()));
      }
    }
  }

  /** The model of a collection; the same one for each call. */
  model<T>(collection: MongoCollection<T>): Model<T> {
    const known = this.#models.get(collection.name) as Model<T> | undefined;
    if (known !== undefined) return known;
    // The declaration has the type: mongoose cannot derive it from an erased schema.
    const model = this.connection.model(collection.name, collection.schema, collection.name) as unknown as Model<T>;
    this.#models.set(collection.name, model);
    return model;
  }

  /**
   * Runs operations with a deadline of 5 s over all of them.
   * @throws AppError 50301 when MongoDB is out, slow or between primaries (a write may have happened all the same); whatever else `work` throws as it is
   */
  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    try {
      // A query of mongoose starts again each time somebody waits for it: it is turned into one promise.
      return await within(OPERATION_MS, (async () => work())(), () => AppError.unavailable('The store did not respond in time; try again'));
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /**
   * Makes collections and their indexes where they lack. Idempotent; may run while services work. An index of a large
   * collection takes minutes or hours: open the database with `commandTimeoutMs: 0`.
   * @throws AppError 50301 when MongoDB is out or between primaries; any other error of the server as it is, also a full disk, which does not pass by itself
   */
  async migrate(collections: readonly MongoCollection<unknown>[], options: MongoMigrateOptions = {}): Promise<void> {
    try {
      for (const collection of collections) await this.#migrate(collection, options);
    } catch (error) {
      throw isOutOfDiskSpace(error) ? error : asStoreError(error);
    }
  }

  async #migrate(
    collection: MongoCollection<unknown>,
    { progress = () => undefined, building = (build) => build() }: MongoMigrateOptions,
  ): Promise<void> {
    const model = this.model(collection);
    await model.createCollection();
    const build = (): Promise<void> => whileBuilding(this.connection, collection.name, model.createIndexes(), progress);
    const isLacking = (await this.missing([collection])).length > 0;
    // Also when none is missing: the server refuses one that differs.
    await (isLacking ? building(build) : build());
  }

  /**
   * What {@link migrate} would make: `collection` or `collection.index` names; empty when all is there.
   * @throws AppError 50301
   */
  async missing(collections: readonly MongoCollection<unknown>[]): Promise<readonly string[]> {
    return this.run(async () => {
      const { db } = this.connection;
      if (db === undefined) throw AppError.unavailable('The store is not connected');
      const names = await Promise.all(collections.map((collection) => missingOf(db, collection)));
      return names.flat();
    });
  }

  /**
   * True when the migrate step has marked the database.
   * @throws RefusedDatabaseError when its mark is of another environment; AppError 50301
   */
  async isMarked(environment: string): Promise<boolean> {
    return this.run(async () => {
      const { db } = this.connection;
      if (db === undefined) throw AppError.unavailable('The store is not connected');
      return (await markOf(db, environment)) !== undefined;
    });
  }

  /** Resolves when MongoDB responds. @throws AppError 50301 */
  async check(): Promise<void> {
    await this.run(
      async () => this.connection.db?.command({ ping: 1 }) ?? Promise.reject(AppError.unavailable('The store is not connected')),
    );
  }

  /** Ends the connections. Operations under way fail with 50301. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.connection.close();
  }
}

/** What a database must be that a service opens. */
export interface ExpectedDatabase {
  readonly environment: string;
  readonly collections: readonly MongoCollection<unknown>[];
  /** How long the service waits for the mark; default one minute. */
  readonly markWaitMs?: number;
}

/**
 * Opens a database and waits until it can be used: connected, with its mark, and with every collection and index made by `migrate`. A
 * service must not write without its constraints, so it waits for the migration instead of making indexes itself. For its mark it waits a
 * minute: a database without one is new, or has lost its data, and the service alone cannot know which.
 * @throws Error when the connection string cannot be used or the credentials are refused
 * @throws RefusedDatabaseError when the database has no mark, or one of another environment
 */
export async function openMongoDatabase(
  options: MongoDatabaseOptions,
  { environment, collections, markWaitMs = MARK_WAIT_MS }: ExpectedDatabase,
): Promise<MongoDatabase> {
  const { name, logger } = options;
  const database = new MongoDatabase(options);
  await database.connect();
  let unmarkedSince: number | undefined;
  try {
    for (;;) {
      try {
        const missing = await database.missing(collections);
        if (!(await database.isMarked(environment))) {
          unmarkedSince ??= performance.now();
          if (performance.now() - unmarkedSince >= markWaitMs)
            throw new RefusedDatabaseError(
              `The database ${name} has no data of this installation. If it is new, run the migrate step. ${RECOVERY}`,
            );
          logger.warn({ database: name }, 'The database has no data of this installation; waiting for the migrate step');
        } else if (missing.length === 0) return database;
        else logger.warn({ database: name, missing }, 'The database is not migrated; waiting for the migrate step');
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        logger.warn({ database: name, err: error }, 'MongoDB does not respond; waiting for it');
      }
      await pause(MIGRATION_PAUSE_MS);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}
