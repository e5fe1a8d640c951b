import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { CANCELLED_VERSION, type NamedFiles } from '../ports.ts';

/*
 * Which forecasts name which PDFs, in SQLite. Everything here runs in a transaction of the caller.
 */

interface UseRow {
  readonly token: string;
  readonly version: number;
  readonly is_current: number;
}

const OF_FORECAST =
  'SELECT token, version, is_current FROM file_uses INDEXED BY file_uses_of_forecast WHERE tenant_id = ? AND forecast_no = ?';
const END_ALL = `UPDATE file_uses INDEXED BY file_uses_of_forecast SET is_current = 0, fields = '', version = ?
  WHERE tenant_id = ? AND forecast_no = ?`;
const ADD_FORMER = `INSERT INTO file_uses (tenant_id, token, forecast_no, version, is_current) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING`;
const PUT = `INSERT INTO file_uses (tenant_id, token, forecast_no, po_number, fields, version, is_current) VALUES (?, ?, ?, ?, ?, ?, 1)
  ON CONFLICT DO UPDATE SET po_number = excluded.po_number, fields = excluded.fields, version = excluded.version, is_current = 1`;
const IS_NAMED = 'SELECT 1 AS one FROM file_uses INDEXED BY file_uses_current WHERE tenant_id = ? AND token = ? AND is_current = 1 LIMIT 1';

/** The token of what a forecast has in the place of a use when it has none: that a version of it, or its cancellation, was noted. */
const NO_FILE = '';

/** True when a forecast names the PDF now. */
export function isNamed(db: SqliteDatabase, tenantId: string, token: string): boolean {
  return db.get(IS_NAMED, tenantId, token) !== undefined;
}

/** Writes down at a PDF whether a forecast names it. */
export function settleUse(db: SqliteDatabase, tenantId: string, token: string): void {
  const isUsed = isNamed(db, tenantId, token) ? 1 : 0;
  db.run('UPDATE files SET is_used = ? WHERE token = ? AND tenant_id = ?', isUsed, token, tenantId);
}

/** Hides a PDF. Its SHA-256 ends in its token from now on, so that it is no other content's. */
export function hideFile(
  db: SqliteDatabase,
  { id, sha256, token }: { readonly id: number; readonly sha256: string; readonly token: string },
  now: number,
): void {
  const end = ` ${token}`;
  const hidden = sha256.endsWith(end) ? sha256 : sha256 + end;
  db.run('UPDATE files SET hidden_at = ?, unused_since = ?, is_used = 0, sha256 = ? WHERE id = ?', now, now, hidden, id);
}

/** Shows a PDF again that was hidden. When its content was uploaded again meanwhile, that upload stays the one that is found. */
export function showFile(db: SqliteDatabase, tenantId: string, token: string): void {
  const sql = 'SELECT id, md5, sha256 FROM files WHERE token = ? AND tenant_id = ? AND hidden_at IS NOT NULL';
  const row = db.get<{ readonly id: number; readonly md5: string; readonly sha256: string }>(sql, token, tenantId);
  if (row === undefined) return;
  const original = row.sha256.slice(0, -(token.length + 1));
  const isTaken =
    db.get('SELECT 1 AS one FROM files WHERE tenant_id = ? AND md5 = ? AND sha256 = ?', tenantId, row.md5, original) !== undefined;
  db.run('UPDATE files SET hidden_at = NULL, unused_since = NULL, sha256 = ? WHERE id = ?', isTaken ? row.sha256 : original, row.id);
}

/** See FileRetention.noteUses; the forecast was not deleted. */
export function noteUses(db: SqliteDatabase, { tenantId, forecastNo, poNumber, version, files }: NamedFiles): void {
  const known = db.all<UseRow>(OF_FORECAST, tenantId, forecastNo);
  const noted = Math.max(0, ...known.map((use) => use.version));
  if (version < noted) {
    for (const { token } of files) db.run(ADD_FORMER, tenantId, token, forecastNo, noted);
    return;
  }
  if (known.length > 0) db.run(END_ALL, version, tenantId, forecastNo);
  else if (files.length === 0 && version > 1) db.run(ADD_FORMER, tenantId, NO_FILE, forecastNo, version);
  for (const { token, fields } of files) {
    db.run(PUT, tenantId, token, forecastNo, poNumber, fields.join(' '), version);
    showFile(db, tenantId, token);
  }
  const tokens = new Set([...files, ...known.filter((use) => use.is_current === 1)].map(({ token }) => token));
  for (const token of tokens) settleUse(db, tenantId, token);
}

/** See FileRetention.noteCancelled; the forecast was not deleted. */
export function noteCancelled(db: SqliteDatabase, tenantId: string, forecastNo: string): void {
  const known = db.all<UseRow>(OF_FORECAST, tenantId, forecastNo);
  if (known.length === 0) db.run(ADD_FORMER, tenantId, NO_FILE, forecastNo, CANCELLED_VERSION);
  else db.run(END_ALL, CANCELLED_VERSION, tenantId, forecastNo);
  for (const { token, is_current } of known) if (is_current === 1) settleUse(db, tenantId, token);
}
