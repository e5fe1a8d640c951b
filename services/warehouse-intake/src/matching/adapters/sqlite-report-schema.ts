/** The forecasts that a warehouse has claimed a number for, the latest claim first; one entry of the service's migrations. */
export const claimMigration = 'CREATE INDEX numbers_claimed ON numbers (warehouse_code, scanned_no, assigned) WHERE assigned IS NOT NULL';

/** What the reports of parcels add to the service's file; one entry of its migrations. Events that are stored already get their kind here. */
export const reportMigration = `
  -- The kind that an event is found by once it is applied (domain/parcel-reports); NULL of one that says nothing but the status.
  ALTER TABLE events ADD COLUMN report_kind TEXT;
  UPDATE events SET report_kind = CASE json_extract(event, '$.detail.type')
    WHEN 'weighing' THEN 'measurement'
    WHEN 'photo' THEN 'photo'
    WHEN 'exception' THEN 'exception'
    WHEN 'hold' THEN 'hold'
    WHEN 'release' THEN 'release'
    ELSE iif(json_extract(event, '$.detail.receivedItems') IS NULL, NULL, 'count') END;
  CREATE INDEX events_applied ON events (warehouse_code, published_to, report_kind, occurred_at, id)
    WHERE published_to IS NOT NULL AND report_kind IS NOT NULL`;
