import type { Logger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { type DatabaseMark, markOf, RECOVERY, RefusedDatabaseError, writeMark } from '@parcelway/mongo/mongo-mark';

/** The databases of a distributed installation. */
export interface MarkedDatabases {
  readonly mongoUrl: string;
  /** One for each service, at least one. */
  readonly databases: readonly { readonly service: string; readonly name: string }[];
  readonly environment: string;
}

/**
 * Marks every database of an installation that has no mark yet, and lists all of them in each mark. Idempotent. One that is
 * listed elsewhere and has no mark itself was dropped or emptied.
 * @param isRestored the databases have just been restored: what other marks list is no loss
 * @throws RefusedDatabaseError that names every lost database, or one of another environment; AppError 50301
 */
export async function markDatabases(
  { mongoUrl, databases, environment }: MarkedDatabases,
  logger: Logger,
  { isRestored = false }: { readonly isRestored?: boolean } = {},
): Promise<void> {
  const [{ name: first } = { name: '' }] = databases;
  const database = new MongoDatabase({ url: mongoUrl, name: first, logger });
  try {
    await database.connect();
    const client = database.connection.getClient();
    const read = (name: string): Promise<DatabaseMark | undefined> => database.run(() => markOf(client.db(name), environment));
    const write = (name: string, services: readonly string[]): Promise<void> =>
      database.run(() => writeMark(client.db(name), { environment, services }));
    const listed = new Set((await Promise.all(databases.map(({ name }) => read(name)))).flatMap((mark) => mark?.services ?? []));
    // Behind the lists: who lists a database has marked it before, also when another process migrates at the same time.
    const marks = await Promise.all(databases.map(({ name }) => read(name)));
    const unmarked = databases.filter((_, index) => marks[index] === undefined);
    const lost = isRestored ? [] : unmarked.filter(({ service }) => listed.has(service)).map(({ name }) => name);
    if (lost.length > 0)
      throw new RefusedDatabaseError(`The migrate step found no data of this installation in ${lost.join(' and ')}. ${RECOVERY}`);
    for (const { service, name } of unmarked) await write(name, [service]);
    // Last: a run that ends half-way leaves no database that is listed and has no mark.
    for (const { name } of databases)
      await write(
        name,
        databases.map(({ service }) => service),
      );
  } finally {
    await database.close();
  }
}
