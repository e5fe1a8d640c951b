import type { DocumentContent, DocumentItem } from '../domain/forecast-documents.ts';
import { code128 } from '../domain/label-symbol.ts';
import type { Canvas, TextStyle } from './canvas.ts';
import type { PdfFile } from './pdf-file.ts';

const A4 = { width: 210, height: 297 } as const;
const MARGIN = 12;
const HEAD = 48;
const HEAD_OF_OTHERS = 20;
const ROW = 9;
const FOOT = 20;
const TEXT: TextStyle = { size: 8 };

/** Columns of the table: where each begins and how wide it is, in millimetres. */
const COLUMNS = {
  place: { x: 12, width: 9 },
  sku: { x: 22, width: 42 },
  product: { x: 66, width: 72 },
  quantity: { x: 140, width: 16 },
  weight: { x: 158, width: 19 },
  total: { x: 179, width: 19 },
} as const;

type Column = keyof typeof COLUMNS;

const HEADINGS: Readonly<Record<Column, string>> = {
  place: '#',
  sku: 'SKU / barcode',
  product: 'Product',
  quantity: 'Quantity',
  weight: 'kg each',
  total: 'kg',
};

const isNumber = (column: Column): boolean => column === 'quantity' || column === 'weight' || column === 'total';

const kilograms = (weight: number): string => String(Math.round(weight * 1000) / 1000);

/** Items of each page: the first has more above its table. */
function pagesOf(items: readonly DocumentItem[]): readonly (readonly DocumentItem[])[] {
  const pages: (readonly DocumentItem[])[] = [];
  let at = 0;
  do {
    const head = at === 0 ? HEAD : HEAD_OF_OTHERS;
    const rows = Math.floor((A4.height - MARGIN - head - ROW - FOOT) / ROW);
    pages.push(items.slice(at, at + rows));
    at += rows;
  } while (at < items.length);
  return pages;
}

function drawHead(canvas: Canvas, content: DocumentContent, isFirst: boolean): number {
  const width = A4.width - 2 * MARGIN;
  const { forecastNo } = content;
  canvas.text(`Packing slip ${forecastNo}`, { x: MARGIN, y: MARGIN, width: width * 0.55 }, { size: isFirst ? 14 : 9, bold: true });
  if (!isFirst) return HEAD_OF_OTHERS;
  const symbol = code128(forecastNo);
  if (symbol) canvas.symbol(symbol, { x: 110, y: MARGIN, width: 88, height: 14 });
  const lines = [
    `PO number: ${content.poNumber}`,
    `Warehouse: ${content.warehouseCode}`,
    `Due date: ${content.dueDate ?? '-'}`,
    `Cartons: ${content.cartonCount ?? '-'}`,
    `Version ${content.version} of ${new Date(content.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ];
  let y = MARGIN + 8;
  for (const [index, line] of lines.entries()) {
    y = canvas.text(line, { x: MARGIN, y, width: index === 0 ? 95 : width }, { size: 9, maxLines: index === 0 ? 2 : 1 });
  }
  return HEAD;
}

function drawRow(canvas: Canvas, item: DocumentItem, place: number, y: number): void {
  const cell = (column: Column, text: string, top = y): void => {
    canvas.text(text, { ...COLUMNS[column], y: top }, { ...TEXT, align: isNumber(column) ? 'right' : 'left' });
  };
  const { declared_weight_kg: weight, forecast_quantity: quantity } = item;
  cell('place', String(place));
  cell('sku', item.sku_code);
  if (item.barcode) cell('sku', item.barcode, y + 4);
  cell('product', item.product_name_en);
  if (item.product_name_cn) cell('product', item.product_name_cn, y + 4);
  cell('quantity', String(quantity));
  if (weight === undefined) return;
  cell('weight', kilograms(weight));
  cell('total', kilograms(weight * quantity));
}

/** The last line of the table. */
function drawTotals(canvas: Canvas, items: readonly DocumentItem[], y: number): void {
  const pieces = items.reduce((sum, item) => sum + item.forecast_quantity, 0);
  const weighed = items.filter((item) => item.declared_weight_kg !== undefined);
  const weight = weighed.reduce((sum, item) => sum + (item.declared_weight_kg ?? 0) * item.forecast_quantity, 0);
  canvas.fill({ x: MARGIN, y: y - 1, width: A4.width - 2 * MARGIN, height: 0.3 });
  const bold: TextStyle = { size: 9, bold: true };
  canvas.text(`Total of ${items.length} items`, { ...COLUMNS.sku, y }, bold);
  canvas.text(String(pieces), { ...COLUMNS.quantity, y }, { ...bold, align: 'right' });
  if (weighed.length === 0) return;
  canvas.text(kilograms(weight), { ...COLUMNS.total, y }, { ...bold, align: 'right' });
  if (weighed.length < items.length) canvas.text(`kg: declared for ${weighed.length} items`, { ...COLUMNS.product, y }, TEXT);
}

/** Writes the packing slip: every item in a table, with totals. */
export function writePackingSlip(file: PdfFile, content: DocumentContent): void {
  const { items } = content;
  const pages = pagesOf(items);
  let place = 0;
  for (const [index, rows] of pages.entries()) {
    const page = index + 1;
    const draw = (canvas: Canvas): void => {
      let y = drawHead(canvas, content, page === 1);
      for (const column of Object.keys(COLUMNS) as Column[]) {
        canvas.text(HEADINGS[column], { ...COLUMNS[column], y }, { ...TEXT, bold: true, align: isNumber(column) ? 'right' : 'left' });
      }
      canvas.fill({ x: MARGIN, y: y + 5, width: A4.width - 2 * MARGIN, height: 0.3 });
      y += ROW - 2;
      for (const item of rows) {
        place += 1;
        drawRow(canvas, item, place, y);
        y += ROW;
      }
      if (page === pages.length) drawTotals(canvas, items, y + 1);
      canvas.text(
        `${page}/${pages.length}`,
        { x: MARGIN, y: A4.height - MARGIN, width: A4.width - 2 * MARGIN },
        { ...TEXT, align: 'right' },
      );
    };
    file.page(A4, [{ form: file.form(A4, draw), x: 0, y: 0 }], A4);
  }
  file.end();
}
