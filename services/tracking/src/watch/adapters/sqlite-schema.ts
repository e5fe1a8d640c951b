import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { connectionCollections } from '../../accounts/connection-collections.ts';

/**
 * Every index begins with the tenant, but for those that serve the platform's own work across all tenants:
 * what is due, what is past its time, and what a source pushes.
 *
 * A forecast has several parcels: the first one has the further_number '', each other one its tracking number. Of the forecasts of a po_number,
 * the live one comes first in its index, then the newest.
 *
 * A shipment is a wide row that polls change, so its table is one of rows by number, which stays flat, and no index but that of what is due depends on
 * the time of the next poll. That a node is stored once follows from the decision, which is made on the stored digests.
 */
const tables = `
CREATE TABLE forecasts (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  po_number TEXT NOT NULL,
  forecast_id INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  further_numbers TEXT,
  PRIMARY KEY (tenant_id, forecast_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX forecasts_by_po ON forecasts (tenant_id, po_number, cancelled_at IS NOT NULL, accepted_at DESC, forecast_id DESC);
CREATE INDEX forecasts_by_age ON forecasts (accepted_at);

CREATE TABLE shipments (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  further_number TEXT NOT NULL,
  po_number TEXT NOT NULL,
  carrier_code TEXT NOT NULL,
  tracking_number TEXT NOT NULL,
  watch INTEGER NOT NULL,
  sequence TEXT NOT NULL,
  watched_since INTEGER NOT NULL,
  dispatched_at INTEGER NOT NULL,
  is_watched INTEGER NOT NULL,
  published_status TEXT NOT NULL DEFAULT '',
  last_change_at INTEGER NOT NULL,
  next_poll_at INTEGER,
  wakes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER NOT NULL DEFAULT 0,
  reported_at INTEGER NOT NULL DEFAULT 0,
  registration TEXT,
  sealed_details TEXT,
  PRIMARY KEY (tenant_id, forecast_no, further_number)
) STRICT;
CREATE INDEX shipments_due ON shipments (next_poll_at, tenant_id, forecast_no, further_number) WHERE next_poll_at IS NOT NULL;
CREATE INDEX shipments_by_age ON shipments (last_change_at) WHERE is_watched = 0;
CREATE INDEX shipments_by_number ON shipments (tracking_number, watched_since) WHERE is_watched = 1;

CREATE TABLE nodes (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  further_number TEXT NOT NULL,
  watch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  digest TEXT NOT NULL,
  instant INTEGER NOT NULL,
  node TEXT NOT NULL,
  PRIMARY KEY (tenant_id, forecast_no, further_number, watch, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE simulated_nodes (
  tenant_id TEXT NOT NULL,
  tracking_number TEXT NOT NULL,
  seq INTEGER NOT NULL,
  instant INTEGER NOT NULL,
  node TEXT NOT NULL,
  PRIMARY KEY (tenant_id, tracking_number, seq)
) STRICT, WITHOUT ROWID;
`;

/** Schema of the tracking store; append-only from the first release on. */
export const trackingMigrations: readonly string[] = [
  tables,
  SqliteOutbox.schema,
  sqliteSchema([...connectionCollections, idempotencyKeys, erasedTenants, workLeases]),
];
