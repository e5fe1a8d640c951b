import type { SqlScript } from '@parcelway/sqlite/own-names';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { deliveryDays, usageDays } from '@parcelway/store/shared/usage-days';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';

/*
 * Indexes start with the tenant, with two exceptions. `deliveries_queue` and those of the upkeep serve the platform's own work over all tenants; nothing
 * a tenant asks for is read from them. Indexes of ids start with the id: ids rise with time, so new rows come at the end of the index, on a page that is
 * about to be written anyway. With the tenant first each would be on a page of its own, and writing pages is most of what a delivery costs.
 *
 * `position` is the rowid: it rises with the time of insertion, which lets the retention walk the tables from the old end without an index on time, and is
 * the order of the event feed: one process writes, so it is the order of the commits as well. A replay finds the events of a range in the order of the feed
 * too, in whose index is when they happened.
 */

/**
 * Secrets are stored as they are: every attempt is signed with them, so whoever can send can read them, and a key beside
 * the file would protect nothing. They leave the store only for signing and the two responses that show them.
 * The partial indexes serve the upkeep of all tenants and hold next to nothing.
 */
const endpoints = `CREATE TABLE endpoints (
    tenant_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    url TEXT NOT NULL,
    event_types TEXT NOT NULL,
    filter TEXT NOT NULL DEFAULT '{}',
    headers TEXT NOT NULL DEFAULT '{}',
    metadata TEXT NOT NULL DEFAULT '{}',
    payload TEXT NOT NULL DEFAULT 'thin',
    rate_limit INTEGER,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    disabled_reason TEXT,
    paused_at INTEGER,
    disabling_to_publish INTEGER,
    circuit TEXT,
    slowed_until INTEGER,
    secret TEXT NOT NULL,
    former_secret TEXT,
    former_secret_until INTEGER,
    failing_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, endpoint_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX endpoints_unpublished ON endpoints (disabling_to_publish) WHERE disabling_to_publish IS NOT NULL AND deleted = 0;
  CREATE INDEX endpoints_paused ON endpoints (paused_at) WHERE paused_at IS NOT NULL AND deleted = 0;
  CREATE INDEX endpoints_disabled ON endpoints (tenant_id, endpoint_id) WHERE status = 'disabled' AND deleted = 0;
  CREATE INDEX endpoints_deleted ON endpoints (tenant_id, endpoint_id) WHERE deleted = 1`;

/**
 * Each stream has an index and numbers of its own: `stream` is 0 for what everybody gets, 1 for test events, which are in no feed, and 2 for events that
 * only those hear of who name their types.
 */
const events = `CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    forecast_no TEXT,
    event_seq INTEGER,
    type TEXT NOT NULL,
    po_number TEXT,
    body TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    stream INTEGER NOT NULL DEFAULT 0,
    -- The trace that an attempt belongs to.
    traceparent TEXT
  ) STRICT;
  CREATE UNIQUE INDEX events_once ON events (event_id, tenant_id);
  CREATE INDEX events_feed ON events (tenant_id, position, occurred_at) WHERE stream = 0;
  CREATE INDEX events_opt_in ON events (tenant_id, position, occurred_at) WHERE stream = 2;
  -- Finds those of a tenant that is erased.
  CREATE INDEX events_test ON events (tenant_id, position) WHERE stream = 1;
  -- What happened to one parcel, each stream in the order of the feed.
  CREATE INDEX events_of_parcel ON events (tenant_id, po_number, stream, position) WHERE po_number IS NOT NULL;
  CREATE TABLE forecast_sequences (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    last_opt_in_seq INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no)
  ) STRICT`;

/** `deliveries_mark` has one row: no delivery before this position is `sending` (see sqlite-in-flight). */
const deliveries = `CREATE TABLE deliveries (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    po_number TEXT,
    test INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    attempt_count INTEGER NOT NULL DEFAULT 0,
    step INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    next_reason TEXT,
    available_at INTEGER,
    last_status_code INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_once ON deliveries (event_id, tenant_id, endpoint_id);
  CREATE UNIQUE INDEX deliveries_by_id ON deliveries (delivery_id, tenant_id);
  CREATE INDEX deliveries_by_endpoint ON deliveries (tenant_id, endpoint_id, position);
  CREATE INDEX deliveries_unfinished ON deliveries (tenant_id, endpoint_id, status, position) WHERE status NOT IN ('succeeded', 'sending');
  CREATE INDEX deliveries_queue ON deliveries (endpoint_id, available_at) WHERE status = 'pending';
  CREATE TABLE deliveries_mark (position INTEGER NOT NULL) STRICT;
  INSERT INTO deliveries_mark VALUES (1)`;

/** In the order of their deliveries. */
const attempts = `CREATE TABLE attempts (
    delivery_position INTEGER NOT NULL,
    attempt_number INTEGER NOT NULL,
    attempt_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status_code INTEGER,
    error TEXT,
    error_code TEXT,
    response_body TEXT,
    url TEXT NOT NULL,
    retry_after TEXT,
    PRIMARY KEY (delivery_position, attempt_number)
  ) STRICT, WITHOUT ROWID`;

/** Schema of the webhook service's file; append-only from the first release on. */
export const webhookMigrations: readonly SqlScript[] = [
  endpoints,
  events,
  deliveries,
  attempts,
  sqliteSchema([idempotencyKeys, erasedTenants, usageDays, deliveryDays]),
];
