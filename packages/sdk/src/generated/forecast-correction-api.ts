// Made from the contract by `npm run docs`; do not edit.
import type { ForecastCorrectionEntry, StatusChange } from './forecast-api.ts';
import type { ForecastItem } from './forecast-submission-api.ts';
import type { Warning } from './warnings.ts';

/** Corrected forecast */
export interface CorrectedForecast {
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
  /** At most 100 of the body and 20 of the query */
  readonly warnings: readonly Warning[];
}

/** Forecast correction */
export interface ForecastCorrection {
  /** Destination warehouse; see the list of warehouses; begins and ends with a visible character */
  readonly warehouse_code?: string;
  /** Expected arrival, YYYY-MM-DD, in the years 2000 to 2100 */
  readonly due_date?: string | null;
  /** URL of the shipping label from the upload endpoint */
  readonly shipping_label?: string;
  /** URL of the packing list from the upload endpoint */
  readonly shipping_note?: string;
  /** Number of cartons */
  readonly carton_count?: number | null;
  /** Line items */
  readonly items?: readonly ForecastItem[];
}
