// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

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
  /** True while a hold is not released. The status does not change with it */
  readonly on_hold: boolean;
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
