import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** A code on a page of a PDF. */
export interface PrintedCode {
  /** From 1. */
  readonly page: number;
  /** Such as `Code128`, `QRCode` or `EAN13`. */
  readonly format: string;
  readonly text: string;
}

const DOTS_PER_INCH = 203;
const POINTS_PER_INCH = 72;
/** Four bytes a dot, the last one not used (fpdfview.h, FPDFBitmap_BGRx). */
const BGRX = 3;
const BYTES_PER_DOT = 4;
const WHITE = 0xffffffff;

/** The WebAssembly of a library, from disk: left alone, ZXing would load its own from the Internet. */
function wasmOf(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(name))).buffer;
}

interface PrintedPage {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

function printPage(pdfium: WrappedPdfiumModule, document: number, index: number): PrintedPage {
  const page = pdfium.FPDF_LoadPage(document, index);
  const dots = (points: number): number => Math.round((points * DOTS_PER_INCH) / POINTS_PER_INCH);
  const [width, height] = [dots(pdfium.FPDF_GetPageWidthF(page)), dots(pdfium.FPDF_GetPageHeightF(page))];
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const data = Uint8ClampedArray.from(pdfium.pdfium.HEAPU8.subarray(start, start + width * height * BYTES_PER_DOT));
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(page);
  return { data, width, height };
}

/**
 * Prints the pages of a PDF as a label printer with 203 dots per inch would, and reads the codes on them. PDFium prints and ZXing reads: neither knows
 * what made the PDF.
 * @throws Error when PDFium cannot open it
 */
export async function readCodes(pdf: Buffer): Promise<PrintedCode[]> {
  const pdfium = await init({ wasmBinary: wasmOf('@embedpdf/pdfium/pdfium.wasm') });
  pdfium.PDFiumExt_Init();
  await prepareZXingModule({ overrides: { wasmBinary: wasmOf('zxing-wasm/reader/zxing_reader.wasm') }, fireImmediately: true });
  const content = pdfium.pdfium.wasmExports.malloc(pdf.length);
  pdfium.pdfium.HEAPU8.set(pdf, content);
  const document = pdfium.FPDF_LoadMemDocument(content, pdf.length, '');
  if (document === 0) throw new Error('PDFium cannot open the PDF');
  const codes: PrintedCode[] = [];
  for (let index = 0; index < pdfium.FPDF_GetPageCount(document); index += 1) {
    for (const { format, text } of await readBarcodes(printPage(pdfium, document, index))) codes.push({ page: index + 1, format, text });
  }
  pdfium.FPDF_CloseDocument(document);
  pdfium.pdfium.wasmExports.free(content);
  return codes;
}
