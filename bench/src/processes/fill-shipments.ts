import { trackingMigrations } from '@parcelway/service-tracking/adapters/sqlite-schema';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { DatabaseSync } from '@photostructure/sqlite';
import { CONNECTION_ID, FACTOR, MODULUS, REFERENCE } from '../tracking/numbers.ts';

/*
 * Puts shipments under watch into the file of a tracking service, beside the service if one works with it. They have the numbers of tracking/numbers.ts, are
 * registered with 17TRACK and have no nodes yet. Arguments: the file; the tenant; how many; which of them are due now: every n-th, and none for 0. The others
 * are due in one to seven hours. Prints { count }.
 */

const [file = '', tenantId = '', count = '0', dueEvery = '0'] = process.argv.slice(2);
const ROWS = 50_000;
const registration = JSON.stringify({ connectionId: CONNECTION_ID, reference: REFERENCE, at: Date.now(), isTaken: true });

const service = new SqliteDatabase(file);
service.migrate(trackingMigrations);
service.close();
const db = new DatabaseSync(file);
db.exec('PRAGMA busy_timeout=10000; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-200000');
const series = 'WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)';
const forecasts = db.prepare(`INSERT INTO forecasts (tenant_id, forecast_no, po_number, forecast_id, accepted_at)
  ${series} SELECT ?1, printf('LOAD%08d', i), 'PO-' || i, i, ?4 - 172800000 FROM n`);
const shipments =
  db.prepare(`INSERT INTO shipments (tenant_id, forecast_no, further_number, po_number, carrier_code, tracking_number, watch, sequence,
    watched_since, is_watched, last_change_at, next_poll_at, registration)
  ${series} SELECT ?1, printf('LOAD%08d', i), '', 'PO-' || i, 'bench-carrier', printf('LP%010d', i * ${FACTOR} % ${MODULUS}), 1, '1',
    ?4 - 172800000 + i % 3600000, 1, ?4 - 172800000 + i % 3600000,
    ?4 + CASE WHEN ?5 > 0 AND i % max(?5, 1) = 0 THEN i % 60000 - 60000 ELSE 3600000 + i * ${FACTOR} % 21600000 END, ?6 FROM n`);
const now = Date.now();
for (let from = 1; from <= Number(count); from += ROWS) {
  const to = Math.min(Number(count), from + ROWS - 1);
  db.exec('BEGIN IMMEDIATE');
  forecasts.run(tenantId, from, to, now);
  shipments.run(tenantId, from, to, now, Number(dueEvery), registration);
  db.exec('COMMIT');
}
// Whoever opens the file next begins with a short log.
db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
db.close();
process.stdout.write(JSON.stringify({ count: Number(count) }));
