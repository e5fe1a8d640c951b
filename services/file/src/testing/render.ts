import { FontLibrary } from '../documents/adapters/fonts.ts';
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
}

export function render(content: DocumentContent): RenderedFiles {
  const rendered = renderDocuments(library, content);
  const bytes = Buffer.from(rendered.bytes);
  const { labelEnd, copiesEnd, slipStart } = rendered.sections;
  const copies = copiesEnd === null ? undefined : bytes.subarray(0, copiesEnd);
  return { ...rendered, label: bytes.subarray(0, labelEnd), copies, slip: bytes.subarray(slipStart) };
}

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
