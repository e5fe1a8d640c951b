import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';

const WRITES = new Set(['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'deleteOne', 'deleteMany', 'findOneAndUpdate']);

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * The database as a process sees it that dies: after `writes` others it begins one more, of which it learns nothing, and
 * then no other operation.
 * @param takesPlace whether that last write reaches the database
 */
export function dyingAfter(database: MongoDatabase, writes: number, takesPlace: boolean): MongoDatabase {
  let begun = 0;
  const died = (): AppError => AppError.unavailable('The process has died');
  const wrapped = (collection: object, name: string): Method => {
    const method = (Reflect.get(collection, name) as Method).bind(collection);
    return async (...given) => {
      begun += 1;
      if (begun > writes + 1) throw died();
      if (begun <= writes) return method(...given);
      if (takesPlace) await method(...given);
      throw died();
    };
  };
  const collectionOf = (collection: object): object =>
    new Proxy(collection, {
      get(target, name) {
        if (begun > writes) throw died();
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return WRITES.has(String(name)) ? wrapped(target, String(name)) : value.bind(target);
      },
    });
  const dying: Pick<MongoDatabase, 'model' | 'run' | 'connection'> = {
    connection: database.connection,
    model: (collection) => ({ collection: collectionOf(database.model(collection).collection) }) as never,
    run: (work) => database.run(work),
  };
  return dying as MongoDatabase;
}
