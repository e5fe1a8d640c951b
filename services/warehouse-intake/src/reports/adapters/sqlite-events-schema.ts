/** What warehouses reported; one entry of the service's migrations. What waits is read in the order in which it occurred, a batch at a time. */
export const eventsSchema = `CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    warehouse_code TEXT NOT NULL,
    event_id TEXT NOT NULL,
    -- The numbers by which it is matched: as named, and as scanned (normalised).
    forecast_no TEXT,
    scanned_no TEXT,
    occurred_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    -- IntakeEvent as JSON.
    event TEXT NOT NULL,
    -- Why it has no forecast yet; NULL once it is published.
    waiting TEXT,
    -- The forecast that it was published for; NULL while it waits, and once it is dismissed.
    published_to TEXT,
    -- The resolution that ends the waiting.
    resolution INTEGER,
    -- The kind that it is found by once it is applied (domain/parcel-reports); NULL of one that says nothing but the status.
    report_kind TEXT,
    UNIQUE (warehouse_code, event_id)
  ) STRICT;
  CREATE INDEX events_received ON events (received_at);
  CREATE INDEX events_waiting ON events (id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_waiting_named ON events (forecast_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NOT NULL;
  CREATE INDEX events_waiting_scanned ON events (warehouse_code, scanned_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NULL;
  -- The lists of what waits for one reason, of all warehouses and of one.
  CREATE INDEX events_waiting_reason ON events (waiting, id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_waiting_reason_at ON events (warehouse_code, waiting, id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_resolved ON events (resolution) WHERE resolution IS NOT NULL;
  CREATE INDEX events_applied ON events (warehouse_code, published_to, report_kind, occurred_at, id)
    WHERE published_to IS NOT NULL AND report_kind IS NOT NULL;
  CREATE INDEX events_of_forecast ON events (published_to) WHERE published_to IS NOT NULL`;
