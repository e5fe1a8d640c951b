import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { connectionLimitsColumn, connectionTables } from '../connections/adapters/sqlite-schema.ts';

/**
 * Every index begins with the tenant, but for those that serve the platform's own work across all tenants:
 * what is due, what is past its time, and what a source pushes.
 */
const tables = `
CREATE TABLE forecasts (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  po_number TEXT NOT NULL,
  forecast_id INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  PRIMARY KEY (tenant_id, forecast_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX forecasts_by_po ON forecasts (tenant_id, po_number, accepted_at);
CREATE INDEX forecasts_by_age ON forecasts (accepted_at);

CREATE TABLE shipments (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  po_number TEXT NOT NULL,
  carrier_code TEXT NOT NULL,
  tracking_number TEXT NOT NULL,
  watch INTEGER NOT NULL,
  sequence TEXT NOT NULL,
  watched_since INTEGER NOT NULL,
  published_status TEXT NOT NULL DEFAULT '',
  last_change_at INTEGER NOT NULL,
  next_poll_at INTEGER,
  lease_until INTEGER NOT NULL DEFAULT 0,
  wakes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, forecast_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX shipments_due ON shipments (next_poll_at) WHERE next_poll_at IS NOT NULL;
CREATE INDEX shipments_by_age ON shipments (last_change_at) WHERE next_poll_at IS NULL;

CREATE TABLE nodes (
  tenant_id TEXT NOT NULL,
  forecast_no TEXT NOT NULL,
  watch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  digest TEXT NOT NULL,
  instant INTEGER NOT NULL,
  node TEXT NOT NULL,
  PRIMARY KEY (tenant_id, forecast_no, watch, seq),
  UNIQUE (tenant_id, forecast_no, watch, digest)
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

/**
 * A forecast has several parcels: the first one has the further_number '', each other one its tracking number.
 *
 * A shipment is a wide row that polls change, so its table is one of rows by number, which stays flat, and no index but that of what is due depends on
 * the time of the next poll. That a node is stored once follows from the decision, which is made on the stored digests.
 */
const furtherParcels = `
ALTER TABLE forecasts ADD COLUMN further_numbers TEXT;

ALTER TABLE shipments RENAME TO former_shipments;
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
  dispatched_at INTEGER,
  is_watched INTEGER NOT NULL,
  published_status TEXT NOT NULL DEFAULT '',
  last_change_at INTEGER NOT NULL,
  next_poll_at INTEGER,
  wakes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER NOT NULL DEFAULT 0,
  reported_at INTEGER NOT NULL DEFAULT 0,
  registration TEXT,
  undated TEXT,
  sealed_details TEXT,
  PRIMARY KEY (tenant_id, forecast_no, further_number)
) STRICT;
INSERT INTO shipments SELECT tenant_id, forecast_no, '', po_number, carrier_code, tracking_number, watch, sequence, watched_since,
  dispatched_at, next_poll_at IS NOT NULL, published_status, last_change_at, next_poll_at, wakes, failures, asked_at, asked_at, registration,
  undated, sealed_details
  FROM former_shipments;
DROP TABLE former_shipments;
CREATE INDEX shipments_due ON shipments (next_poll_at, tenant_id, forecast_no, further_number) WHERE next_poll_at IS NOT NULL;
CREATE INDEX shipments_by_age ON shipments (last_change_at) WHERE is_watched = 0;
CREATE INDEX shipments_by_number ON shipments (tracking_number, watched_since) WHERE is_watched = 1;

ALTER TABLE nodes RENAME TO former_nodes;
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
INSERT INTO nodes SELECT tenant_id, forecast_no, '', watch, seq, digest, instant, node FROM former_nodes;
DROP TABLE former_nodes;
`;

/** Schema of the tracking store; append-only. */
export const trackingMigrations: readonly string[] = [
  tables,
  SqliteOutbox.schema,
  // The live forecast of a po_number comes first, then the newest.
  `DROP INDEX forecasts_by_po;
  CREATE INDEX forecasts_by_po ON forecasts (tenant_id, po_number, cancelled_at IS NOT NULL, accepted_at DESC, forecast_id DESC)`,
  `ALTER TABLE shipments ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE shipments ADD COLUMN registration TEXT;
  ALTER TABLE shipments ADD COLUMN undated TEXT;
  ALTER TABLE shipments ADD COLUMN sealed_details TEXT;
  ALTER TABLE shipments ADD COLUMN dispatched_at INTEGER;
  CREATE INDEX shipments_by_number ON shipments (tracking_number, watched_since) WHERE next_poll_at IS NOT NULL;`,
  connectionTables,
  SqliteIdempotencyStore.schema,
  furtherParcels,
  connectionLimitsColumn,
  SqliteErasedTenants.schema,
  SqliteWorkLease.schema,
];
