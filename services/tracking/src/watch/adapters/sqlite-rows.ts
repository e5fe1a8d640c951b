import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { CarrierNode } from '../domain/node.ts';
import type { ParcelKey } from '../domain/parcel-key.ts';
import type { ForecastEntry, History, Parcel, WatchedShipment } from '../domain/parcel-state.ts';
import type { Registration, Shipment } from '../domain/shipment.ts';
import type { DueShipment } from '../ports.ts';

/** A key as the columns tenant_id, forecast_no, further_number. */
export function keyColumns({ tenantId, forecastNo, furtherNumber }: ParcelKey): readonly [string, string, string] {
  return [tenantId, forecastNo, furtherNumber ?? ''];
}

/** A row of the table shipments, as far as it is read. */
export interface ShipmentRow {
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly po_number: string;
  readonly carrier_code: string;
  readonly tracking_number: string;
  /** Empty for the first parcel of a forecast. */
  readonly further_number: string;
  readonly watch: number;
  readonly sequence: string;
  readonly watched_since: number;
  readonly dispatched_at: number;
  readonly published_status: string;
  readonly last_change_at: number;
  readonly next_poll_at: number | null;
  /** 0 or 1. */
  readonly is_watched: number;
  readonly wakes: number;
  readonly failures: number;
  readonly asked_at: number;
  readonly reported_at: number;
  /** JSON of the registration; null for none. */
  readonly registration: string | null;
  readonly sealed_details: string | null;
  /** JSON list; null for an empty one. */
}

/** The shipment in a row. */
export function toShipment(row: ShipmentRow): Shipment {
  return {
    tenantId: row.tenant_id,
    forecastNo: row.forecast_no,
    poNumber: row.po_number,
    carrierCode: row.carrier_code,
    trackingNumber: row.tracking_number,
    furtherNumber: row.further_number === '' ? null : row.further_number,
    watch: row.watch,
    watchedSince: row.watched_since,
    dispatchedAt: row.dispatched_at,
    isWatched: row.is_watched === 1,
    publishedStatus: row.published_status as AdminStatus | '',
    wakes: row.wakes,
    failures: row.failures,
    askedAt: row.asked_at,
    reportedAt: row.reported_at,
    registration: row.registration === null ? null : (JSON.parse(row.registration) as Registration),
    sealedDetails: row.sealed_details,
  };
}

/** A row of a shipment that is due. */
export type DueRow = ShipmentRow & { readonly next_poll_at: number };

/** The shipment in a row that is due. */
export function toDueShipment(row: DueRow): DueShipment {
  return { ...toShipment(row), dueAt: row.next_poll_at };
}

interface ForecastRow {
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_id: number;
  readonly accepted_at: number;
  readonly cancelled_at: number | null;
  /** JSON list; null for an empty one. */
  readonly further_numbers: string | null;
}

/** A row of the table forecasts, with its shipment; `watch` is null when there is none. */
export type ParcelRow = ForecastRow & (ShipmentRow | { readonly watch: null });

/** The parcel in a row. */
export function toParcel(row: ParcelRow, history: History): Parcel {
  const forecast: ForecastEntry = {
    tenantId: row.tenant_id,
    forecastNo: row.forecast_no,
    poNumber: row.po_number,
    forecastId: row.forecast_id,
    acceptedAt: row.accepted_at,
    cancelledAt: row.cancelled_at,
    furtherNumbers: row.further_numbers === null ? [] : (JSON.parse(row.further_numbers) as string[]),
  };
  return { forecast, shipment: row.watch === null ? undefined : toWatchedShipment(row), history, version: 0 };
}

function toWatchedShipment(row: ShipmentRow): WatchedShipment {
  return {
    ...toShipment(row),
    sequence: row.sequence,
    lastChangeAt: row.last_change_at,
    nextPollAt: row.next_poll_at,
  };
}

/** A row with a node in it. */
export interface NodeRow {
  readonly node: string;
}

/** The node in a row. */
export function toNode(row: NodeRow): CarrierNode {
  return JSON.parse(row.node) as CarrierNode;
}
