import type { PageSize } from './page-sizes.ts';

/* What an inspection read of a PDF. For what of it is unusual, see pdf-warnings of @parcelway/contracts. */

/** A barcode as it was read. */
export interface ReadBarcode {
  /** Page with the barcode, from 1. */
  readonly page: number;
  /** Symbology, such as `Code128` or `QRCode`. */
  readonly format: string;
  /** What it says; cut to {@link MAX_BARCODE_TEXT}. FNC1 of GS1 symbols is the character U+001D. */
  readonly text: string;
}

/** At most so many barcodes are kept of a PDF. */
export const MAX_BARCODES = 10;
/** The text of a barcode is cut here: a two-dimensional one has room for thousands of characters. */
export const MAX_BARCODE_TEXT = 300;

/**
 * How far the search for barcodes came: over the first pages; not so far, because there are more barcodes than are kept or drawing took
 * long; or nowhere, because a page was not drawn in time.
 */
export type BarcodeSearch = 'complete' | 'incomplete' | 'timed_out';

/** What an inspection reads of a PDF. */
export interface PdfFindings {
  /** False when the PDF was too complex to be read in time; then the rest says nothing. */
  readonly isReadable: boolean;
  readonly isEncrypted: boolean;
  /** 0 when the page tree is missing or damaged. */
  readonly pages: number;
  /** Of the first pages, as they are shown. */
  readonly sizes: readonly PageSize[];
  /** On the first pages, at most {@link MAX_BARCODES}; each text once. */
  readonly barcodes: readonly ReadBarcode[];
  readonly barcodeSearch: BarcodeSearch;
}

/** Of a PDF that could not be read in time. */
export const UNREADABLE: PdfFindings = {
  isReadable: false,
  isEncrypted: false,
  pages: 0,
  sizes: [],
  barcodes: [],
  barcodeSearch: 'timed_out',
};
