import type { PdfPage } from 'pdfkit';
import type { DocumentContent } from '../domain/forecast-documents.ts';
import { copySheets, type LabelFormat, labelFormats, labelSize, MAX_COPY_PAGES } from '../domain/label-format.ts';
import { drawCarton, drawItem, drawSscc, type LabelNotes } from './label-forms.ts';
import { type CopyPage, PageCopies } from './page-copies.ts';
import type { Form, PdfFile, Placed } from './pdf-file.ts';

/** A label once the document has it. */
interface Label {
  readonly form: Form;
  /** How many copies of it there are. */
  readonly quantity: number;
}

/** The pages and labels of a document, once it has them. */
export interface WrittenLabel {
  readonly pages: readonly PdfPage[];
  readonly labels: readonly Label[];
}

/** The upper left corner of each label on a sheet. */
function slotsOf(format: LabelFormat): readonly { readonly x: number; readonly y: number }[] {
  const { width, height } = labelSize(format);
  const { columns, rows } = format;
  return Array.from({ length: columns * rows }, (_, at) => ({ x: (at % columns) * width, y: Math.floor(at / columns) * height }));
}

/** Labels on sheets, as many on each as it has room for. */
function* sheetsOf(format: LabelFormat, forms: Iterable<Form>): Generator<readonly Placed[]> {
  const slots = slotsOf(format);
  let placed: Placed[] = [];
  for (const form of forms) {
    placed.push({ form, ...(slots[placed.length] as (typeof slots)[number]) });
    if (placed.length === slots.length) {
      yield placed;
      placed = [];
    }
  }
  if (placed.length > 0) yield placed;
}

function* formsOf(file: PdfFile, content: DocumentContent, format: LabelFormat, notes: LabelNotes): Generator<Label> {
  const size = labelSize(format);
  const { items, sscc } = content;
  for (const [index, item] of items.entries()) {
    const form = file.form(size, (canvas) => drawItem(canvas, format, content, item, `${index + 1}/${items.length}`, notes));
    yield { form, quantity: item.forecast_quantity };
  }
  yield { form: file.form(size, (canvas) => drawCarton(canvas, format, content)), quantity: 1 };
  if (sscc !== undefined && !format.hasRoomForSscc) {
    yield { form: file.form(size, (canvas) => drawSscc(canvas, format, content, sscc)), quantity: 1 };
  }
}

/**
 * Writes the product label: the label of each item, then the carton's. Stops whenever some of it should be taken.
 * @returns the pages and labels, for {@link writeCopies}
 */
export function* writeLabel(file: PdfFile, content: DocumentContent, notes: LabelNotes): Generator<void, WrittenLabel> {
  const format = labelFormats[content.page];
  const labels: Label[] = [];
  const pages: PdfPage[] = [];
  const drawn = function* (): Generator<Form> {
    for (const label of formsOf(file, content, format, notes)) {
      labels.push(label);
      yield label.form;
    }
  };
  for (const placed of sheetsOf(format, drawn())) {
    pages.push(file.page(format.sheet, placed, labelSize(format)));
    yield;
  }
  file.end();
  return { pages, labels };
}

/**
 * Writes, behind the finished label, what makes it repeat each item's label by its quantity.
 * @returns false, and writes nothing, when that would be too many pages
 */
export function* writeCopies(file: PdfFile, content: DocumentContent, { pages, labels }: WrittenLabel): Generator<void, boolean> {
  const format = labelFormats[content.page];
  const quantities = content.items.map((item) => item.forecast_quantity);
  if (copySheets(format, quantities, labels.length - quantities.length) > MAX_COPY_PAGES) return false;
  if (quantities.every((quantity) => quantity === 1)) return true;
  const isAlone = format.columns * format.rows === 1;
  const copies = isAlone ? repeatedPages(pages, labels) : rearranged(format, labels);
  yield* new PageCopies(file, format.sheet, labelSize(format)).write(copies);
  return true;
}

function* repeatedPages(pages: readonly PdfPage[], labels: readonly Label[]): Generator<CopyPage> {
  for (const [index, page] of pages.entries()) {
    const { quantity } = labels[index] as Label;
    for (let copy = 0; copy < quantity; copy++) yield { again: page, isFirst: copy === 0 };
  }
}

function* rearranged(format: LabelFormat, labels: readonly Label[]): Generator<CopyPage> {
  const forms = function* (): Generator<Form> {
    for (const { form, quantity } of labels) for (let copy = 0; copy < quantity; copy++) yield form;
  };
  for (const placed of sheetsOf(format, forms())) yield { placed };
}
