import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { Collection } from '@parcelway/store/collection';

/** What a service keeps in its database. */
export interface ServiceStore {
  readonly name: string;
  /** What it declares of it. */
  readonly declared?: readonly Collection[];
  /** Loads the service's code when called, not before. */
  collections(): Promise<readonly MongoCollection<unknown>[]>;
}
