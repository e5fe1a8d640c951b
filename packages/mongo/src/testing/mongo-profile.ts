import type { MongoDatabase } from '../mongo-database.ts';

/** Room for the operations of a whole suite, in bytes. */
const PROFILE_BYTES = 64 * 1024 * 1024;

/** An operation as the server's profiler writes it down. */
interface ProfiledOperation {
  readonly op: string;
  readonly ns: string;
  readonly planSummary?: string;
  readonly command?: object;
}

/** Has the server write down every operation on this database from now on, with the plan that it took. */
export async function startProfile(database: MongoDatabase): Promise<void> {
  const db = database.connection.db;
  if (db === undefined) throw new Error('The database is not connected');
  await db.command({ profile: 0 });
  await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await db.command({ profile: 2 });
}

/**
 * The operations since {@link startProfile} that went through a whole collection: what is quick in a test and stands
 * still with a million documents. Empty when there was none.
 */
export async function collectionScansOf(database: MongoDatabase): Promise<readonly string[]> {
  const db = database.connection.db;
  if (db === undefined) throw new Error('The database is not connected');
  await db.command({ profile: 0 });
  const scans = await db
    .collection<ProfiledOperation>('system.profile')
    .find({ planSummary: /COLLSCAN/, ns: { $not: /\.system\./ } })
    .toArray();
  return scans.map(({ op, ns, planSummary, command }) => `${op} ${ns} ${planSummary}: ${JSON.stringify(command).slice(0, 600)}`);
}
