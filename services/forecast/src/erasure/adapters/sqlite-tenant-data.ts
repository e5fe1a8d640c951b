import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { ListedRecord, TenantData } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { sqliteKind, TENANT_BATCH } from '@parcelway/sqlite/tenant-data';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import type { ImportFiles } from '../../imports/ports.ts';
import { importKinds, retentionKind } from './imports-kind.ts';

interface Row {
  readonly forecast_id: number;
  readonly forecast_no: string;
  readonly progress: string;
  readonly content: string | null;
  readonly corrections: string | null;
  readonly items: string | null;
  readonly [column: string]: string | number | null;
}

/** Forecasts that are read at once: their contents may be megabytes. */
const READ_AT_ONCE = 10;

const PAGE = `SELECT f.*, c.content, c.corrections, r.items FROM forecasts f INDEXED BY forecasts_forecast_no
  LEFT JOIN forecast_contents c ON c.forecast_id = f.forecast_id
  LEFT JOIN forecast_received_items r ON r.forecast_id = f.forecast_id
  WHERE f.tenant_id = ? AND f.forecast_no > ? ORDER BY f.forecast_no LIMIT ?`;
const PROGRESS = `SELECT forecast_no, progress FROM forecasts INDEXED BY forecasts_forecast_no
  WHERE tenant_id = ? AND forecast_no > ? ORDER BY forecast_no LIMIT ?`;
const APPLIED = 'SELECT event_id, type, applied_at FROM applied_events WHERE tenant_id = ? AND forecast_no = ? ORDER BY event_id';
const SOME = 'SELECT forecast_id, forecast_no FROM forecasts INDEXED BY forecasts_forecast_no WHERE tenant_id = ? LIMIT ?';

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

function listed(db: SqliteDatabase, tenantId: string, row: Row): ListedRecord {
  const { slot: _slot, progress, content, corrections, items, ...columns } = row;
  return {
    cursor: row.forecast_no,
    record: {
      ...columns,
      progress: parsed(progress),
      content: parsed(content),
      corrections: parsed(corrections) ?? [],
      received_items: parsed(items) ?? [],
      applied_events: db.all(APPLIED, tenantId, row.forecast_no),
    },
  };
}

/** Deletes some forecasts with all that hangs on them. Only inside a transaction. */
function eraseForecasts(db: SqliteDatabase, tenantId: string): number {
  const rows = db.all<Pick<Row, 'forecast_id' | 'forecast_no'>>(SOME, tenantId, TENANT_BATCH);
  for (const { forecast_id, forecast_no } of rows) {
    db.run('DELETE FROM applied_events WHERE tenant_id = ? AND forecast_no = ?', tenantId, forecast_no);
    db.run('DELETE FROM forecast_received_items WHERE forecast_id = ?', forecast_id);
    db.run('DELETE FROM forecast_contents WHERE forecast_id = ?', forecast_id);
    db.run('DELETE FROM forecasts WHERE forecast_id = ?', forecast_id);
  }
  return rows.length;
}

/** Deletes some terms. One by one: a statement for several of them is planned by how many there are. Only inside a transaction. */
function eraseTerms(db: SqliteDatabase, tenantId: string): number {
  const sql = 'SELECT term, created_at, forecast_id FROM forecast_terms WHERE tenant_id = ? LIMIT ?';
  const rows = db.all<{ readonly term: string; readonly created_at: number; readonly forecast_id: number }>(sql, tenantId, TENANT_BATCH);
  for (const { term, created_at, forecast_id } of rows) {
    const own = 'tenant_id = ? AND term = ? AND created_at = ? AND forecast_id = ?';
    db.run(`DELETE FROM forecast_terms WHERE ${own}`, tenantId, term, created_at, forecast_id);
  }
  return rows.length;
}

/**
 * What the service stores about tenants, in its SQLite file.
 * @param db has the migrations of the service
 * @param files those of imports
 */
export function createSqliteTenantData(db: SqliteDatabase, files: Pick<ImportFiles, 'delete'>): TenantData {
  const kept = createSqliteStore({ db });
  return {
    kinds: [
      ...importKinds(kept, files),
      sqliteKind(db, {
        name: 'photos',
        list: (tenantId, after) =>
          db.all<Pick<Row, 'forecast_no' | 'progress'>>(PROGRESS, tenantId, after ?? '', TENANT_BATCH).map(({ forecast_no, progress }) => ({
            cursor: forecast_no,
            record: { forecast_no, tokens: photoTokensIn(parsed(progress)) },
          })),
      }),
      sqliteKind(db, {
        name: 'forecasts',
        list: (tenantId, after) => db.all<Row>(PAGE, tenantId, after ?? '', READ_AT_ONCE).map((row) => listed(db, tenantId, row)),
        erase: (tenantId) => eraseForecasts(db, tenantId),
      }),
      sqliteKind(db, {
        name: 'tracking_claims',
        erase: (tenantId) =>
          db.run(
            `DELETE FROM tracking_claims WHERE (tenant_id, tracking_number) IN (
               SELECT tenant_id, tracking_number FROM tracking_claims WHERE tenant_id = ? LIMIT ?)`,
            tenantId,
            TENANT_BATCH,
          ).changes,
      }),
      // Their content is that of the forecasts.
      sqliteKind(db, {
        name: 'forecast_terms',
        erase: (tenantId) => eraseTerms(db, tenantId),
      }),
      retentionKind(kept),
      sqliteKind(db, {
        name: 'expired_files',
        erase: (tenantId) => db.run('DELETE FROM expired_files WHERE tenant_id = ?', tenantId).changes,
      }),
      idempotencyKind(kept),
      usageKind(kept),
    ],
    erased: createErasedTenants(kept),
  };
}
