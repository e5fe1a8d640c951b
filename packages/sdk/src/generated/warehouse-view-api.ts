// Made from the contract by `npm run docs`; do not edit.
import type { ForecastItem } from './forecast-submission-api.ts';
import type { Warning } from './warnings.ts';

/** Counted item */
export interface CountedItem {
  readonly sku_code: string;
  readonly quantity: number;
}

/** Lookup candidate */
export interface LookupCandidate {
  readonly forecast: WarehouseForecast;
  /** label: the QR code of a carton label; claimed_number: a number that the warehouse has claimed for the forecast; tracking_number: a logistics number that the forecast declares, or the carrier's number of the dispatch; barcode: an EAN-8, EAN-13, UPC-A or GTIN-14 of an item; the others: the field of this name */
  readonly matched_by: 'label' | 'forecast_no' | 'sscc' | 'claimed_number' | 'tracking_number' | 'po_number' | 'barcode' | 'sku_code';
  /** Why it is a candidate, in a sentence */
  readonly reason: string;
  /** true: nothing was scanned for it under this number, and its merchant declares many numbers that never come, or the parcel has left and the number is one of several. Compare the parcel before you name this forecast in an event */
  readonly is_doubtful?: boolean;
}

/** Warehouse exception */
export interface WarehouseException {
  /** The warehouse's id of the event */
  readonly event_id: string;
  /** As scanned */
  readonly express_no: string | null;
  /** When it happened in the warehouse */
  readonly occurred_at: string;
  /** What is wrong with the parcel */
  readonly reason: 'damaged' | 'wrong_content' | 'missing_items' | 'unreadable_label' | 'prohibited' | 'other';
  /** The warehouse's own words */
  readonly text: string | null;
  readonly photos: readonly {
    /** Photo record of the platform */
    readonly id: number;
    /** Opens without a key; cannot be guessed */
    readonly image_url: string;
    /** Bytes */
    readonly file_size: number;
    /** When the photo was uploaded */
    readonly upload_time: string;
  }[];
}

/** Warehouse forecast */
export interface WarehouseForecast {
  readonly forecast_no: string;
  /** The merchant */
  readonly tenant_id: string;
  /** The merchant's key */
  readonly po_number: string;
  /** 1 = stock replenishment, 2 = direct-mail labelling */
  readonly forecast_type: number;
  readonly warehouse_code: string;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** Expected arrival */
  readonly due_date: string | null;
  /** Number of line items */
  readonly item_count: number;
  /** As the merchant declares it */
  readonly carton_count: number | null;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Logistics numbers that the items declare, normalised; the first 100 */
  readonly tracking_numbers: readonly string[];
  /** The warehouse holds the parcel */
  readonly on_hold: boolean;
  /** When the platform last recorded a change */
  readonly update_time: string;
}

