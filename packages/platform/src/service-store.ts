import type { MongoCollection } from '@parcelway/mongo/mongo-collection';

/** What a service keeps in its database. */
export interface ServiceStore {
  readonly name: string;
  /** Loads the service's code when called, not before. */
  collections(): Promise<readonly MongoCollection<unknown>[]>;
}
