import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { findingMessages } from '@parcelway/contracts/pdf-warnings';
import type { Warning } from '@parcelway/contracts/warnings';
import { type PageSize, unusualSizes } from './page-sizes.ts';

/* What an inspection read of a PDF. For what of it is unusual, see pdf-warnings of @parcelway/contracts. */

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

const KB = 1024;

/** A size for people: `512.00 B`, `1.50 KB`, `10.00 MB`. Two decimals; 1 KB is 1,024 bytes. */
export function sizeInfo(bytes: number): string {
  if (bytes < KB) return `${bytes.toFixed(2)} B`;
  const kilobytes = (bytes / KB).toFixed(2);
  return Number(kilobytes) < KB ? `${kilobytes} KB` : `${(bytes / KB / KB).toFixed(2)} MB`;
}

/** What the URL of a file has of an inspection. @param barcodes the summary of what was read */
export function findingsForUrl(findings: PdfFindings, barcodes: BarcodeSummary): FileFindings {
  const { isReadable, isEncrypted, pages, sizes, barcodeSearch } = findings;
  return { isReadable, isEncrypted, pages, isSlow: isReadable && barcodeSearch === 'timed_out', ...unusualSizes(sizes), barcodes };
}

/**
 * What is unusual for a label or a packing list, by the rules of the contracts (pdf-warnings) and by what the URL has, so that an upload and a
 * submission warn of the same. The upload is accepted all the same.
 * @param findings undefined when the PDF was not inspected
 */
export function pdfWarnings(findings: PdfFindings | undefined): Warning[] {
  if (findings === undefined) return [];
  const published = findingsForUrl(findings, { hasNumber: false, readings: [] });
  return findingMessages(published).map(({ message }) => ({ field: 'file', message }));
}
