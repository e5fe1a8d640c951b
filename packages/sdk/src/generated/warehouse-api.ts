// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './forecast-api.ts';

/** Arrival event */
export interface ArrivalEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'arrival';
}

/** Dispatch event */
export interface DispatchEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'dispatch';
  /** Carrier */
  readonly carrier_code: string;
  /** The carrier's number */
  readonly tracking_number: string;
}

/** Intake result */
export interface IntakeResult {
  /** Events stored now */
  readonly accepted: number;
  /** Events that had been stored before */
  readonly duplicates: number;
  readonly rejected: readonly {
    /** Position in the call, from 0 */
    readonly index: number;
    readonly code: string;
    readonly message: string;
  }[];
}

/** Photo event */
export interface PhotoEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'photo';
  /** photo_id of the photo upload */
  readonly photo_id: string;
  /** What the image shows */
  readonly image_type: 'product' | 'package' | 'shipping' | 'document' | 'other';
  /** Sort order */
  readonly image_order?: number;
}

/** Processing event */
export interface ProcessingEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'processing';
}

/** Put away event */
export interface PutAwayEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'put_away';
}

/** Warehouse */
export interface Warehouse {
  readonly code: string;
  readonly name: string;
}

/** Warehouse event */
export type WarehouseEvent = ArrivalEvent | WeighingEvent | PhotoEvent | ProcessingEvent | PutAwayEvent | DispatchEvent;

/** Warehouse event batch */
export interface WarehouseEventBatch {
  readonly events: readonly WarehouseEvent[];
}

/** Warehouse list */
export interface WarehouseList {
  readonly warehouses: readonly Warehouse[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Warehouse report */
export type WarehouseReport = WarehouseEvent | WarehouseEventBatch;

/** Weighing event */
export interface WeighingEvent {
  /** The warehouse's id of the event; sent again, it has no second effect */
  readonly event_id: string;
  /** When it happened */
  readonly occurred_at: string;
  /** The reporting warehouse; the one of the key; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Forecast number; this or express_no */
  readonly forecast_no?: string;
  /** Number scanned from the parcel; this or forecast_no */
  readonly express_no?: string;
  readonly type: 'weighing';
  /** Length in cm */
  readonly length_cm: number;
  /** Width in cm */
  readonly width_cm: number;
  /** Height in cm */
  readonly height_cm: number;
  /** Weight in kg */
  readonly weight_kg: number;
  /** Photos taken at the weigher */
  readonly photo_ids?: readonly string[];
}
