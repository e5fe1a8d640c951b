import type { mongo } from 'mongoose';

/** Holds the mark of a database. No service declares it: it is made with the mark, never without. */
export const MARK_COLLECTION = 'installation';

const ID = 'mark';

/** What the migrate step leaves in the database of a service. One that was dropped or emptied has lost it. */
export interface DatabaseMark {
  readonly environment: string;
  /** Services whose databases are marked: so the other databases know of one that has lost its mark. */
  readonly services: readonly string[];
}

/** A database that must not be used: an empty or foreign one would hide the loss. Its message says what to do. */
export class RefusedDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedDatabaseError';
  }
}

/** What to do about a database that has lost its data. */
export const RECOVERY =
  'To recover lost data, put it back, or restore a backup under new names: ' +
  'RESOURCE_PREFIX=<new name> KAFKA_PREFIX=<new prefix> parcelctl restore --from <backup>';

const collectionIn = (database: mongo.Db) => database.collection<DatabaseMark & { readonly _id: string }>(MARK_COLLECTION);

/**
 * The mark of a database; undefined when it has none.
 * @throws RefusedDatabaseError when the mark is of another environment; the driver's error
 */
export async function markOf(database: mongo.Db, environment: string): Promise<DatabaseMark | undefined> {
  const mark = await collectionIn(database).findOne({ _id: ID });
  if (mark === null || mark.environment === environment) return mark ?? undefined;
  const belongs = `The database ${database.databaseName} belongs to the ${mark.environment} environment`;
  throw new RefusedDatabaseError(`${belongs}; ENVIRONMENT is ${environment}. Set RESOURCE_PREFIX to another name.`);
}

/** Marks a database. The services in its mark stay. @throws the driver's error */
export async function writeMark(database: mongo.Db, { environment, services }: DatabaseMark): Promise<void> {
  const change = { $set: { environment }, $addToSet: { services: { $each: [...services] } } };
  await collectionIn(database).updateOne({ _id: ID }, change, { upsert: true });
}
