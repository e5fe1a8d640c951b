// Made from the contract by `npm run docs`; do not edit.
import type { ForecastItem } from './forecast-submission-api.ts';
import type { Warning } from './warnings.ts';

/** Forecast cancellation */
export interface ForecastCancellation {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly status: 'CANCELLED';
  /** When it was cancelled */
  readonly cancel_time: string;
}

/** Forecast change */
export interface ForecastChange {
  /** JSON path, such as items[2].forecast_quantity. An item that was added or removed is one field */
  readonly field: string;
  /** Value before, as text; of an item its sku_code; null when there was none */
  readonly from: string | null;
  /** Value after, as text; of an item its sku_code; null when there is none */
  readonly to: string | null;
}

/** Forecast correction entry */
export interface ForecastCorrectionEntry {
  /** Version of the forecast that it made */
  readonly version: number;
  /** When the platform recorded it */
  readonly time: string;
  /** Id of the API key that made it; null when the parcel arrived at another warehouse than the forecast then named */
  readonly key_id: string | null;
  /** At most 100 */
  readonly changes: readonly ForecastChange[];
  /** True when it changed more than `changes` lists */
  readonly has_more_changes: boolean;
}

/** Forecast detail */
export interface ForecastDetail {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly warehouse_code: string;
  readonly due_date: string | null;
  readonly item_count: number;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** The warehouse found something wrong with the parcel, such as damage */
  readonly has_exception: boolean;
  /** True while a hold is not released. The status does not change with it */
  readonly on_hold: boolean;
  /** When it was accepted */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  readonly shipping_label: string | null;
  readonly shipping_note: string | null;
  /** URL of the product label (PDF), which the platform generates when it is first opened */
  readonly marketplace_label: string;
  /** Version of the forecast that label and packing slip show: the current one */
  readonly marketplace_label_version: number;
  /** URL of the packing slip (PDF), which the platform generates when it is first opened */
  readonly packing_slip: string;
  /** Number of cartons, as submitted */
  readonly carton_count: number | null;
  readonly items: readonly ForecastItem[];
  /** Set once the parcel is dispatched */
  readonly carrier_code: string | null;
  /** Number under which the parcel was dispatched */
  readonly tracking_number: string | null;
  /** Oldest first */
  readonly history: readonly StatusChange[];
  /** Newest first */
  readonly measurements: readonly {
    readonly length_cm: number;
    readonly width_cm: number;
    readonly height_cm: number;
    readonly weight_kg: number;
    /** When the warehouse weighed it */
    readonly weighed_at: string;
    /** Taken at the weigher */
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
    readonly reported_by: {
      readonly warehouse_code: string;
      /** The warehouse's id of the event */
      readonly event_id: string;
      /** Number scanned at the weigher; null when none was */
      readonly express_no: string | null;
    };
  }[];
  /** Latest first */
  readonly holds: readonly {
    /** The warehouse's own words */
    readonly reason: string | null;
    /** When the hold began in the warehouse */
    readonly held_at: string;
    /** When the warehouse released it; null while the hold lasts */
    readonly released_at: string | null;
  }[];
  /** Latest first */
  readonly exceptions: readonly {
    /** What is wrong: damaged, wrong_content, missing_items, unreadable_label, prohibited or other; more may come */
    readonly reason: string;
    /** The warehouse's own words */
    readonly text: string | null;
    /** When the warehouse found it */
    readonly occurred_at: string;
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
  }[];
  /** Latest count of the warehouse against the forecast; empty until there is one */
  readonly received_items: readonly {
    readonly sku_code: string;
    /** 0 for a SKU that is not in the forecast */
    readonly forecast_quantity: number;
    /** 0 for a SKU that the count does not name */
    readonly received_quantity: number;
    /** received_quantity - forecast_quantity */
    readonly difference: number;
  }[];
  readonly declared: {
    /** In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight */
    readonly weight_kg: number | null;
    /** In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension */
    readonly volume_cm3: number | null;
  };
  readonly measured: {
    /** In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight */
    readonly weight_kg: number | null;
    /** In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension */
    readonly volume_cm3: number | null;
  };
  readonly difference: {
    /** In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight */
    readonly weight_kg: number | null;
    /** In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension */
    readonly volume_cm3: number | null;
  };
  /** Measured volume divided by `volume_divisor`; null until it is weighed */
  readonly volumetric_weight_kg: number | null;
  /** The greater of measured and volumetric weight; null until it is weighed */
  readonly chargeable_weight_kg: number | null;
  /** cm³ that count as 1 kg; set by the operator */
  readonly volume_divisor: number;
  /** Oldest first; the latest 100 at most */
  readonly corrections: readonly ForecastCorrectionEntry[];
}

