// Made from the contract by `npm run docs`; do not edit.
import type { ImageOrder } from './warehouse-api.ts';

/** Forecast image addition */
export interface ForecastImageAddition {
  /** `image_id` of an upload */
  readonly image_id: string;
  /** What the image shows */
  readonly image_type: 'product' | 'package' | 'shipping' | 'document' | 'other';
  /** Sort order */
  readonly image_order?: ImageOrder;
}

/** Forecast image removal */
export interface ForecastImageRemoval {
  readonly po_number: string;
  /** `id` of the image */
  readonly id: number;
  readonly removed: true;
}
