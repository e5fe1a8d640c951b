import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import type { ParcelWrite, ReadParcel } from '../domain/decide.ts';
import { MAX_NODES } from '../domain/node.ts';
import { compareNodes } from '../domain/node-order.ts';
import { keyOf, keyText, type ParcelKey } from '../domain/parcel-key.ts';
import { EMPTY_HISTORY, type ForecastEntry, type History, type HistoryEntry, type WatchedShipment } from '../domain/parcel-state.ts';
import type { ParcelQuery, ParcelStore } from '../ports.ts';
import type { PollLeases } from './poll-leases.ts';
import { keyColumns, type ParcelRow, toParcel } from './sqlite-rows.ts';

const PARCEL = `SELECT f.tenant_id, f.forecast_no, f.po_number, f.forecast_id, f.accepted_at, f.cancelled_at, f.further_numbers,
    s.carrier_code, s.tracking_number, s.further_number,
    s.watch, s.sequence, s.watched_since, s.published_status, s.last_change_at, s.next_poll_at, s.is_watched, s.wakes, s.failures,
    s.asked_at, s.reported_at, s.registration, s.sealed_details, s.dispatched_at
  FROM forecasts f LEFT JOIN shipments s ON s.tenant_id = f.tenant_id AND s.forecast_no = f.forecast_no AND s.further_number = ?
  WHERE f.tenant_id = ? AND f.forecast_no = ?`;

/** The nodes of a parcel without their text, in no order: for these few rows, a sorter in SQLite costs more than reading them. */
const HISTORY =
  'SELECT seq, digest, instant FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND further_number = ? AND watch = ? LIMIT ?';

const WRITE_FORECAST = `INSERT INTO forecasts (tenant_id, forecast_no, po_number, forecast_id, accepted_at, cancelled_at, further_numbers)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET forecast_id = excluded.forecast_id, accepted_at = excluded.accepted_at, cancelled_at = excluded.cancelled_at,
    further_numbers = excluded.further_numbers`;

const WRITE_SHIPMENT = `INSERT INTO shipments (carrier_code, tracking_number, watch, sequence, watched_since, published_status, last_change_at,
    next_poll_at, is_watched, wakes, failures, asked_at, reported_at, registration, sealed_details, dispatched_at, tenant_id, forecast_no,
    further_number, po_number)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET carrier_code = excluded.carrier_code, tracking_number = excluded.tracking_number, watch = excluded.watch,
    sequence = excluded.sequence, watched_since = excluded.watched_since, published_status = excluded.published_status,
    last_change_at = excluded.last_change_at, next_poll_at = excluded.next_poll_at,
    is_watched = excluded.is_watched, wakes = excluded.wakes, failures = excluded.failures,
    asked_at = excluded.asked_at, reported_at = excluded.reported_at, registration = excluded.registration, sealed_details = excluded.sealed_details,
    dispatched_at = excluded.dispatched_at`;

/** A decision is pure, and writes nowhere but here. */
const REPEATABLE = { repeatable: true } as const;

/**
 * Parcels in the service's SQLite file. A transaction reads, decides and writes, and transactions run one after the other: so a
 * decision is always made on the current state.
 */
export function createSqliteParcelStore(db: SqliteDatabase, outbox: SqliteOutbox, leases: PollLeases): ParcelStore {
  return {
    async change(queries, decide) {
      const written = await db.transaction(() => {
        const decision = decide(readParcels(db, queries));
        for (const write of decision.writes) writeParcel(db, outbox, write);
        return decision;
      }, REPEATABLE);
      for (const { after, isLeaseEnded } of written.writes) if (isLeaseEnded) leases.end(keyOf(after));
      return written;
    },
  };
}

function readParcels(db: SqliteDatabase, queries: readonly ParcelQuery[]): ReadParcel {
  const withHistory = new Set(queries.flatMap((query) => (query.withHistory ? [keyText(query)] : [])));
  return (key) => {
    const [tenantId, forecastNo, furtherNumber] = keyColumns(key);
    const row = db.get<ParcelRow>(PARCEL, furtherNumber, tenantId, forecastNo);
    if (row === undefined) return undefined;
    return toParcel(row, row.watch !== null && withHistory.has(keyText(key)) ? readHistory(db, key, row.watch) : EMPTY_HISTORY);
  };
}

function readHistory(db: SqliteDatabase, key: ParcelKey, watch: number): History {
  const entries = db.all<HistoryEntry>(HISTORY, ...keyColumns(key), watch, MAX_NODES).sort(compareNodes);
  return { entries, seen: entries.reduce((most, { seq }) => Math.max(most, seq), 0) };
}

function writeParcel(db: SqliteDatabase, outbox: SqliteOutbox, write: ParcelWrite): void {
  const { before, after } = write;
  const { forecast, shipment } = after;
  // A further parcel brings its forecast along; only the first one changes it.
  if (before?.forecast !== forecast && (shipment?.furtherNumber ?? null) === null) writeForecast(db, forecast);
  if (shipment !== undefined && before?.shipment !== shipment) {
    writeShipment(db, shipment);
    writeHistory(db, shipment, write);
  }
  for (const event of write.messages) outbox.append(encodeEvent(event));
}

function writeForecast(db: SqliteDatabase, { tenantId, forecastNo, furtherNumbers, ...forecast }: ForecastEntry): void {
  db.run(
    WRITE_FORECAST,
    tenantId,
    forecastNo,
    forecast.poNumber,
    forecast.forecastId,
    forecast.acceptedAt,
    forecast.cancelledAt,
    furtherNumbers.length > 0 ? JSON.stringify(furtherNumbers) : null,
  );
}

function writeShipment(db: SqliteDatabase, shipment: WatchedShipment): void {
  db.run(
    WRITE_SHIPMENT,
    shipment.carrierCode,
    shipment.trackingNumber,
    shipment.watch,
    shipment.sequence,
    shipment.watchedSince,
    shipment.publishedStatus,
    shipment.lastChangeAt,
    shipment.nextPollAt,
    shipment.isWatched ? 1 : 0,
    shipment.wakes,
    shipment.failures,
    shipment.askedAt,
    shipment.reportedAt,
    shipment.registration && JSON.stringify(shipment.registration),
    shipment.sealedDetails,
    shipment.dispatchedAt,
    ...keyColumns(shipment),
    shipment.poNumber,
  );
}

function writeHistory(db: SqliteDatabase, shipment: WatchedShipment, write: ParcelWrite): void {
  const { isHistoryReplaced, added, dropped } = write;
  const { watch } = shipment;
  const key = keyColumns(shipment);
  if (isHistoryReplaced) db.run('DELETE FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND further_number = ?', ...key);
  for (const seq of dropped) {
    db.run(
      'DELETE FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND further_number = ? AND watch = ? AND seq = ?',
      ...key,
      watch,
      seq,
    );
  }
  for (const { seq, digest, instant, node } of added) {
    db.run(
      'INSERT INTO nodes (tenant_id, forecast_no, further_number, watch, seq, digest, instant, node) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...key,
      watch,
      seq,
      digest,
      instant,
      JSON.stringify(node),
    );
  }
}
