import type { Logger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';

/** A server that is still starting is waited for this long. */
const DEADLINE_MS = 120_000;
const RETRY_MS = 500;

/** MongoDB's error code for a member without a replica set configuration (error_codes.yml: NotYetInitialized). */
const NOT_YET_INITIALIZED = 94;

/** Runs one administrative command. @throws MongoDB's error */
async function command(database: MongoDatabase, words: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { db } = database.connection;
  if (db === undefined) throw new Error('MongoDB is not connected');
  return db.admin().command(words);
}

async function isInitiated(database: MongoDatabase): Promise<boolean> {
  try {
    await command(database, { replSetGetStatus: 1 });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_YET_INITIALIZED) return false;
    throw error;
  }
}

async function becomePrimary(database: MongoDatabase, deadline: number): Promise<void> {
  for (;;) {
    const { isWritablePrimary } = (await command(database, { hello: 1 })) as { isWritablePrimary?: boolean };
    if (isWritablePrimary) return;
    if (performance.now() + RETRY_MS > deadline) throw new Error('the member has not become primary within 2 minutes');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * Makes a MongoDB server a replica set of its own, unless it belongs to one, and waits until it takes writes. The
 * platform needs a replica set (retryable writes, reads from the majority), be it of one member.
 * @param member `host:port`, as every client reaches it
 * @param url connection string of the installation, which names the replica set
 * @returns true when the replica set was made, false when it was there
 * @throws Error when the URL names no replica set, or MongoDB does not respond or refuses within 2 minutes
 */
export async function initiateReplicaSet(member: string, url: string, logger: Logger): Promise<boolean> {
  const [, name] = /[?&]replicaSet=([^&]+)/.exec(url) ?? [];
  if (name === undefined) throw new Error('MONGODB_URL names no replica set; it must end with ?replicaSet= and a name');
  const deadline = performance.now() + DEADLINE_MS;
  const database = new MongoDatabase({ url: `mongodb://${member}/?directConnection=true`, name: 'admin', logger });
  // Connecting waits for the server as long as it is away; closing ends the wait.
  const timer = setTimeout(
    () => void database.close().catch((error: unknown) => logger.error({ err: error }, 'Closing failed')),
    DEADLINE_MS,
  );
  try {
    await database.connect();
    const made = !(await isInitiated(database));
    if (made) await command(database, { replSetInitiate: { _id: name, members: [{ _id: 0, host: member }] } });
    await becomePrimary(database, deadline);
    return made;
  } catch (error) {
    throw new Error(`Cannot set up the replica set of ${member}: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    await database.close();
  }
}
