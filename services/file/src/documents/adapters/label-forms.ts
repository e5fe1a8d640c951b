import type { DocumentContent, DocumentItem } from '../domain/forecast-documents.ts';
import { type LabelFormat, labelSize } from '../domain/label-format.ts';
import { cartonQr, code128, itemSymbol, type LabelSymbol } from '../domain/label-symbol.ts';
import { type Box, type Canvas, lineHeight } from './canvas.ts';

/** What a label could not show as it should. */
export interface LabelNotes {
  /** Items without a symbol: their SKU has characters that Code 128 lacks. */
  withoutSymbol: number;
}

/** The area within the margins. */
function inner(format: LabelFormat): Box {
  const { width, height } = labelSize(format);
  const { margin } = format;
  return { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
}

/** The number of the forecast, with the version from the second on: so an old label differs from a new one. Codes hold the number alone. */
const shownNumber = ({ forecastNo, version }: DocumentContent): string => (version > 1 ? `${forecastNo} v${version}` : forecastNo);

/** Draws a bar code over the whole width with its text below; a QR code where the bars would be too narrow. @returns where the rest begins */
function drawBars(canvas: Canvas, format: LabelFormat, symbol: LabelSymbol, shown: string, y: number): number {
  const { x, width } = inner(format);
  const isDrawn = canvas.symbol(symbol, { x, y, width, height: format.bars });
  const height = isDrawn ? format.bars : format.matrix;
  if (!isDrawn) canvas.symbol({ kind: 'qrcode', text: symbol.text }, { x, y, width, height });
  return canvas.text(shown, { x, y: y + height, width }, { size: format.small, align: 'center' });
}

/** Draws the label of an item. `place`: which of how many, such as `3/20`. */
export function drawItem(
  canvas: Canvas,
  format: LabelFormat,
  content: DocumentContent,
  item: DocumentItem,
  place: string,
  notes: LabelNotes,
): void {
  const { x, y: top, width, height } = inner(format);
  const column = { x, width };
  const symbol = itemSymbol(item);
  let y = top;
  if (symbol) y = drawBars(canvas, format, symbol, symbol.text, y);
  else notes.withoutSymbol += 1;
  const bottom = top + height - lineHeight(format.title) - lineHeight(format.small);
  // Each text takes the lines that are left above the last two.
  const write = (text: string | undefined, size: number, maxLines: number, bold = false): void => {
    const lines = Math.min(maxLines, Math.floor((bottom - y + 0.01) / lineHeight(size)));
    if (text !== undefined && lines > 0) y = canvas.text(text, { ...column, y }, { size, bold, maxLines: lines });
  };
  write(item.sku_code, format.title, format.titleLines, true);
  write(item.product_name_en, format.name, format.nameLines);
  write(item.product_name_cn, format.name, format.nameLines);
  canvas.text(`Qty ${item.forecast_quantity}`, { x, y: bottom, width: width * 0.65 }, { size: format.title, bold: true });
  canvas.text(place, { ...column, y: bottom }, { size: format.small, align: 'right' });
  canvas.text(shownNumber(content), { ...column, y: bottom + lineHeight(format.title) }, { size: format.small });
}

/** `(00) 1 2345678 …` as scanners and people read an SSCC. */
const ssccSymbol = (sscc: string): LabelSymbol => ({ kind: 'gs1-128', text: `(00)${sscc}` });

export function drawCarton(canvas: Canvas, format: LabelFormat, content: DocumentContent): void {
  const { x, y: top, width, height } = inner(format);
  const number = code128(content.forecastNo);
  let y = number ? drawBars(canvas, format, number, shownNumber(content), top) : top;
  const side = format.matrix;
  canvas.symbol(cartonQr(content), { x, y, width: side, height: side });
  const column = { x: x + side + 1, width: width - side - 1 };
  const limit = top + height;
  const write = (text: string, size: number, maxLines = 1, bold = false): void => {
    if (y + lineHeight(size) <= limit + 0.01) y = canvas.text(text, { ...column, y }, { size, bold, maxLines });
  };
  const below = y + side;
  write(content.warehouseCode, format.title, 1, true);
  write(`PO ${content.poNumber}`, format.small, format.nameLines);
  for (const line of cartonLines(content)) write(line, format.small);
  if (content.sscc !== undefined && format.hasRoomForSscc)
    drawBars(canvas, format, ssccSymbol(content.sscc), `(00) ${content.sscc}`, below + 5);
}

/** Draws the SSCC on a label of its own, for formats that have no room for it beside the rest. */
export function drawSscc(canvas: Canvas, format: LabelFormat, content: DocumentContent, sscc: string): void {
  const { x, y, width } = inner(format);
  const below = drawBars(canvas, format, ssccSymbol(sscc), `(00) ${sscc}`, y);
  canvas.text(shownNumber(content), { x, y: below, width }, { size: format.small, align: 'center' });
}

/** What the carton holds. */
function cartonLines({ items, cartonCount, dueDate }: DocumentContent): readonly string[] {
  const pieces = items.reduce((sum, item) => sum + item.forecast_quantity, 0);
  return [
    `Items ${items.length}`,
    `Pieces ${pieces}`,
    ...(cartonCount === null ? [] : [`Cartons ${cartonCount}`]),
    ...(dueDate === null ? [] : [`Due ${dueDate}`]),
  ];
}
