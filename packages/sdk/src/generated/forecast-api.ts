// Made from the contract by `npm run docs`; do not edit.
/** Forecast acceptance result */
export interface ForecastAcceptance {
  /** Forecast number given by the platform */
  readonly forecast_no: string;
  readonly po_number: string;
  /** Number of items accepted */
  readonly item_count: number;
  readonly status: 'ACCEPTED';
  /** When the forecast was accepted */
  readonly create_time: string;
  /** At most 100 of the body and 20 of the query; empty when there is nothing to say */
  readonly warnings: readonly Warning[];
}

/** Forecast cancellation */
export interface ForecastCancellation {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly status: 'CANCELLED';
  /** When it was cancelled */
  readonly cancel_time: string;
}

/** Forecast detail */
export interface ForecastDetail {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly warehouse_code: string;
  readonly due_date: string | null;
  readonly item_count: number;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** When it was accepted */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  readonly shipping_label: string | null;
  readonly shipping_note: string | null;
  readonly items: readonly ForecastItem[];
  /** Set once the parcel is dispatched */
  readonly carrier_code: string | null;
  /** Number under which the parcel was dispatched */
  readonly tracking_number: string | null;
  /** Oldest first */
  readonly history: readonly StatusChange[];
  /** Newest first */
  readonly measurements: readonly Measurement[];
}

/** Forecast image */
export interface ForecastImage {
  /** Photo record of the platform */
  readonly id: number;
  /** The platform's integer id of the forecast */
  readonly forecast_id: number;
  /** What the image shows */
  readonly image_type: 'product' | 'package' | 'shipping' | 'document' | 'other';
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** Sort order */
  readonly image_order: number;
  /** Who uploaded it */
  readonly upload_source: 'warehouse' | 'admin' | 'system' | 'tenant';
}

/** Forecast item */
export interface ForecastItem {
  /** Stock keeping unit; begins and ends with a visible character */
  readonly sku_code: string;
  /** Barcode of the product; begins and ends with a visible character */
  readonly barcode?: string;
  /** Product name in English; has a visible character */
  readonly product_name_en: string;
  /** Product name in Chinese */
  readonly product_name_cn?: string;
  /** Image URL of the product */
  readonly product_image?: string;
  /** Number of pieces */
  readonly forecast_quantity: number;
  /** Declared unit price, at most 4 decimals */
  readonly forecast_price?: number;
  /** Harmonised System code, 6 to 13 digits */
  readonly hs_code?: string;
  /** Logistics number. Compared in upper case without spaces and hyphens; unique among live type 2 forecasts */
  readonly tracking_number?: string;
}

/** Forecast list */
export interface ForecastList {
  readonly forecasts: readonly ForecastSummary[];
  /** null on the last page */
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
  /** Accepted at or after this instant */
  readonly created_from?: string;
  /** Accepted before this instant */
  readonly created_to?: string;
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the page before */
  readonly cursor?: string;
}

/** Forecast submission */
export interface ForecastSubmission {
  /** Business key of the forecast; case-sensitive and exact; begins and ends with a visible character */
  readonly po_number: string;
  /** 1 = stock replenishment, 2 = direct-mail labelling */
  readonly forecast_type?: 1 | 2;
  /** Destination warehouse; see the list of warehouses; begins and ends with a visible character */
  readonly warehouse_code: string;
  /** Expected arrival, YYYY-MM-DD, in the years 2000 to 2100 */
  readonly due_date?: string;
  /** URL of the shipping label from the upload endpoint. Required for type 2 */
  readonly shipping_label?: string;
  /** URL of the packing list from the upload endpoint. Required for type 2 */
  readonly shipping_note?: string;
  /** Line items */
  readonly items: readonly ForecastItem[];
}

/** Forecast summary */
export interface ForecastSummary {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly warehouse_code: string;
  readonly due_date: string | null;
  readonly item_count: number;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** When it was accepted */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
}

/** Measurement */
export interface Measurement {
  readonly length_cm: number;
  readonly width_cm: number;
  readonly height_cm: number;
  readonly weight_kg: number;
  /** When the warehouse weighed it */
  readonly weighed_at: string;
}

/** Po number query */
export interface PoNumberQuery {
  /** po_number of the forecast, exactly as submitted */
  readonly po_number: string;
}

/** Status change */
export interface StatusChange {
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** When the platform recorded it */
  readonly time: string;
  /** What moved it: submitted, cancelled, or the warehouse or tracking event */
  readonly reason: string;
}

/** Warning */
export interface Warning {
  /** JSON path of the field, or name of the parameter of the query */
  readonly field: string;
  readonly message: string;
}

/** Weighing data */
export interface WeighingData {
  readonly po_number: string;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** cm; null when not yet weighed */
  readonly length_cm: number | null;
  /** cm; null when not yet weighed */
  readonly width_cm: number | null;
  /** cm; null when not yet weighed */
  readonly height_cm: number | null;
  /** kg; null when not yet weighed */
  readonly weight_kg: number | null;
  /** Newest first */
  readonly weighing_images: readonly WeighingImage[];
  /** Ascending by image_order */
  readonly forecast_images: readonly ForecastImage[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Weighing image */
export interface WeighingImage {
  /** Photo record of the platform */
  readonly id: number;
  /** Number scanned at the weigher; empty when none was */
  readonly express_no: string;
  /** Storage key */
  readonly image_path: string;
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** Bytes */
  readonly file_size: number;
  /** When the photo was uploaded */
  readonly upload_time: string;
}
