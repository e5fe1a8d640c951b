import type { Resolution, WaitingNumber } from '../domain/resolution.ts';

/** What resolutions of unclaimed parcels add to the service's file; one entry of its migrations. */
export const resolutionMigration = `
  -- The forecast that an event was published for; NULL while it waits, once it is dismissed, and of what was published before this was kept.
  ALTER TABLE events ADD COLUMN published_to TEXT;
  -- The resolution that ends the waiting of the event.
  ALTER TABLE events ADD COLUMN resolution INTEGER;
  CREATE INDEX events_resolved ON events (resolution) WHERE resolution IS NOT NULL;
  -- The list of what waits at a warehouse, by reason.
  CREATE INDEX events_waiting_reason_at ON events (warehouse_code, waiting, id) WHERE waiting IS NOT NULL;

  -- The resolution by which the warehouse has claimed the number for the forecast.
  ALTER TABLE numbers ADD COLUMN assigned INTEGER;
  CREATE INDEX numbers_assigned ON numbers (forecast_no) WHERE assigned IS NOT NULL;
  -- Forecast numbers that lead nowhere at a warehouse, and the forecast that it has claimed them for.
  CREATE TABLE stand_ins (
    warehouse_code TEXT NOT NULL,
    named_no TEXT NOT NULL,
    forecast_no TEXT NOT NULL REFERENCES forecasts (forecast_no) ON DELETE CASCADE,
    PRIMARY KEY (warehouse_code, named_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stand_ins_of_forecast ON stand_ins (forecast_no);

  -- The audit of claims and dismissals.
  CREATE TABLE resolutions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    warehouse_code TEXT NOT NULL,
    -- The event that was named, and the number under which it waited.
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    number TEXT NOT NULL,
    action TEXT NOT NULL,
    -- Of a claim.
    forecast_no TEXT,
    -- Of a dismissal.
    reason TEXT,
    resolved_at INTEGER NOT NULL,
    resolved_by TEXT NOT NULL,
    -- How many events it has ended the waiting of; NULL until all of them are done.
    events INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX resolutions_open ON resolutions (warehouse_code, kind, number) WHERE events IS NULL;
  CREATE INDEX resolutions_unfinished ON resolutions (resolved_at) WHERE events IS NULL;
  CREATE INDEX resolutions_at ON resolutions (warehouse_code, id) WHERE events IS NOT NULL;
  CREATE INDEX resolutions_done ON resolutions (id) WHERE events IS NOT NULL;
  CREATE INDEX resolutions_by_age ON resolutions (resolved_at);

  -- Rejected reports, of each warehouse in a ring: the slot is the count of its rejections modulo the most that are kept.
  CREATE TABLE rejections (
    warehouse_code TEXT NOT NULL,
    slot INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    -- Rises from one to the next at the warehouse.
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- Rejection as JSON.
    rejection TEXT NOT NULL,
    PRIMARY KEY (warehouse_code, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rejections_of_event ON rejections (warehouse_code, event_id, number);
  CREATE INDEX rejections_by_age ON rejections (at);
  CREATE TABLE rejection_counts (warehouse_code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

/** A resolution in the file. */
export interface ResolutionRow {
  readonly id: number;
  readonly warehouse_code: string;
  readonly event_id: string;
  readonly kind: WaitingNumber['kind'];
  readonly number: string;
  readonly action: 'claim' | 'dismiss';
  readonly forecast_no: string | null;
  readonly reason: string | null;
  readonly resolved_at: number;
  readonly resolved_by: string;
  readonly events: number | null;
}

/** A row in terms of the domain. */
export function resolutionOf(row: ResolutionRow): Resolution {
  const action =
    row.action === 'claim'
      ? ({ action: 'claim', forecastNo: row.forecast_no ?? '' } as const)
      : ({ action: 'dismiss', reason: row.reason ?? '' } as const);
  return {
    ...action,
    id: String(row.id),
    warehouseCode: row.warehouse_code,
    eventId: row.event_id,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    events: row.events ?? 0,
  };
}
