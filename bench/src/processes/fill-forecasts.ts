import { DatabaseSync } from '@photostructure/sqlite';

/*
 * Puts forecasts into the file of a forecast service, beside the service that works with it: those of one tenant, each with one tracking number,
 * LOAD1 and so on. Arguments: the file, the tenant, how many. Prints { count }.
 */

const [file = '', tenantId = '', count = '0'] = process.argv.slice(2);
const ROWS = 5_000;

const db = new DatabaseSync(file);
db.exec('PRAGMA busy_timeout=10000; PRAGMA synchronous=NORMAL');
const series = 'WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)';
const forecasts =
  db.prepare(`INSERT INTO forecasts (tenant_id, forecast_no, po_number, slot, forecast_type, warehouse_code, item_count, status,
  content_hash, created_at, updated_at, progress) ${series} SELECT ?1, 'LOAD-FC' || i, 'LOAD-PO' || i, 0, 2, 'W1', 1, 1, 'h', i, i, '{"seq":0}' FROM n`);
const contents = db.prepare(`INSERT INTO forecast_contents (forecast_id, content) ${series}
  SELECT forecast_id, '{"items":[{"tracking_number":"LOAD' || i || '"}]}' FROM n JOIN forecasts ON tenant_id = ?1 AND forecast_no = 'LOAD-FC' || i`);
const claims = db.prepare(`INSERT INTO tracking_claims (tenant_id, tracking_number, forecast_id) ${series}
  SELECT ?1, 'LOAD' || i, forecast_id FROM n JOIN forecasts ON tenant_id = ?1 AND forecast_no = 'LOAD-FC' || i`);
for (let from = 1; from <= Number(count); from += ROWS) {
  const to = Math.min(Number(count), from + ROWS - 1);
  db.exec('BEGIN IMMEDIATE');
  for (const statement of [forecasts, contents, claims]) statement.run(tenantId, from, to);
  db.exec('COMMIT');
}
db.close();
process.stdout.write(JSON.stringify({ count: Number(count) }));
