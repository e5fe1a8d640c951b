import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { FileFindings, PageFinding } from '@parcelway/contracts/file-findings';
import { findingMessages } from '@parcelway/contracts/pdf-warnings';
import type { Warning } from '@parcelway/contracts/warnings';

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

/** Width and height of a page as it is shown, in whole millimetres. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** What is unusual about the sizes of pages. */
export interface UnusualSizes {
  /** The first page that does not fit what labels and packing lists are printed on. */
  readonly unusual?: PageFinding;
  /** The first page whose size differs from that of page 1. */
  readonly differing?: PageFinding;
}

/** The shorter side of Letter and the longer side of A4, with some room for what programs round. */
const MAX_SHORT_SIDE = 220;
const MAX_LONG_SIDE = 300;
/** Rolls are cut at any length, within reason. */
const MAX_LENGTH = 1000;
/** The smallest labels that printers take. */
const MIN_SIDE = 20;
/** 100 × 150 mm and 4 × 6 inches differ by so much, and are the same to a printer. */
const TOLERANCE = 5;

const POINTS_PER_INCH = 72;
const MILLIMETRES_PER_INCH = 25.4;

/** @param points a length as PDF has it, 1/72 inch @returns whole millimetres */
export function millimetres(points: number): number {
  return Math.round((points / POINTS_PER_INCH) * MILLIMETRES_PER_INCH);
}

const longSide = ({ width, height }: PageSize): number => Math.max(width, height);
const shortSide = ({ width, height }: PageSize): number => Math.min(width, height);

/**
 * True when neither a label printer (sheets around 100 × 150 mm, rolls of 50 to 110 mm) nor an office printer (A4, A5, A6, Letter) prints the
 * page without scaling it.
 */
function isUnusual(size: PageSize): boolean {
  const [long, short] = [longSide(size), shortSide(size)];
  return short < MIN_SIDE || long > MAX_LENGTH || (short > MAX_SHORT_SIDE && long > MAX_LONG_SIDE);
}

/** True when the sizes differ by more than rounding; a page turned by 90 degrees has the same size. */
function differ(a: PageSize, b: PageSize): boolean {
  return Math.abs(longSide(a) - longSide(b)) > TOLERANCE || Math.abs(shortSide(a) - shortSide(b)) > TOLERANCE;
}

/** Looks for pages that surprise whoever prints them. @param sizes of pages 1, 2, … */
export function unusualSizes(sizes: readonly PageSize[]): UnusualSizes {
  const [first] = sizes;
  const pageAt = (index: number): PageFinding | undefined => {
    const size = sizes[index];
    return size && { page: index + 1, ...size };
  };
  const unusual = pageAt(sizes.findIndex(isUnusual));
  const differing = pageAt(sizes.findIndex((size) => first !== undefined && differ(first, size)));
  return { ...(unusual && { unusual }), ...(differing && { differing }) };
}
