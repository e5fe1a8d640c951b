import { FontLibrary } from '../documents/adapters/font-library.ts';
import { renderDocuments } from '../documents/adapters/render-documents.ts';
import type { DocumentContent, DocumentItem, RenderedDocuments } from '../documents/domain/forecast-documents.ts';

/** The fonts, once for a test file. */
export const library = new FontLibrary();

/** The documents of a content, each by itself, and what was reported of them. */
export interface RenderedFiles extends RenderedDocuments {
  readonly label: Buffer;
  /** Undefined when the label would have too many pages. */
  readonly copies: Buffer | undefined;
  readonly slip: Buffer;
  /** Largest piece that was passed on. */
  readonly largestPiece: number;
}

/** Renders in this thread. */
export function render(content: DocumentContent): RenderedFiles {
  const rendering = renderDocuments(library, content);
  const pieces: Uint8Array[] = [];
  for (;;) {
    const step = rendering.next();
    if (!step.done) {
      pieces.push(step.value);
      continue;
    }
    const bytes = Buffer.concat(pieces);
    const { labelEnd, copiesEnd, slipStart } = step.value.sections;
    const label = bytes.subarray(0, labelEnd);
    const copies = copiesEnd === null ? undefined : bytes.subarray(0, copiesEnd);
    const largestPiece = Math.max(...pieces.map(({ length }) => length));
    return { ...step.value, label, copies, slip: bytes.subarray(slipStart), largestPiece };
  }
}

/** An item of a forecast. */
export const itemOf = (changes: Partial<DocumentItem> = {}): DocumentItem => ({
  sku_code: 'TSHIRT-M',
  product_name_en: 'Cotton T-shirt',
  forecast_quantity: 1,
  ...changes,
});

export const contentOf = (changes: Partial<DocumentContent> = {}): DocumentContent => ({
  forecastNo: 'FC261121K7Q0Z4M2XT',
  poNumber: 'PO-1001',
  warehouseCode: 'SZ-01',
  version: 1,
  dueDate: '2026-12-01',
  cartonCount: 3,
  items: [itemOf()],
  at: Date.UTC(2026, 10, 21, 8),
  page: '100x150',
  sscc: undefined,
  ...changes,
});