/** Forecast export query */
export interface ForecastExportQuery {
  /** Only this status, as an integer or by its name: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** po_number of the forecast, exactly as submitted */
  readonly po_number?: string;
  /** Beginning of the po_number; case-sensitive */
  readonly q?: string;
  /** Logistics number of an item, or number under which a parcel was dispatched; compared without spaces, hyphens and case */
  readonly tracking_number?: string;
  /** SKU of an item, exactly; begins and ends with a visible character */
  readonly sku_code?: string;
  /** Number that the platform gave, exactly */
  readonly forecast_no?: string;
  /** Warehouse that the forecast names; begins and ends with a visible character */
  readonly warehouse_code?: string;
  /** true: only parcels that the warehouse found something wrong with; false: only the others */
  readonly has_exception?: boolean;
  /** true: only parcels that the warehouse holds; false: only the others */
  readonly on_hold?: boolean;
  /** Accepted at or after this instant */
  readonly created_from?: string;
  /** Accepted before this instant */
  readonly created_to?: string;
  /** Last changed at or after this instant */
  readonly updated_from?: string;
  /** Last changed before this instant */
  readonly updated_to?: string;
}

/** Forecast list */
export interface ForecastList {
  readonly forecasts: readonly ForecastSummary[];
  /** null on the last page. Nothing else ends the list: with several filters a page may have fewer forecasts than `limit`, or none, and others follow */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Forecast list query */
export interface ForecastListQuery {
  /** Only this status, as an integer or by its name: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** po_number of the forecast, exactly as submitted */
  readonly po_number?: string;
  /** Beginning of the po_number; case-sensitive */
  readonly q?: string;
  /** Logistics number of an item, or number under which a parcel was dispatched; compared without spaces, hyphens and case */
  readonly tracking_number?: string;
  /** SKU of an item, exactly; begins and ends with a visible character */
  readonly sku_code?: string;
  /** Number that the platform gave, exactly */
  readonly forecast_no?: string;
  /** Warehouse that the forecast names; begins and ends with a visible character */
  readonly warehouse_code?: string;
  /** true: only parcels that the warehouse found something wrong with; false: only the others */
  readonly has_exception?: boolean;
  /** true: only parcels that the warehouse holds; false: only the others */
  readonly on_hold?: boolean;
  /** Accepted at or after this instant */
  readonly created_from?: string;
  /** Accepted before this instant */
  readonly created_to?: string;
  /** Last changed at or after this instant */
  readonly updated_from?: string;
  /** Last changed before this instant */
  readonly updated_to?: string;
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page, with the same filters */
  readonly cursor?: string;
}

/** Forecast summary */
export interface ForecastSummary {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly warehouse_code: string;
  readonly due_date: string | null;
  readonly item_count: number;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** The warehouse found something wrong with the parcel, such as damage */
  readonly has_exception: boolean;
  /** True while a hold is not released. The status does not change with it */
  readonly on_hold: boolean;
  /** When it was accepted */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
}

/** Status change */
export interface StatusChange {
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** When the platform recorded it */
  readonly time: string;
  /** What changed it: submitted, cancelled, or the warehouse or tracking event */
  readonly reason: string;
  /** Id of the API key that submitted or cancelled it; null for what the warehouse or the carrier reported */
  readonly key_id: string | null;
}
