import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type CarrierNode, MAX_NODES, nodeDigest, nodeInstant } from '../domain/node.ts';
import {
  type ChangeOrigin,
  changeOf,
  type KnownForecast,
  type Shipment,
  type StatusChange,
  trackingChanged,
  watchAfter,
} from '../domain/shipment.ts';
import type { NodeWish } from '../domain/simulated-node.ts';
import type {
  AcceptedForecast,
  CarrierParcel,
  Dispatch,
  DueShipment,
  FoundForecast,
  Overdue,
  RecordOutcome,
  TrackingStore,
} from '../ports.ts';
import { leaseShipments, overdueShipments, rescheduleShipment } from './sqlite-poll-queue.ts';
import { purgeForecasts, purgeShipments } from './sqlite-retention.ts';
import { type NodeRow, type ShipmentRow, toNode, toShipment } from './sqlite-rows.ts';
import { addSimulatedNode, readSimulatedNodes } from './sqlite-simulated-nodes.ts';

/**
 * The live forecast of a po_number, otherwise the newest. The index is named because the planner, which knows no numbers,
 * would rather walk all forecasts of the tenant.
 */
export const BY_PO_NUMBER = `SELECT forecast_no, cancelled_at FROM forecasts INDEXED BY forecasts_by_po
  WHERE tenant_id = ? AND po_number = ? ORDER BY cancelled_at IS NOT NULL, accepted_at DESC, forecast_id DESC LIMIT 1`;

const ONE_SHIPMENT = 'SELECT * FROM shipments WHERE tenant_id = ? AND forecast_no = ?';
const NEWEST_NODE = 'SELECT node FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND watch = ? ORDER BY instant DESC, seq DESC LIMIT 1';

