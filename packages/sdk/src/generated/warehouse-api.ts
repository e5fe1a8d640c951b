// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

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
  /** The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count */
  readonly received_items?: readonly ReceivedQuantity[];
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
  /** Where the parcel goes (ISO 3166-1 alpha-2) */
  readonly destination_country?: string;
  /** Postcode of the recipient */
  readonly destination_postcode?: string;
  /** Last four digits of the recipient's phone number */
  readonly phone_last4?: string;
  /** Day on which the carrier took the parcel */
  readonly ship_date?: string;
  /** The carrier's service, such as express */
  readonly carrier_service?: string;
}

/** Exception event */
export interface ExceptionEvent {
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
  readonly type: 'exception';
  /** What is wrong */
  readonly reason: 'damaged' | 'wrong_content' | 'missing_items' | 'unreadable_label' | 'prohibited' | 'other';
  /** In your own words, for the merchant */
  readonly text?: string;
  /** Photos that show it */
  readonly photo_ids?: readonly string[];
}

/** Field error */
export interface FieldError {
  /** JSON path of the field, such as items[3].sku_code; in an import the title of its column */
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** Hold event */
export interface HoldEvent {
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
  readonly type: 'hold';
  /** In your own words, for the merchant */
  readonly reason?: string;
}

/** Intake result */
export interface IntakeResult {
  /** Events stored now */
  readonly accepted: number;
  /** Events that had been stored before */
  readonly duplicates: number;
  /** Events of the call, stored now or before, that wait for their forecast */
  readonly waiting: number;
  readonly rejected: readonly RejectedEvent[];
  /** At most 100, and 20 of the query; empty when there is nothing to say */
  readonly warnings: readonly IntakeWarning[];
}

/** Intake warning */
export interface IntakeWarning {
  /** Position in the call, from 0 */
  readonly index?: number;
  /** As sent; null when it cannot be read */
  readonly event_id?: string | null;
  /** JSON path of the field in the event, or name of the parameter of the query */
  readonly field: string;
  /** ambiguous: several forecasts declare the number; event_id_reused: the first event of this id stays; takes_no_dispatch: the forecast is of type 1; on_hold: a parcel that the warehouse held back was dispatched; implausible: check the number and its unit; unknown_field: ignored; no_forecast: none is known yet */
  readonly rule?: 'ambiguous' | 'event_id_reused' | 'takes_no_dispatch' | 'on_hold' | 'implausible' | 'unknown_field' | 'no_forecast';
  readonly message: string;
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
  readonly image_order?: ImageOrder;
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
  /** The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count */
  readonly received_items?: readonly ReceivedQuantity[];
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
  /** The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count */
  readonly received_items?: readonly ReceivedQuantity[];
}

/** Received quantity */
export interface ReceivedQuantity {
  /** As in the forecast; a SKU that is not in the forecast is stored too; begins and ends with a visible character */
  readonly sku_code: string;
  /** Pieces received */
  readonly quantity: number;
}

/** Rejected event */
export interface RejectedEvent {
  /** Position in the call, from 0 */
  readonly index: number;
  /** As sent; null when it cannot be read */
  readonly event_id: string | null;
  readonly code: string;
  /** Up to five faults in one text */
  readonly message: string;
  /** Every fault; at most 100, and 1000 of the whole call */
  readonly errors: readonly FieldError[];
}

/** Release event */
export interface ReleaseEvent {
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
  readonly type: 'release';
}

/** Warehouse */
export interface Warehouse {
  readonly code: string;
  readonly name: string;
}

/** Warehouse event */
export type WarehouseEvent = ArrivalEvent | WeighingEvent | PhotoEvent | ProcessingEvent | PutAwayEvent | DispatchEvent | ExceptionEvent | HoldEvent | ReleaseEvent;

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

/** Sort order */
export type ImageOrder = number;
