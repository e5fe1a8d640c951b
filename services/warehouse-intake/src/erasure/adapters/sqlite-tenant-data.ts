import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { ListedRecord, TenantData } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { sqliteKind } from '@parcelway/sqlite/tenant-data';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { eventRecord } from './event-record.ts';

type Row = Readonly<Record<string, SqlValue>>;

interface EventRow {
  readonly id: number;
  readonly event: string;
  readonly received_at: number;
}

/** Forecasts that one step reads or deletes, with all that was reported of them. */
const FORECASTS_AT_ONCE = 20;
/** Events of a forecast that one step deletes: more than a parcel has. */
const EVENTS_AT_ONCE = 500;

const PARCELS = `SELECT forecast_no, warehouse_code, forecast_type, cancelled_at, finished_at, version FROM forecasts INDEXED BY forecasts_of_tenant
  WHERE tenant_id = ? AND forecast_no > ? ORDER BY forecast_no LIMIT ?`;
const NUMBERS = 'SELECT warehouse_code, scanned_no FROM numbers WHERE forecast_no = ?';
const PUBLISHED = 'SELECT id, event, received_at FROM events INDEXED BY events_of_forecast WHERE published_to = ? ORDER BY id LIMIT ?';
const NAMED =
  'SELECT id, event, received_at FROM events INDEXED BY events_waiting_named WHERE waiting IS NOT NULL AND forecast_no = ? LIMIT ?';
const RESOLUTIONS =
  'SELECT id, event_id, number, action, resolved_at FROM resolutions INDEXED BY resolutions_of_forecast WHERE forecast_no = ?';
const VIEW = `SELECT v.forecast_no, v.warehouse_code, v.status, v.due_date, v.forecast, i.items FROM view_forecasts v INDEXED BY view_of_tenant
  LEFT JOIN view_items i ON i.forecast_no = v.forecast_no WHERE v.tenant_id = ? AND v.forecast_no > ? ORDER BY v.forecast_no LIMIT ?`;

/** What was reported of a forecast, and what names it and waits, because it came from another warehouse. */
function eventsOf(db: SqliteDatabase, forecastNo: string): readonly EventRow[] {
  return [...db.all<EventRow>(PUBLISHED, forecastNo, EVENTS_AT_ONCE), ...db.all<EventRow>(NAMED, forecastNo, EVENTS_AT_ONCE)];
}

/** Some forecasts of the directory, each with its events. */
function parcels(db: SqliteDatabase, tenantId: string, after: string | null): readonly (Row & { readonly forecast_no: string })[] {
  return db.all<Row & { readonly forecast_no: string }>(PARCELS, tenantId, after ?? '', FORECASTS_AT_ONCE);
}

/** Deletes some forecasts of the directory, after what was reported of them. Only inside a transaction. */
function eraseParcels(db: SqliteDatabase, tenantId: string): number {
  let erased = 0;
  for (const { forecast_no } of parcels(db, tenantId, null)) {
    const events = eventsOf(db, forecast_no);
    for (const { id } of events) db.run('DELETE FROM events WHERE id = ?', id);
    erased += events.length;
    // The rest is the next step's: the forecast leads to it.
    if (events.length >= EVENTS_AT_ONCE) return erased;
    db.run('DELETE FROM resolutions WHERE forecast_no = ?', forecast_no);
    db.run('DELETE FROM forecasts WHERE forecast_no = ?', forecast_no);
    erased += 1;
  }
  return erased;
}

function eraseView(db: SqliteDatabase, tenantId: string): number {
  return db.run(
    `DELETE FROM view_forecasts WHERE forecast_no IN (
       SELECT forecast_no FROM view_forecasts INDEXED BY view_of_tenant WHERE tenant_id = ? LIMIT ?)`,
    tenantId,
    FORECASTS_AT_ONCE,
  ).changes;
}

function viewRecord({ forecast, items, ...row }: Row): ListedRecord {
  const parsed = (json: SqlValue | undefined): unknown => JSON.parse(String(json)) as unknown;
  return {
    cursor: String(row['forecast_no']),
    record: { ...row, forecast: parsed(forecast), items: typeof items === 'string' ? parsed(items) : [] },
  };
}

/** What the service stores about tenants, in its SQLite file. @param db has the migrations of the service; `sealer` opens details of dispatches */
export function createSqliteTenantData(db: SqliteDatabase, sealer: TextSealer): TenantData {
  return {
    kinds: [
      sqliteKind(db, {
        name: 'photos',
        list: (tenantId, after) =>
          parcels(db, tenantId, after).map(({ forecast_no }) => ({
            cursor: forecast_no,
            record: { forecast_no, tokens: photoTokensIn(eventsOf(db, forecast_no).map(({ event }) => JSON.parse(event) as unknown)) },
          })),
      }),
      sqliteKind(db, {
        name: 'parcels',
        list: (tenantId, after) =>
          parcels(db, tenantId, after).map((row) => ({
            cursor: row.forecast_no,
            record: {
              ...row,
              numbers: db.all<Row>(NUMBERS, row.forecast_no),
              events: eventsOf(db, row.forecast_no).map(({ event, received_at }) => eventRecord(sealer, event, received_at)),
              claims: db.all<Row>(RESOLUTIONS, row.forecast_no),
            },
          })),
        erase: (tenantId) => eraseParcels(db, tenantId),
      }),
      sqliteKind(db, {
        name: 'view_forecasts',
        list: (tenantId, after) => db.all<Row>(VIEW, tenantId, after ?? '', FORECASTS_AT_ONCE).map(viewRecord),
        erase: (tenantId) => eraseView(db, tenantId),
      }),
      sqliteKind(db, {
        name: 'declared_numbers',
        list: (tenantId, after) =>
          db.all<Row>('SELECT unseen, most FROM declared_numbers WHERE tenant_id = ? AND ? IS NULL', tenantId, after).map((row) => ({
            cursor: tenantId,
            record: { ...row, seen: db.all<Row>('SELECT day, seen FROM seen_parcels WHERE tenant_id = ?', tenantId) },
          })),
        erase: (tenantId) =>
          db.run('DELETE FROM declared_numbers WHERE tenant_id = ?', tenantId).changes +
          db.run('DELETE FROM seen_parcels WHERE tenant_id = ?', tenantId).changes,
      }),
      idempotencyKind(createSqliteStore({ db })),
    ],
    erased: createErasedTenants(createSqliteStore({ db })),
  };
}
