import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { type ParcelDocument, parcels, trackingCollections } from '@parcelway/service-tracking/adapters/mongo-schema';
import { CONNECTION_ID, FACTOR, forecastNoOf, MODULUS, poNumberOf, REFERENCE, trackingNumberOf } from './numbers.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;
const WATCHED_FOR_MS = 48 * HOUR_MS;
/** Batches and indexes of a million documents take longer than a command of a service may. */
const COMMAND_MS = 120_000;

/** Opens the database of a tracking service on the server of MONGODB_URL. */
export async function openTrackingDatabase(name: string, commandTimeoutMs?: number): Promise<MongoDatabase> {
  const db = new MongoDatabase({
    url: process.env['MONGODB_URL'] ?? '',
    name,
    logger: silentLogger,
    ...(commandTimeoutMs !== undefined && { commandTimeoutMs }),
  });
  await db.connect();
  return db;
}

function documentOf(tenantId: string, index: number, dueEvery: number, now: number): ParcelDocument {
  const watchedSince = now - WATCHED_FOR_MS + (index % HOUR_MS);
  const isDue = dueEvery > 0 && index % dueEvery === 0;
  const forecastNo = forecastNoOf(index);
  return {
    _id: `${tenantId}/${forecastNo}`,
    tenant_id: tenantId,
    forecast_no: forecastNo,
    po_number: poNumberOf(index),
    forecast_id: index,
    accepted_at: now - WATCHED_FOR_MS,
    is_cancelled: false,
    revision: 1,
    shipment: {
      carrier_code: 'bench-carrier',
      tracking_number: trackingNumberOf(index),
      watch: 1,
      sequence: '1',
      watched_since: watchedSince,
      published_status: '',
      last_change_at: watchedSince,
      next_poll_at: now + (isDue ? (index % 60_000) - 60_000 : HOUR_MS + (((index * FACTOR) % MODULUS) % (6 * HOUR_MS))),
      lease_until: 0,
      wakes: 0,
      failures: 0,
      registration: { connection_id: CONNECTION_ID, reference: REFERENCE, at: now, is_taken: true },
    },
  };
}

/**
 * Puts shipments under watch in MongoDB, and makes the collections of the service where they lack.
 * @param dueEvery every so many-th is due now; none for 0
 */
export async function fillMongo(name: string, tenantId: string, count: number, dueEvery: number): Promise<void> {
  const db = await openTrackingDatabase(name, COMMAND_MS);
  try {
    await db.migrate(trackingCollections);
    const model = db.model(parcels);
    const now = Date.now();
    for (let from = 1; from <= count; from += BATCH) {
      const documents = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, at) =>
        documentOf(tenantId, from + at, dueEvery, now),
      );
      await model.insertMany(documents, { ordered: false, lean: true });
    }
  } finally {
    await db.close();
  }
}

/** Drops the database. */
export async function dropTrackingDatabase(name: string): Promise<void> {
  const db = await openTrackingDatabase(name, COMMAND_MS);
  await db.connection.dropDatabase();
  await db.close();
}
