import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { SqliteUsage } from '@parcelway/sqlite/usage';

/**
 * Migrations of the webhook service's file; append-only.
 *
 * Indexes start with the tenant, with two exceptions. `deliveries_queue` serves the senders, which work for all tenants
 * and go from endpoint to endpoint; nothing a tenant asks for is read from it. Indexes of ids start with the id: ids rise
 * with time, so new rows come at the end of the index, on a page that is about to be written anyway. With the
 * tenant first each would be on a page of its own, and writing pages is most of what a delivery costs.
 *
 * Secrets are stored as they are: every attempt is signed with them, so whoever can send can read them, and a key beside
 * the file would protect nothing. They leave the store only for signing and the two responses that show them.
 *
 * `position` is the rowid: it rises with the time of insertion, which lets the retention walk the tables from the old end
 * without an index on time, and is the order of the event feed: one process writes, so it is the order of the commits as well. A replay
 * finds the events of a range in the order of the feed too, in whose index is when they happened.
 */
export const webhookMigrations: readonly string[] = [
  `CREATE TABLE endpoints (
    tenant_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    url TEXT NOT NULL,
    event_types TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    disabled_reason TEXT,
    secret TEXT NOT NULL,
    former_secret TEXT,
    former_secret_until INTEGER,
    failing_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, endpoint_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    forecast_no TEXT,
    event_seq INTEGER,
    type TEXT NOT NULL,
    po_number TEXT,
    body TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_once ON events (tenant_id, event_id);
  CREATE INDEX events_by_time ON events (tenant_id, occurred_at, position);

  CREATE TABLE forecast_sequences (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no)
  ) STRICT;

  CREATE TABLE deliveries (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    po_number TEXT,
    status TEXT NOT NULL,
    attempt_count INTEGER NOT NULL DEFAULT 0,
    step INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    available_at INTEGER,
    last_status_code INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_once ON deliveries (tenant_id, event_id, endpoint_id);
  CREATE UNIQUE INDEX deliveries_by_id ON deliveries (tenant_id, delivery_id);
  CREATE INDEX deliveries_by_endpoint ON deliveries (tenant_id, endpoint_id, position);
  CREATE INDEX deliveries_unfinished ON deliveries (tenant_id, endpoint_id, status, position) WHERE status <> 'succeeded';
  CREATE INDEX deliveries_queue ON deliveries (endpoint_id, available_at) WHERE status = 'pending';

  CREATE TABLE attempts (
    tenant_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    attempt_number INTEGER NOT NULL,
    attempt_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status_code INTEGER,
    error TEXT,
    response_body TEXT,
    PRIMARY KEY (tenant_id, delivery_id, attempt_number)
  ) STRICT, WITHOUT ROWID;`,

  // What the new fields say of rows that were there before. `endpoints_untold` and `endpoints_paused` serve the maintenance of all
  // tenants and hold next to nothing.
  `ALTER TABLE endpoints ADD COLUMN filter TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE endpoints ADD COLUMN headers TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE endpoints ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE endpoints ADD COLUMN rate_limit INTEGER;
  ALTER TABLE endpoints ADD COLUMN paused_at INTEGER;
  ALTER TABLE endpoints ADD COLUMN disabling_to_tell INTEGER;
  ALTER TABLE endpoints ADD COLUMN circuit TEXT;
  CREATE INDEX endpoints_untold ON endpoints (disabling_to_tell) WHERE disabling_to_tell IS NOT NULL AND deleted = 0;
  CREATE INDEX endpoints_paused ON endpoints (paused_at) WHERE paused_at IS NOT NULL AND deleted = 0;

  ALTER TABLE events ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
  UPDATE events SET test = 1 WHERE type = 'endpoint.test';
  CREATE INDEX events_feed ON events (tenant_id, position) WHERE test = 0;

  ALTER TABLE deliveries ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN next_reason TEXT;
  UPDATE deliveries SET test = 1 WHERE event_type = 'endpoint.test';
  UPDATE deliveries SET next_reason = CASE step WHEN 0 THEN 'first' ELSE 'schedule' END WHERE status = 'pending';

  ALTER TABLE attempts ADD COLUMN url TEXT NOT NULL DEFAULT '';
  ALTER TABLE attempts ADD COLUMN retry_after TEXT;`,

  // From here on fewer pages are written for each delivery. Attempts are in the order of their deliveries. `deliveries_mark` has one row:
  // no delivery before this position is `sending` (see sqlite-in-flight).
  `CREATE TABLE attempts_in_order (
    delivery_position INTEGER NOT NULL,
    attempt_number INTEGER NOT NULL,
    attempt_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status_code INTEGER,
    error TEXT,
    response_body TEXT,
    url TEXT NOT NULL,
    retry_after TEXT,
    PRIMARY KEY (delivery_position, attempt_number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO attempts_in_order SELECT d.position, a.attempt_number, a.attempt_id, a.started_at, a.duration_ms, a.outcome, a.status_code,
      a.error, a.response_body, a.url, a.retry_after
    FROM deliveries d CROSS JOIN attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.delivery_id ORDER BY d.position;
  DROP TABLE attempts;
  ALTER TABLE attempts_in_order RENAME TO attempts;

  DROP INDEX events_once;
  CREATE UNIQUE INDEX events_once ON events (event_id, tenant_id);
  DROP INDEX deliveries_once;
  CREATE UNIQUE INDEX deliveries_once ON deliveries (event_id, tenant_id, endpoint_id);
  DROP INDEX deliveries_by_id;
  CREATE UNIQUE INDEX deliveries_by_id ON deliveries (delivery_id, tenant_id);
  DROP INDEX deliveries_unfinished;
  CREATE INDEX deliveries_unfinished ON deliveries (tenant_id, endpoint_id, status, position) WHERE status NOT IN ('succeeded', 'sending');

  CREATE TABLE deliveries_mark (position INTEGER NOT NULL) STRICT;
  INSERT INTO deliveries_mark SELECT coalesce(max(position), 0) + 1 FROM deliveries;`,

  // The trace that an attempt belongs to.
  `ALTER TABLE events ADD COLUMN traceparent TEXT;`,

  // One index serves the feed and the replays.
  `DROP INDEX events_by_time;
  DROP INDEX events_feed;
  CREATE INDEX events_feed ON events (tenant_id, position, occurred_at) WHERE test = 0;`,

  // What an endpoint has asked for is kept, and why an attempt failed can be read by programs.
  `ALTER TABLE endpoints ADD COLUMN slowed_until INTEGER;
  ALTER TABLE attempts ADD COLUMN error_code TEXT;`,

  // For the upkeep of all tenants; they hold next to nothing.
  `CREATE INDEX endpoints_disabled ON endpoints (tenant_id, endpoint_id) WHERE status = 'disabled' AND deleted = 0;
  CREATE INDEX endpoints_deleted ON endpoints (tenant_id, endpoint_id) WHERE deleted = 1;`,

  SqliteIdempotencyStore.schema,

  // Events that only those hear of who name their types: a stream of their own, with an index and numbers of their own. `stream` is 0 for what
  // everybody gets, 1 for test events, which are in no feed, and 2 for these.
  `ALTER TABLE events RENAME COLUMN test TO stream;
  CREATE INDEX events_opt_in ON events (tenant_id, position, occurred_at) WHERE stream = 2;
  ALTER TABLE forecast_sequences ADD COLUMN last_opt_in_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE endpoints ADD COLUMN payload TEXT NOT NULL DEFAULT 'thin';`,

  SqliteErasedTenants.schema,

  // Test events are in no feed; this finds those of a tenant that is erased.
  'CREATE INDEX events_test ON events (tenant_id, position) WHERE stream = 1',

  SqliteUsage.schema(),

  SqliteUsage.schema('delivery_days'),

  // What happened to one parcel, each stream in the order of the feed.
  'CREATE INDEX events_of_parcel ON events (tenant_id, po_number, stream, position) WHERE po_number IS NOT NULL',
];
