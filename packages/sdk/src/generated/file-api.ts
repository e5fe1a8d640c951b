// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Barcode of an uploaded file */
export interface FileBarcode {
  /** Page with the barcode, from 1 */
  readonly page: number;
  /** Symbology: Code128, Code39, Code93, Codabar, ITF, EAN13, EAN8, UPCA, UPCE, QRCode, DataMatrix, PDF417, Aztec, MaxiCode; there may be others */
  readonly format: string;
  /** Its content, at most 300 characters; a control character, such as FNC1 of GS1, becomes a blank */
  readonly text: string;
}

/** File query */
export interface FileQuery {
  /** For a product label: repeats the page of each item as often as its quantity, up to 10,000 pages; more pages fail with 42201. Ignored for any other file */
  readonly copies?: 'quantity';
}

/** Uploaded file record */
export interface UploadedFile {
  /** Opens without a key; use it as shipping_label or shipping_note */
  readonly url: string;
  /** Attachment record of the platform */
  readonly attachment_id: number;
  /** File name as uploaded */
  readonly origin_name: string;
  /** Bytes */
  readonly size_byte: number;
  /** For people, such as 1.50 MB */
  readonly size_info: string;
  /** When `url` ends, if the upload had `url_expires_in`; null when it never does */
  readonly url_expire_time: string | null;
  /** true when the tenant had uploaded an identical file before: the same MD5 and SHA-256 */
  readonly deduplicated: boolean;
  /** What is unusual for a label or packing list: encrypted, no page, more than 20 pages, a page of unusual size, pages of different sizes, not readable or slow to draw; empty when nothing is */
  readonly warnings: readonly Warning[];
  /** Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time */
  readonly barcodes: readonly FileBarcode[];
}

/** Uploaded image */
export interface UploadedImage {
  /** Opaque; puts the image on a forecast within 30 days */
  readonly image_id: string;
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** image/jpeg, image/png or image/webp */
  readonly media_type: string;
  /** Bytes */
  readonly size_byte: number;
}

/** Uploaded photo */
export interface UploadedPhoto {
  /** Opaque; use it in photo_ids or photo_id of an event */
  readonly photo_id: string;
  /** Opens without a key; cannot be guessed */
  readonly image_url: string;
  /** image/jpeg, image/png or image/webp */
  readonly media_type: string;
  /** Bytes */
  readonly size_byte: number;
}
