// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './forecast-api.ts';

/** Uploaded file record */
export interface UploadedFile {
  /** Opens directly; goes into shipping_label or shipping_note */
  readonly url: string;
  /** Attachment record of the platform */
  readonly attachment_id: number;
  /** File name as uploaded */
  readonly origin_name: string;
  /** Bytes */
  readonly size_byte: number;
  /** For people, such as 1.50 MB */
  readonly size_info: string;
  /** true when the tenant had uploaded an identical file before: the same MD5 and SHA-256 */
  readonly deduplicated: boolean;
  /** What is unusual for a label or packing list: encrypted, no page, more than 20 pages, not readable; empty when nothing is */
  readonly warnings: readonly Warning[];
}

/** Uploaded photo */
export interface UploadedPhoto {
  /** Opaque; goes into photo_ids or photo_id of an event */
  readonly photo_id: string;
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** image/jpeg, image/png or image/webp */
  readonly media_type: string;
  /** Bytes */
  readonly size_byte: number;
}
