// Made from the contract by `npm run docs`; do not edit.
import type { FileBarcode } from './file-api.ts';
import type { Warning } from './warnings.ts';

/** File deletion */
export interface FileDeletion {
  readonly attachment_id: number;
  readonly deleted: true;
}

/** File list */
export interface FileList {
  readonly files: readonly OwnFile[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** File list query */
export interface FileListQuery {
  /** true: only files that a forecast names; false: only the others */
  readonly used?: boolean;
  /** Uploaded at or after this instant */
  readonly created_from?: string;
  /** Uploaded before this instant */
  readonly created_to?: string;
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
}

/** File url */
export interface FileUrl {
  readonly attachment_id: number;
  /** Opens without a key; use it as shipping_label or shipping_note */
  readonly url: string;
  /** When it ends; null when it never does */
  readonly expire_time: string | null;
}

/** File url request */
export interface FileUrlRequest {
  /** Seconds for which the URL opens the file, an hour to a year. Without it the URL never expires */
  readonly expires_in?: number;
}

/** File use */
export interface FileUse {
  /** null for a forecast that was accepted before uses were recorded in this detail */
  readonly po_number: string | null;
  readonly forecast_no: string;
  /** Fields that name the file: shipping_label, shipping_note; empty where `po_number` is null */
  readonly fields: readonly string[];
}

/** Uploaded file with its uses */
export interface OwnFile {
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
  /** When it was uploaded */
  readonly create_time: string;
  /** As at its upload */
  readonly warnings: readonly Warning[];
  /** Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time */
  readonly barcodes: readonly FileBarcode[];
  /** Forecasts that name the file now, the newest first, at most 20. Cancelled and deleted forecasts do not count. A new forecast is here within seconds */
  readonly used_by: readonly FileUse[];
  /** How many they are, counted up to 1000 */
  readonly used_by_count: number;
}
