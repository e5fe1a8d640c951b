// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

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
  /** Logistics number. Compared in upper case without spaces, hyphens and invisible characters; unique among live type 2 forecasts */
  readonly tracking_number?: string;
  /** Weight of one piece in kg, as the merchant declares it */
  readonly declared_weight_kg?: number;
  /** Length of one piece in cm, as the merchant declares it */
  readonly declared_length_cm?: number;
  /** Width of one piece in cm, as the merchant declares it */
  readonly declared_width_cm?: number;
  /** Height of one piece in cm, as the merchant declares it */
  readonly declared_height_cm?: number;
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
  /** Number of cartons */
  readonly carton_count?: number;
  /** Line items */
  readonly items: readonly ForecastItem[];
}
