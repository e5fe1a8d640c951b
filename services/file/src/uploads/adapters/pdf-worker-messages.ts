import type { ReadBarcode } from '../domain/inspected-pdf.ts';

/** Limits of one inspection. */
export interface PdfLimits {
  /** Bytes of memory for reading, drawing and decoding. It lies outside of the heap of the worker. */
  readonly maxBytes: number;
  /** Pages that are measured. */
  readonly maxMeasured: number;
  /** Pages that are drawn, to look for barcodes. */
  readonly maxDrawn: number;
  readonly dotsPerInch: number;
  /** Dots of one drawing, at most: a large page is drawn more coarsely. */
  readonly maxPixels: number;
  /** No further page is drawn after so many milliseconds. */
  readonly drawingMs: number;
  readonly maxBarcodes: number;
  /** Characters kept of a barcode. */
  readonly maxBarcodeText: number;
}

/** The worker's start data: paths of the libraries and their WebAssembly, and the limits. */
export interface PdfWorkerData extends PdfLimits {
  readonly pdfium: string;
  readonly pdfiumWasm: string;
  readonly zxing: string;
  readonly zxingWasm: string;
}

/** The worker's reports on a PDF: its structure, then its barcodes. `exceeded`: the PDF needs too much memory. */
export type PdfReport =
  /** Sizes in points. */
  | { readonly kind: 'structure'; readonly isEncrypted: boolean; readonly pages: number; readonly sizes: readonly [number, number][] }
  | { readonly kind: 'barcodes'; readonly barcodes: readonly ReadBarcode[]; readonly isComplete: boolean }
  | { readonly kind: 'exceeded' };

/** The worker's message after loading the libraries. */
export const WORKER_READY = 'ready';
