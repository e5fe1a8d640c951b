import type { Resolution, WaitingNumber } from '../../expected/domain/resolution.ts';

/** The audit of claims and dismissals; one entry of the service's migrations. */
export const resolutionsSchema = `CREATE TABLE resolutions (
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
  CREATE INDEX resolutions_of_forecast ON resolutions (forecast_no) WHERE forecast_no IS NOT NULL`;

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
