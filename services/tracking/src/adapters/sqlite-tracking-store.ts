import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import type { TrackingStore } from '../ports.ts';
import { PollLeases } from './poll-leases.ts';
import { createSqliteParcelStore } from './sqlite-parcels.ts';
import { createSqlitePollQueue } from './sqlite-poll-queue.ts';
import { createSqliteRetention } from './sqlite-retention.ts';
import { createSqliteShipmentReader } from './sqlite-shipment-reader.ts';
import { createSqliteSimulatedParcels } from './sqlite-simulated-nodes.ts';

/** The tracking store in the service's SQLite file. @param db has the tracking migrations */
export function createSqliteTrackingStore(db: SqliteDatabase, outbox: SqliteOutbox): TrackingStore {
  const leases = new PollLeases();
  return {
    ...createSqliteParcelStore(db, outbox, leases),
    ...createSqliteShipmentReader(db),
    ...createSqlitePollQueue(db, leases),
    ...createSqliteSimulatedParcels(db),
    ...createSqliteRetention(db),
    async check() {
      db.get('SELECT 1 AS one');
    },
  };
}
