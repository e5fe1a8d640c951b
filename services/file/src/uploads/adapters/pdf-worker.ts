import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { ReadBarcode } from '../domain/inspected-pdf.ts';

/*
 * What the worker runs follows: its text is given to the worker, so that these functions must use nothing but each other, what Node has and what
 * they are given.
 */

interface Drawing {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

type Decode = (drawing: Drawing) => Promise<readonly { readonly text: string; readonly format: string }[]>;

interface PdfLibraries {
  readonly pdfium: WrappedPdfiumModule;
  readonly decode: Decode;
  readonly limits: PdfLimits;
  /** @throws RangeError when memory was refused: that does not always fail the call that needed it */
  readonly checkMemory: () => void;
}

/**
 * Bounds the memory of what is loaded afterwards. A PDF of a few kilobytes can decompress to gigabytes, or have a page of any size; all of that
 * lies in the memories of the two WebAssembly modules, which grow by one call alone.
 * @returns throws once memory has been refused
 */
function limitMemory(maxBytes: number): () => void {
  type Memory = { grow(pages: number): number };
  const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly;
  const { grow } = Memory.prototype;
  let grown = 0;
  let isRefused = false;
  const check = (): void => {
    if (isRefused) throw new RangeError('The PDF needs too much memory');
  };
  Memory.prototype.grow = function (this: Memory, pages: number): number {
    isRefused ||= grown + pages * 65_536 > maxBytes;
    check();
    grown += pages * 65_536;
    return grow.call(this, pages);
  };
  return check;
}

async function loadLibraries(data: PdfWorkerData): Promise<PdfLibraries> {
  const { createRequire } = process.getBuiltinModule('node:module');
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const checkMemory = limitMemory(data.maxBytes);
  // The libraries write about damaged objects and refused memory.
  for (const level of ['log', 'warn', 'error'] as const) console[level] = () => undefined;
  const load = createRequire(data.pdfium);
  const wasm = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;
  const { init } = load(data.pdfium) as typeof import('@embedpdf/pdfium');
  const pdfium = await init({ wasmBinary: wasm(data.pdfiumWasm) });
  pdfium.PDFiumExt_Init();
  const { prepareZXingModule, readBarcodes } = load(data.zxing) as typeof import('zxing-wasm/reader');
  await prepareZXingModule({ overrides: { wasmBinary: wasm(data.zxingWasm) }, fireImmediately: true });
  const decode: Decode = (drawing) =>
    readBarcodes(drawing, {
      formats: ['Code128', 'Code39', 'Code93', 'Codabar', 'ITF', 'EANUPC', 'QRCode', 'DataMatrix', 'PDF417', 'Aztec', 'MaxiCode'],
      tryHarder: true,
      tryRotate: true,
      // Drawings have no noise to get rid of.
      tryDownscale: false,
      tryInvert: false,
      textMode: 'Plain',
      maxNumberOfSymbols: data.maxBarcodes + 1,
    });
  return { pdfium, decode, limits: data, checkMemory };
}

/** The columns from the first to the last that are not white within rows. The fourth byte of a dot means nothing. */
function drawnColumns(dots: Uint32Array, width: number, top: number, bottom: number): readonly [left: number, right: number] {
  let [left, right] = [width, 0];
  for (let y = top; y < bottom; y += 1) {
    const row = y * width;
    for (let x = 0; x < left; x += 1) if (((dots[row + x] as number) & 0xffffff) !== 0xffffff) left = x;
    for (let x = width - 1; x >= right; x -= 1) if (((dots[row + x] as number) & 0xffffff) !== 0xffffff) right = x + 1;
  }
  return [left, right];
}

/** The smallest area with all that is not white. Undefined when there is nothing. */
function drawnArea(dots: Uint32Array, width: number, height: number) {
  const isRowDrawn = (y: number): boolean => {
    for (let at = y * width; at < (y + 1) * width; at += 1) if (((dots[at] as number) & 0xffffff) !== 0xffffff) return true;
    return false;
  };
  let top = 0;
  while (top < height && !isRowDrawn(top)) top += 1;
  if (top === height) return undefined;
  let bottom = height;
  while (!isRowDrawn(bottom - 1)) bottom -= 1;
  const [left, right] = drawnColumns(dots, width, top, bottom);
  return { top, bottom, left, right };
}

/**
 * The drawing without its white borders, but for a margin: most of the time goes into looking for barcodes, and white has none. The dots are moved
 * within their memory. Undefined when all of it is white.
 */
function withoutBorders({ data, width, height }: Drawing): Drawing | undefined {
  // 7.5 mm at 203 dots per inch: more than the quiet zone of a barcode whose narrow bars are half a millimetre wide.
  const MARGIN = 60;
  const dots = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const area = drawnArea(dots, width, height);
  if (area === undefined) return undefined;
  const [top, left] = [Math.max(0, area.top - MARGIN), Math.max(0, area.left - MARGIN)];
  const across = Math.min(width, area.right + MARGIN) - left;
  const down = Math.min(height, area.bottom + MARGIN) - top;
  for (let y = 0; y < down; y += 1) {
    const from = (top + y) * width + left;
    dots.copyWithin(y * across, from, from + across);
  }
  return { data: data.subarray(0, across * down * 4), width: across, height: down };
}

/** Draws a page in grey on white and looks for barcodes. Empty when there is no such page. */
async function readPage({ pdfium, decode, limits }: PdfLibraries, document: number, index: number): ReturnType<Decode> {
  const BGRX = 3;
  const ANNOTATIONS_GREY_RGBX_PRINT = 0x1 | 0x8 | 0x10 | 0x800;
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) return [];
  const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const scale = Math.min(limits.dotsPerInch / 72, Math.sqrt(limits.maxPixels / Math.max(1, pageWidth * pageHeight)));
  // A page that is a line has a side of at least one dot, so that the other must end somewhere.
  const width = Math.min(Math.max(1, Math.round(pageWidth * scale)), limits.maxPixels);
  const height = Math.min(Math.max(1, Math.round(pageHeight * scale)), Math.floor(limits.maxPixels / width));
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  try {
    if (bitmap === 0) return [];
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_GREY_RGBX_PRINT);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const drawing = withoutBorders({ data: new Uint8ClampedArray(pdfium.pdfium.HEAPU8.buffer, start, width * height * 4), width, height });
    return drawing === undefined ? [] : await decode(drawing);
  } finally {
    if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(page);
  }
}

