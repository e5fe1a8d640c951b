import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { imageUnusedSince, type OwnImages } from '../ports.ts';

interface UseRow {
  readonly token: string;
  readonly revision: number | null;
}

const OF_FORECAST = 'SELECT token, revision FROM photo_uses INDEXED BY photo_uses_of_forecast WHERE tenant_id = ? AND forecast_no = ?';
const PUT = `INSERT INTO photo_uses (token, tenant_id, forecast_no, revision) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET revision = excluded.revision`;
const END = 'DELETE FROM photo_uses WHERE token = ? AND tenant_id = ? AND forecast_no = ?';
const IS_SHOWN = 'SELECT 1 AS one FROM photo_uses WHERE token = ? LIMIT 1';
const SET_UNUSED = 'UPDATE photos SET unused_since = ? WHERE token = ? AND tenant_id = ?';

/** The token of what says which revision of a forecast's own images was noted last. */
const MARK = '';

/** See FileRetention.noteImages; the forecast was not deleted. Only in a transaction. */
export function noteImages(db: SqliteDatabase, { tenantId, forecastNo, revision, images }: OwnImages, now: number): void {
  const known = db.all<UseRow>(OF_FORECAST, tenantId, forecastNo).filter((use) => use.revision !== null);
  const noted = known.find(({ token }) => token === MARK)?.revision ?? 0;
  if (revision <= noted) return;
  for (const { token } of known) {
    if (token === MARK || images.includes(token)) continue;
    db.run(END, token, tenantId, forecastNo);
    if (db.get(IS_SHOWN, token) === undefined) db.run(SET_UNUSED, imageUnusedSince(now), token, tenantId);
  }
  for (const token of images) {
    db.run(PUT, token, tenantId, forecastNo, revision);
    db.run(SET_UNUSED, null, token, tenantId);
  }
  db.run(PUT, MARK, tenantId, forecastNo, revision);
}
