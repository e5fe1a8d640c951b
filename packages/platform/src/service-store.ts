import type { Collection } from '@parcelway/store/collection';

/** What a service keeps in its database. */
export interface ServiceStore {
  readonly name: string;
  readonly collections: readonly Collection[];
}
