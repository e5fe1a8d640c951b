import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { photoUses } from '../retention/adapters/mongo-retention-schema.ts';

/** Many more than any operation on one forecast may read. */
const MANY = 1500;
const MOST_READ = 100;

/**
 * Writes what many forecasts have noted, every second one of `tenantId`, the others of other tenants: the marker of their own images, and the use of a photo.
 * @param token of the photo that all of these forecasts have
 */
export async function addCrowd(db: MongoDatabase, tenantId: string, token: string): Promise<void> {
  const uses = Array.from({ length: MANY }, (_, index) => {
    const use = { tenant_id: index % 2 === 0 ? tenantId : `tnt_many_${index}`, forecast_no: `many ${index}` };
    return [
      { ...use, token: '', revision: 1 },
      { ...use, token, revision: 1 },
    ];
  });
  await db.model(photoUses).collection.insertMany(uses.flat());
}

interface Profiled {
  readonly op: string;
  readonly command: { readonly filter?: object; readonly q?: object };
  readonly keysExamined?: number;
  readonly docsExamined?: number;
}

/** Operations since the start of the profile that read far more uses of photos than one forecast has. Empty when there was none. */
export async function crowdReads(db: MongoDatabase): Promise<readonly string[]> {
  const connected = db.connection.db;
  const read = { $or: [{ keysExamined: { $gt: MOST_READ } }, { docsExamined: { $gt: MOST_READ } }] };
  if (connected === undefined) throw new Error('The database is not connected');
  // A suite empties its collections by an empty filter.
  const filter = { ns: `${connected.databaseName}.${photoUses.name}`, 'command.q': { $ne: {} }, ...read };
  const found = await connected.collection<Profiled>('system.profile').find(filter).toArray();
  return found.map(({ op, command, keysExamined }) => `${op} ${keysExamined}: ${JSON.stringify(command.filter ?? command.q)}`);
}
