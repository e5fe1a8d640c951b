import { deflateSync } from 'node:zlib';
import type { PdfPage } from 'pdfkit';
import type { DocumentContent } from '../domain/forecast-documents.ts';
import { copySheets, type LabelFormat, labelFormats, labelSize, MAX_COPY_PAGES } from '../domain/label-format.ts';
import { drawCarton, drawItem, drawSscc, type LabelNotes } from './label-forms.ts';
import { type Form, mediaBox, type PdfFile, type Placed, placements, type Size } from './pdf-file.ts';

/** A page of the copies: one that the document has already, once more, or forms in a new order. */
type CopyPage = { readonly again: PdfPage; readonly isFirst: boolean } | { readonly placed: readonly Placed[] };

/**
 * Adds an incremental update behind a finished document (ISO 32000-1, 7.5.6): a new list of pages. Up to the update the file is the
 * document as it was; with the update it shows the pages of the list, which share the contents of those before.
 */
class PageCopies {
  readonly #file: PdfFile;
  readonly #size: Size;
  readonly #formSize: Size;
  readonly #offsets: number[] = [];
  readonly #firstId: number;
  readonly #pages: { readonly id: number; readonly toString: () => string };

  /** @param file ended */
  constructor(file: PdfFile, size: Size, formSize: Size) {
    this.#file = file;
    this.#size = size;
    this.#formSize = formSize;
    const { document } = file;
    this.#firstId = document._offsets.length + 1;
    this.#pages = document._root.data.Pages;
  }

  /** Writes the update. */
  write(pages: readonly CopyPage[]): void {
    const kids: string[] = [];
    const box = mediaBox(this.#size).join(' ');
    for (const page of pages) {
      if ('again' in page && page.isFirst) {
        kids.push(`${page.again.dictionary}`);
      } else {
        const [contents, resources] = 'again' in page ? [`${page.again.content}`, `${page.again.resources}`] : this.#sheet(page.placed);
        kids.push(
          this.#object(`<< /Type /Page /Parent ${this.#pages} /MediaBox [${box}] /Contents ${contents} /Resources ${resources} >>`),
        );
      }
    }
    const listAt = this.#file.size;
    this.#append(`${this.#pages.id} 0 obj\n<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>\nendobj\n`);
    this.#end(listAt);
  }

  #sheet(placed: readonly Placed[]): [contents: string, resources: string] {
    const stream = deflateSync(placements(this.#size, placed, this.#formSize));
    const contents = this.#object(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`, stream, '\nendstream');
    const forms = new Map(placed.map(({ form }) => [form.name, form.object]));
    const names = Array.from(forms, ([name, object]) => `/${name} ${object}`).join(' ');
    return [contents, `<< /XObject << ${names} >> >>`];
  }

  #object(...parts: readonly (string | Uint8Array)[]): string {
    const id = this.#firstId + this.#offsets.length;
    this.#offsets.push(this.#file.size);
    this.#append(`${id} 0 obj\n`);
    for (const part of parts) this.#append(part);
    this.#append('\nendobj\n');
    return `${id} 0 R`;
  }

  #end(listAt: number): void {
    const xref = this.#file.size;
    const line = (offset: number): string => `${String(offset).padStart(10, '0')} 00000 n \n`;
    this.#append(`xref\n${this.#pages.id} 1\n${line(listAt)}`);
    if (this.#offsets.length > 0) this.#append(`${this.#firstId} ${this.#offsets.length}\n${this.#offsets.map(line).join('')}`);
    const { _root: root, _info: info, _id: id } = this.#file.document;
    const hex = Buffer.from(id).toString('hex');
    this.#append(
      `trailer\n<< /Size ${this.#firstId + this.#offsets.length} /Root ${root} /Info ${info} /ID [<${hex}> <${hex}>] /Prev ${this.#file.xrefAt} >>\n` +
        `startxref\n${xref}\n%%EOF\n`,
    );
  }

  #append(part: string | Uint8Array): void {
    this.#file.append(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  }
}

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
function sheetsOf(format: LabelFormat, forms: readonly Form[]): readonly (readonly Placed[])[] {
  const slots = slotsOf(format);
  return Array.from({ length: Math.ceil(forms.length / slots.length) }, (_, sheet) =>
    forms.slice(sheet * slots.length, (sheet + 1) * slots.length).map((form, at) => ({ form, ...(slots[at] as (typeof slots)[number]) })),
  );
}

function labelsOf(file: PdfFile, content: DocumentContent, format: LabelFormat, notes: LabelNotes): readonly Label[] {
  const size = labelSize(format);
  const { items, sscc } = content;
  const labels = items.map((item, index) => {
    const form = file.form(size, (canvas) => drawItem(canvas, format, content, item, `${index + 1}/${items.length}`, notes));
    return { form, quantity: item.forecast_quantity };
  });
  labels.push({ form: file.form(size, (canvas) => drawCarton(canvas, format, content)), quantity: 1 });
  if (sscc !== undefined && !format.hasRoomForSscc)
    labels.push({ form: file.form(size, (canvas) => drawSscc(canvas, format, content, sscc)), quantity: 1 });
  return labels;
}

/** Writes the product label: the label of each item, then the carton's. @returns the pages and labels, for {@link writeCopies} */
export function writeLabel(file: PdfFile, content: DocumentContent, notes: LabelNotes): WrittenLabel {
  const format = labelFormats[content.page];
  const labels = labelsOf(file, content, format, notes);
  const sheets = sheetsOf(
    format,
    labels.map(({ form }) => form),
  );
  const pages = sheets.map((placed) => file.page(format.sheet, placed, labelSize(format)));
  file.end();
  return { pages, labels };
}

/**
 * Writes, behind the finished label, what makes it repeat each item's label by its quantity.
 * @returns false, and writes nothing, when that would be too many pages
 */
export function writeCopies(file: PdfFile, content: DocumentContent, { pages, labels }: WrittenLabel): boolean {
  const format = labelFormats[content.page];
  const quantities = content.items.map((item) => item.forecast_quantity);
  if (copySheets(format, quantities, labels.length - quantities.length) > MAX_COPY_PAGES) return false;
  if (quantities.every((quantity) => quantity === 1)) return true;
  const isAlone = format.columns * format.rows === 1;
  const copies = isAlone ? repeatedPages(pages, labels) : rearranged(format, labels);
  new PageCopies(file, format.sheet, labelSize(format)).write(copies);
  return true;
}

const repeated = <T>({ quantity }: Label, of: (copy: number) => T): readonly T[] => Array.from({ length: quantity }, (_, copy) => of(copy));

function repeatedPages(pages: readonly PdfPage[], labels: readonly Label[]): readonly CopyPage[] {
  return pages.flatMap((page, index) => repeated(labels[index] as Label, (copy) => ({ again: page, isFirst: copy === 0 })));
}

function rearranged(format: LabelFormat, labels: readonly Label[]): readonly CopyPage[] {
  const forms = labels.flatMap((label) => repeated(label, () => label.form));
  return sheetsOf(format, forms).map((placed) => ({ placed }));
}