/** Warehouse forecast detail */
export interface WarehouseForecastDetail {
  readonly forecast_no: string;
  /** The merchant */
  readonly tenant_id: string;
  /** The merchant's key */
  readonly po_number: string;
  /** 1 = stock replenishment, 2 = direct-mail labelling */
  readonly forecast_type: number;
  readonly warehouse_code: string;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** Expected arrival */
  readonly due_date: string | null;
  /** Number of line items */
  readonly item_count: number;
  /** As the merchant declares it */
  readonly carton_count: number | null;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Logistics numbers that the items declare, normalised; the first 100 */
  readonly tracking_numbers: readonly string[];
  /** The warehouse holds the parcel */
  readonly on_hold: boolean;
  /** When the platform last recorded a change */
  readonly update_time: string;
  /** When the forecast was accepted */
  readonly create_time: string;
  /** URL of the merchant's shipping label (PDF) */
  readonly shipping_label: string | null;
  /** URL of the merchant's packing list (PDF) */
  readonly shipping_note: string | null;
  /** URL of the product label (PDF); null once the forecast has gone to another warehouse */
  readonly marketplace_label: string | null;
  /** Version of the forecast that the product label shows */
  readonly marketplace_label_version: number | null;
  /** URL of the packing slip (PDF); null once the forecast has gone to another warehouse */
  readonly packing_slip: string | null;
  /** Without `forecast_price`, unless the operator allows it */
  readonly items: readonly ForecastItem[];
  /** Latest first, at most 100 */
  readonly measurements: readonly WarehouseMeasurement[];
  /** Ascending by image_order, at most 100 */
  readonly photos: readonly WarehouseImage[];
  /** Latest first */
  readonly holds: readonly {
    /** The warehouse's own words */
    readonly reason: string | null;
    /** When the hold began in the warehouse */
    readonly held_at: string;
    /** When the warehouse released it; null while the hold lasts */
    readonly released_at: string | null;
  }[];
  /** Latest first, at most 100 */
  readonly exceptions: readonly WarehouseException[];
  /** Pieces that the warehouse counted, as last reported; null when it has not */
  readonly received_items: readonly CountedItem[] | null;
  /** Set once the parcel is dispatched */
  readonly carrier_code: string | null;
  /** Number under which the parcel was dispatched */
  readonly tracking_number: string | null;
  /** When the parcel was handed to the carrier */
  readonly dispatch_time: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Warehouse forecast list */
export interface WarehouseForecastList {
  readonly forecasts: readonly WarehouseListedForecast[];
  /** While `has_more`, it leads to the next page. Afterwards, sending it again returns what has changed since the first page of this round */
  readonly next_cursor: string;
  /** More follows in this round */
  readonly has_more: boolean;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Warehouse forecast query */
export interface WarehouseForecastQuery {
  /** Only these statuses, each as an integer or by its name, separated by commas: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED. Names are in upper case. Chooses what the first round shows, 1 to 4 unless it is given; later rounds show every change */
  readonly status?: string;
  /** First day of the expected arrival, YYYY-MM-DD; only together with due_to, at most 31 days. Chooses what the first round shows */
  readonly due_from?: string;
  /** Last day of the expected arrival, YYYY-MM-DD; only together with due_from */
  readonly due_to?: string;
  /** Changed at or after this instant. Chooses what the first round shows */
  readonly updated_from?: string;
  /** Only forecasts of this merchant, in every round */
  readonly tenant_id?: string;
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous response; send the same filters with it */
  readonly cursor?: string;
}

/** Warehouse image */
export interface WarehouseImage {
  /** The warehouse's id of the event */
  readonly event_id: string;
  /** As scanned */
  readonly express_no: string | null;
  /** When it happened in the warehouse */
  readonly occurred_at: string;
  /** Photo record of the platform */
  readonly id: number;
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** Bytes */
  readonly file_size: number;
  /** When the photo was uploaded */
  readonly upload_time: string;
  /** What the image shows */
  readonly image_type: 'product' | 'package' | 'shipping' | 'document' | 'other';
  readonly image_order: number;
}

/** Warehouse listed forecast */
export interface WarehouseListedForecast {
  readonly forecast_no: string;
  /** The merchant */
  readonly tenant_id: string;
  /** The merchant's key */
  readonly po_number: string;
  /** 1 = stock replenishment, 2 = direct-mail labelling */
  readonly forecast_type: number;
  readonly warehouse_code: string;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** Expected arrival */
  readonly due_date: string | null;
  /** Number of line items */
  readonly item_count: number;
  /** As the merchant declares it */
  readonly carton_count: number | null;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Logistics numbers that the items declare, normalised; the first 100 */
  readonly tracking_numbers: readonly string[];
  /** The warehouse holds the parcel */
  readonly on_hold: boolean;
  /** When the platform last recorded a change */
  readonly update_time: string;
  /** A correction has moved the forecast to another warehouse: this one no longer expects it, and can no longer read it or look it up. The other fields are as this warehouse last saw them. Shown only to requests for changes: with a cursor of an earlier round, or with `updated_from` */
  readonly moved: boolean;
}

/** Warehouse lookup */
export interface WarehouseLookup {
  /** As sent */
  readonly scan: string;
  /** Expected and present parcels first, at most 50. The platform does not choose: it returns every match */
  readonly candidates: readonly LookupCandidate[];
  /** There are more candidates than shown */
  readonly has_more: boolean;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Warehouse lookup query */
export interface WarehouseLookupQuery {
  /** What the scanner read; with or without a symbology identifier such as `]C1` */
  readonly scan: string;
}

/** Warehouse measurement */
export interface WarehouseMeasurement {
  /** The warehouse's id of the event */
  readonly event_id: string;
  /** As scanned */
  readonly express_no: string | null;
  /** When it happened in the warehouse */
  readonly occurred_at: string;
  readonly length_cm: number;
  readonly width_cm: number;
  readonly height_cm: number;
  readonly weight_kg: number;
  readonly photos: readonly {
    /** Photo record of the platform */
    readonly id: number;
    /** Opens without a key; cannot be guessed */
    readonly image_url: string;
    /** Bytes */
    readonly file_size: number;
    /** When the photo was uploaded */
    readonly upload_time: string;
  }[];
}