/** The tracking store in the service's SQLite file. The database must have the tracking migrations. */
export class SqliteTrackingStore implements TrackingStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;
  readonly #environment: Environment;

  constructor(db: SqliteDatabase, outbox: SqliteOutbox, environment: Environment) {
    this.#db = db;
    this.#outbox = outbox;
    this.#environment = environment;
  }

  async accept(forecast: AcceptedForecast): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run(
        `INSERT INTO forecasts (tenant_id, forecast_no, po_number, forecast_id, accepted_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET forecast_id = excluded.forecast_id, accepted_at = excluded.accepted_at`,
        forecast.tenantId,
        forecast.forecastNo,
        forecast.poNumber,
        forecast.forecastId,
        forecast.acceptedAt,
      ),
    );
  }

  async cancel(forecast: KnownForecast, at: number): Promise<void> {
    await this.#db.transaction(() => {
      this.#know(forecast, at);
      this.#db.run(
        'UPDATE forecasts SET cancelled_at = coalesce(cancelled_at, ?) WHERE tenant_id = ? AND forecast_no = ?',
        at,
        forecast.tenantId,
        forecast.forecastNo,
      );
    });
  }

  async dispatch(dispatch: Dispatch): Promise<void> {
    await this.#db.transaction(() => {
      this.#know(dispatch, dispatch.at);
      const known = this.#shipment(dispatch.tenantId, dispatch.forecastNo);
      if (!known) this.#watch(dispatch, 1);
      else if (dispatch.sequence > known.sequence) this.#watchInstead(dispatch, known);
    });
  }

  /** The forecast of an event that came before its acceptance; the acceptance corrects the rest. */
  #know(forecast: KnownForecast, at: number): void {
    this.#db.run(
      'INSERT INTO forecasts (tenant_id, forecast_no, po_number, forecast_id, accepted_at) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING',
      forecast.tenantId,
      forecast.forecastNo,
      forecast.poNumber,
      at,
    );
  }

  #watch(dispatch: Dispatch, watch: number): void {
    this.#db.run(
      `INSERT INTO shipments (tenant_id, forecast_no, po_number, carrier_code, tracking_number, watch, sequence, watched_since,
         last_change_at, next_poll_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET carrier_code = excluded.carrier_code, tracking_number = excluded.tracking_number, watch = excluded.watch,
         sequence = excluded.sequence, watched_since = excluded.watched_since, last_change_at = excluded.last_change_at,
         next_poll_at = excluded.next_poll_at, lease_until = 0, wakes = wakes + 1, failures = 0`,
      dispatch.tenantId,
      dispatch.forecastNo,
      dispatch.poNumber,
      dispatch.carrierCode,
      dispatch.trackingNumber,
      watch,
      dispatch.sequence,
      dispatch.at,
      dispatch.at,
      dispatch.at,
    );
  }

  #watchInstead(dispatch: Dispatch, known: ShipmentRow): void {
    const key = [dispatch.tenantId, dispatch.forecastNo] as const;
    if (dispatch.trackingNumber === known.tracking_number && dispatch.carrierCode === known.carrier_code) {
      this.#db.run('UPDATE shipments SET sequence = ? WHERE tenant_id = ? AND forecast_no = ?', dispatch.sequence, ...key);
      return;
    }
    this.#db.run('DELETE FROM nodes WHERE tenant_id = ? AND forecast_no = ?', ...key);
    this.#watch(dispatch, known.watch + 1);
  }

  #shipment(tenantId: string, forecastNo: string): ShipmentRow | undefined {
    return this.#db.get<ShipmentRow>(ONE_SHIPMENT, tenantId, forecastNo);
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<FoundForecast | undefined> {
    const row = this.#db.get<{ forecast_no: string; cancelled_at: number | null }>(BY_PO_NUMBER, tenantId, poNumber);
    if (!row) return undefined;
    const shipment = this.#shipment(tenantId, row.forecast_no);
    return { forecastNo: row.forecast_no, isCancelled: row.cancelled_at !== null, shipment: shipment ? toShipment(shipment) : null };
  }

  async findShipment(tenantId: string, forecastNo: string): Promise<Shipment | undefined> {
    const row = this.#shipment(tenantId, forecastNo);
    return row && toShipment(row);
  }

  async history(shipment: Shipment): Promise<CarrierNode[]> {
    return this.#db
      .all<NodeRow>(
        'SELECT node FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND watch = ? ORDER BY instant DESC, seq DESC LIMIT ?',
        shipment.tenantId,
        shipment.forecastNo,
        shipment.watch,
        MAX_NODES,
      )
      .map(toNode);
  }

  async record(shipment: Shipment, nodes: readonly CarrierNode[], now: number, traceparent?: string): Promise<RecordOutcome> {
    const entries = nodes.map((node) => ({ node, digest: nodeDigest(node) }));
    const known = this.#digests(shipment);
    // Most answers bring nothing new; they cost no write. What is known stays known, so this look needs no transaction.
    if (entries.every((entry) => known.has(entry.digest))) return this.#unchanged(this.#shipment(shipment.tenantId, shipment.forecastNo));
    return this.#db.transaction(() => {
      const row = this.#shipment(shipment.tenantId, shipment.forecastNo);
      if (row?.watch !== shipment.watch) return this.#unchanged(row);
      for (const entry of entries) this.#addNode(shipment, entry.node, entry.digest);
      this.#trim(shipment);
      const change = this.#tell(toShipment(row), shipment.wakes, { environment: this.#environment, now, traceparent });
      return change ? { change, latestStatus: change.current } : this.#unchanged(row);
    });
  }

  /** What was told last is the newest: every change of the newest is told in the step that makes it. */
  #unchanged(row: ShipmentRow | undefined): RecordOutcome {
    return { change: undefined, latestStatus: row ? toShipment(row).publishedStatus : '' };
  }

  #digests(shipment: Shipment): ReadonlySet<string> {
    const rows = this.#db.all<{ digest: string }>(
      'SELECT digest FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND watch = ? LIMIT ?',
      shipment.tenantId,
      shipment.forecastNo,
      shipment.watch,
      MAX_NODES,
    );
    return new Set(rows.map((row) => row.digest));
  }

  #addNode({ tenantId, forecastNo, watch }: Shipment, node: CarrierNode, key: string): void {
    this.#db.run(
      `INSERT INTO nodes (tenant_id, forecast_no, watch, seq, digest, instant, node)
       SELECT ?1, ?2, ?3, (SELECT coalesce(max(seq), 0) + 1 FROM nodes WHERE tenant_id = ?1 AND forecast_no = ?2 AND watch = ?3), ?4, ?5, ?6
       WHERE true ON CONFLICT DO NOTHING`,
      tenantId,
      forecastNo,
      watch,
      key,
      nodeInstant(node),
      JSON.stringify(node),
    );
  }

  #trim({ tenantId, forecastNo, watch }: Shipment): void {
    this.#db.run(
      `DELETE FROM nodes WHERE tenant_id = ?1 AND forecast_no = ?2 AND watch = ?3 AND seq IN (
         SELECT seq FROM nodes WHERE tenant_id = ?1 AND forecast_no = ?2 AND watch = ?3 ORDER BY instant, seq
         LIMIT max(0, (SELECT count(*) FROM nodes WHERE tenant_id = ?1 AND forecast_no = ?2 AND watch = ?3) - ?4))`,
      tenantId,
      forecastNo,
      watch,
      MAX_NODES,
    );
  }

  /**
   * Compares the newest node with what was told last; only inside the transaction that added the nodes.
   * @param wakes as it was when the carrier was asked: news since then keep the watch going
   */
  #tell(shipment: Shipment, wakes: number, origin: ChangeOrigin): StatusChange | undefined {
    const { now } = origin;
    const key = [shipment.tenantId, shipment.forecastNo] as const;
    this.#db.run('UPDATE shipments SET last_change_at = ? WHERE tenant_id = ? AND forecast_no = ?', now, ...key);
    const newest = this.#db.get<NodeRow>(NEWEST_NODE, ...key, shipment.watch);
    const change = changeOf(shipment.publishedStatus, newest && toNode(newest));
    if (!change) return undefined;
    this.#db.run('UPDATE shipments SET published_status = ? WHERE tenant_id = ? AND forecast_no = ?', change.current, ...key);
    const effect = watchAfter(change, shipment.wakes !== wakes);
    if (effect === 'ends') this.#db.run('UPDATE shipments SET next_poll_at = NULL WHERE tenant_id = ? AND forecast_no = ?', ...key);
    if (effect === 'resumes') {
      this.#db.run(
        'UPDATE shipments SET next_poll_at = min(coalesce(next_poll_at, ?1), ?1), wakes = wakes + 1 WHERE tenant_id = ?2 AND forecast_no = ?3',
        now,
        ...key,
      );
    }
    this.#outbox.append(encodeEvent(trackingChanged(shipment, change, origin)));
    return change;
  }

  lease(now: number, leaseMs: number, limit: number): Promise<readonly DueShipment[]> {
    return leaseShipments(this.#db, now, leaseMs, limit);
  }

  reschedule(shipment: Shipment, nextPollAt: number | null, failures: number): Promise<void> {
    return this.#db.transaction(() => rescheduleShipment(this.#db, shipment, nextPollAt, failures));
  }

  async overdue(now: number): Promise<Overdue> {
    return overdueShipments(this.#db, now);
  }

  async simulatedNodes(parcel: CarrierParcel): Promise<readonly CarrierNode[]> {
    return readSimulatedNodes(this.#db, parcel);
  }

  simulate(shipment: Shipment, wish: NodeWish, now: number): Promise<CarrierNode> {
    return this.#db.transaction(() => {
      const node = addSimulatedNode(this.#db, shipment, wish, now);
      this.#db.run(
        'UPDATE shipments SET next_poll_at = ?, lease_until = 0, wakes = wakes + 1 WHERE tenant_id = ? AND forecast_no = ?',
        now,
        shipment.tenantId,
        shipment.forecastNo,
      );
      return node;
    });
  }

  purge(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => purgeShipments(this.#db, before, limit) + purgeForecasts(this.#db, before, limit));
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS one');
  }
}
