import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sampleSubmission } from '@parcelway/harness/sample-data';
import { DatabaseSync } from '@photostructure/sqlite';

/*
 * The bare durable insert loop: the rows of a submission (forecast, its content, its event) written straight into a
 * SQLite file, one commit each, synced to the disk. No HTTP, no checks, no consumers.
 * Arguments: directory for the file, items a forecast, milliseconds. Prints { perSecond }.
 */

const [directory = '', items = '1', milliseconds = '2000'] = process.argv.slice(2);

const db = new DatabaseSync(join(directory, `loop-${randomUUID()}.db`));
db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
  CREATE TABLE forecasts (forecast_id INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, forecast_no TEXT NOT NULL,
    po_number TEXT NOT NULL, status INTEGER NOT NULL, content_hash TEXT NOT NULL, created_at INTEGER NOT NULL, progress TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX forecasts_po_number ON forecasts (tenant_id, po_number);
  CREATE UNIQUE INDEX forecasts_forecast_no ON forecasts (tenant_id, forecast_no);
  CREATE INDEX forecasts_newest ON forecasts (tenant_id, created_at);
  CREATE INDEX forecasts_status ON forecasts (tenant_id, status, created_at);
  CREATE TABLE forecast_contents (forecast_id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;
  CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    written_at INTEGER NOT NULL) STRICT`);
const forecast = db.prepare(
  `INSERT INTO forecasts (tenant_id, forecast_no, po_number, status, content_hash, created_at, progress) VALUES (?, ?, ?, 1, ?, ?, '{"seq":0}')`,
);
const content = db.prepare('INSERT INTO forecast_contents (forecast_id, content) VALUES (?, ?)');
const event = db.prepare('INSERT INTO outbox (topic, key, value, written_at) VALUES (?, ?, ?, ?)');

const text = JSON.stringify(sampleSubmission({ poNumber: 'PO-0', warehouseCode: 'W1', items: Number(items) }));
const message = 'm'.repeat(600);
const hash = 'h'.repeat(64);
const started = performance.now();
const deadline = started + Number(milliseconds);
let count = 0;
while (performance.now() < deadline) {
  const now = Date.now();
  count += 1;
  db.exec('BEGIN IMMEDIATE');
  const { lastInsertRowid } = forecast.run('tnt_1', `FC-${count}`, `PO-${count}`, hash, now);
  content.run(lastInsertRowid, text);
  event.run('forecast.events.v1', `FC-${count}`, message, now);
  db.exec('COMMIT');
}
const perSecond = (count * 1000) / (performance.now() - started);
db.close();
process.stdout.write(`${JSON.stringify({ perSecond })}\n`);