async function findBarcodes(libraries: PdfLibraries, document: number, pages: number): Promise<PdfReport> {
  const { maxDrawn, drawingMs, maxBarcodes, maxBarcodeText } = libraries.limits;
  const found = new Map<string, ReadBarcode>();
  const report = (isComplete: boolean): PdfReport => ({
    kind: 'barcodes',
    barcodes: [...found.values()].slice(0, maxBarcodes),
    isComplete,
  });
  const started = performance.now();
  for (let index = 0; index < Math.min(pages, maxDrawn); index += 1) {
    if (index > 0 && performance.now() - started > drawingMs) return report(false);
    for (const { text: whole, format } of await readPage(libraries, document, index)) {
      const text = whole.slice(0, maxBarcodeText);
      if (text !== '' && !found.has(text)) found.set(text, { page: index + 1, format, text });
    }
    if (found.size > maxBarcodes) return report(false);
  }
  return report(true);
}

/** Sizes in points of the first pages that there are. */
function measure({ pdfium, limits }: PdfLibraries, document: number, pages: number): [number, number][] {
  const { wasmExports } = pdfium.pdfium;
  const sizes: [number, number][] = [];
  const place = wasmExports.malloc(8);
  for (let index = 0; index < Math.min(pages, limits.maxMeasured); index += 1) {
    if (!pdfium.FPDF_GetPageSizeByIndexF(document, index, place)) break;
    const { HEAPF32 } = pdfium.pdfium;
    sizes.push([HEAPF32[place / 4] ?? 0, HEAPF32[place / 4 + 1] ?? 0]);
  }
  wasmExports.free(place);
  return sizes;
}

async function inspectContent(libraries: PdfLibraries, content: Uint8Array, report: (report: PdfReport) => void): Promise<void> {
  const NEEDS_PASSWORD_OR_SECURITY = [4, 5];
  const { pdfium } = libraries;
  const { wasmExports } = pdfium.pdfium;
  const place = wasmExports.malloc(content.length);
  libraries.checkMemory();
  pdfium.pdfium.HEAPU8.set(content, place);
  const document = pdfium.FPDF_LoadMemDocument(place, content.length, '');
  if (document === 0) {
    const isEncrypted = NEEDS_PASSWORD_OR_SECURITY.includes(pdfium.FPDF_GetLastError());
    report({ kind: 'structure', isEncrypted, pages: 0, sizes: [] });
    report({ kind: 'barcodes', barcodes: [], isComplete: true });
  } else {
    const counted = pdfium.FPDF_GetPageCount(document);
    const sizes = measure(libraries, document, counted);
    // The count is only what the PDF claims.
    const pages = sizes.length === 0 ? 0 : counted;
    report({ kind: 'structure', isEncrypted: pdfium.EPDF_IsEncrypted(document), pages, sizes });
    report(await findBarcodes(libraries, document, pages));
    pdfium.FPDF_CloseDocument(document);
  }
  wasmExports.free(place);
}

/** Compiles the functions of an inspection by calling them: the first call takes longer than an inspection. */
async function warmUp(libraries: PdfLibraries): Promise<void> {
  const bars = Array.from({ length: 60 }, (_, index) => `${20 + 4 * index} 200 ${1 + (index % 3)} 60 re f`).join(' ');
  const pdf = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Contents 4 0 R>> endobj
4 0 obj <</Length ${bars.length}>> stream
${bars}
endstream endobj
trailer <</Root 1 0 R>>
%%EOF`;
  await inspectContent(libraries, new TextEncoder().encode(pdf), () => undefined);
}

async function inspectInWorker(): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const libraries = await loadLibraries(workerData as PdfWorkerData);
  await warmUp(libraries);
  const respond = async (content: Uint8Array): Promise<void> => {
    try {
      await inspectContent(libraries, content, (report) => {
        libraries.checkMemory();
        parentPort?.postMessage(report);
      });
    } catch {
      // Both libraries return damage as a value. They throw only when out of memory, after which the worker is not used again.
      parentPort?.postMessage({ kind: 'exceeded' } satisfies PdfReport);
    }
  };
  parentPort?.on('message', (content: Uint8Array) => void respond(content));
  parentPort?.postMessage('ready');
}

/** The program of the worker. It responds to each PDF with its reports. */
export const workerProgram = [
  limitMemory,
  loadLibraries,
  drawnColumns,
  drawnArea,
  withoutBorders,
  readPage,
  findBarcodes,
  measure,
  inspectContent,
  warmUp,
  inspectInWorker,
]
  .map(String)
  .concat('inspectInWorker();')
  .join('\n');

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
