import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { freePagesKind } from '@parcelway/sqlite/secure-delete';
import { outboxKind, sqliteKind, TENANT_BATCH } from '@parcelway/sqlite/tenant-data';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { connectionKind } from '../../accounts/adapters/connection-store.ts';
import { shipmentRecord } from './shipment-record.ts';

type Row = Readonly<Record<string, SqlValue>>;

/** Shipments that are read at once: their histories may be megabytes. */
const READ_AT_ONCE = 10;

const FORECASTS = `SELECT forecast_no, po_number, forecast_id, accepted_at, cancelled_at, further_numbers FROM forecasts
  WHERE tenant_id = ? AND forecast_no > ? ORDER BY forecast_no LIMIT ?`;
const SHIPMENTS = `SELECT forecast_no, further_number, po_number, carrier_code, tracking_number, watch, watched_since, dispatched_at, is_watched,
    published_status, last_change_at, next_poll_at, asked_at, reported_at, registration, sealed_details FROM shipments
  WHERE tenant_id = ? AND (forecast_no, further_number) > (?, ?) ORDER BY forecast_no, further_number LIMIT ?`;
const NODES = `SELECT seq, node FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND further_number = ? AND watch = ? ORDER BY seq`;
const SIMULATED = `SELECT tracking_number, seq, node FROM simulated_nodes
  WHERE tenant_id = ? AND (tracking_number, seq) > (?, ?) ORDER BY tracking_number, seq LIMIT ?`;

const parsed = (json: SqlValue | undefined): unknown => (typeof json === 'string' ? JSON.parse(json) : null);
const cursorOf = (...pair: unknown[]): string => JSON.stringify(pair);
const pairIn = (after: string | null, first: SqlValue, second: SqlValue): readonly [SqlValue, SqlValue] =>
  after === null ? [first, second] : (JSON.parse(after) as [SqlValue, SqlValue]);

/** A shipment with the history of its present watch. */
function withNodes(db: SqliteDatabase, sealer: TextSealer, tenantId: string, row: Row): Row | Readonly<Record<string, unknown>> {
  const { forecast_no = '', further_number = '', watch = 0 } = row;
  const nodes = db.all<Row>(NODES, tenantId, forecast_no, further_number, watch).map(({ node }) => parsed(node));
  const { registration, ...rest } = shipmentRecord(sealer, row);
  return { ...rest, registration: parsed(registration as SqlValue), nodes };
}

/** Deletes some nodes of the simulated carrier. Only inside a transaction. */
function eraseSimulated(db: SqliteDatabase, tenantId: string): number {
  const rows = db.all<Row>(SIMULATED, tenantId, '', 0, TENANT_BATCH);
  for (const { tracking_number = '', seq = 0 } of rows) {
    db.run('DELETE FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ? AND seq = ?', tenantId, tracking_number, seq);
  }
  return rows.length;
}

/** What the service stores about tenants, in its SQLite file. @param db has the migrations of the service; `sealer` opens details of shipments */
export function createSqliteTenantData(db: SqliteDatabase, sealer: TextSealer): TenantData {
  const store = createSqliteStore({ db });
  return {
    kinds: [
      connectionKind(store),
      sqliteKind(db, {
        name: 'shipments',
        list: (tenantId, after) =>
          db.all<Row>(SHIPMENTS, tenantId, ...pairIn(after, '', ''), READ_AT_ONCE).map((row) => ({
            cursor: cursorOf(row['forecast_no'], row['further_number']),
            record: withNodes(db, sealer, tenantId, row),
          })),
        erase: (tenantId) =>
          db.run('DELETE FROM shipments WHERE rowid IN (SELECT rowid FROM shipments WHERE tenant_id = ? LIMIT ?)', tenantId, TENANT_BATCH)
            .changes,
      }),
      sqliteKind(db, {
        name: 'nodes',
        erase: (tenantId) =>
          db.run(
            `DELETE FROM nodes WHERE (tenant_id, forecast_no, further_number, watch, seq) IN (
               SELECT tenant_id, forecast_no, further_number, watch, seq FROM nodes WHERE tenant_id = ? LIMIT ?)`,
            tenantId,
            TENANT_BATCH,
          ).changes,
      }),
      sqliteKind(db, {
        name: 'forecasts',
        list: (tenantId, after) =>
          db.all<Row>(FORECASTS, tenantId, after ?? '', TENANT_BATCH).map((row) => ({
            cursor: String(row['forecast_no']),
            record: { ...row, further_numbers: parsed(row['further_numbers']) ?? [] },
          })),
        erase: (tenantId) =>
          db.run(
            `DELETE FROM forecasts WHERE (tenant_id, forecast_no) IN (
               SELECT tenant_id, forecast_no FROM forecasts WHERE tenant_id = ? LIMIT ?)`,
            tenantId,
            TENANT_BATCH,
          ).changes,
      }),
      sqliteKind(db, {
        name: 'simulated_parcels',
        list: (tenantId, after) =>
          db.all<Row>(SIMULATED, tenantId, ...pairIn(after, '', 0), TENANT_BATCH).map((row) => ({
            cursor: cursorOf(row['tracking_number'], row['seq']),
            record: { tracking_number: row['tracking_number'], nodes: [parsed(row['node'])] },
          })),
        erase: (tenantId) => eraseSimulated(db, tenantId),
      }),
      idempotencyKind(store),
      outboxKind(db),
      freePagesKind(db),
    ],
    erased: createErasedTenants(store),
  };
}
