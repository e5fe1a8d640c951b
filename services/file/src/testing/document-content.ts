import type { DocumentContent, DocumentItem } from '../documents/domain/forecast-documents.ts';

/** An item of a forecast. */
export const itemOf = (changes: Partial<DocumentItem> = {}): DocumentItem => ({
  sku_code: 'TSHIRT-M',
  product_name_en: 'Cotton T-shirt',
  forecast_quantity: 1,
  ...changes,
});

/** The content of documents. */
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
