import { PDFDocument, type PdfObject, type PdfPage } from 'pdfkit';
import { Canvas, POINTS } from './canvas.ts';
import { DocumentFonts, type FontLibrary } from './fonts.ts';

/** Width and height in millimetres. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A drawing that pages can show any number of times. */
export interface Form {
  readonly name: string;
  readonly object: PdfObject;
}

/** A form at a place on a page: its upper left corner, in millimetres. */
export interface Placed {
  readonly form: Form;
  readonly x: number;
  readonly y: number;
}

/** The description of a document, besides its content. */
export interface DocumentInfo {
  readonly title: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

const points = (value: number): number => Math.round(value * POINTS * 1000) / 1000;

/** An area that begins at the origin, in points. */
export const mediaBox = ({ width, height }: Size): readonly number[] => [0, 0, points(width), points(height)];

/** A PDF on its way. The same calls make the same bytes. */
export class PdfFile {
  readonly document: PDFDocument;
  readonly fonts: DocumentFonts;
  readonly #resources: PdfObject;
  #forms = 0;
  /** What was written. */
  readonly chunks: Uint8Array[] = [];
  /** Bytes that were written. */
  size = 0;
  #xrefAt = 0;

  constructor(library: FontLibrary, { title, at }: DocumentInfo) {
    // Producer and Creator would carry a library's name; neither has a version.
    const info = { Producer: 'Parcelway', Creator: 'Parcelway', Title: title, CreationDate: new Date(at) };
    this.document = new PDFDocument({ autoFirstPage: false, font: null, info });
    // What the constructor wrote waits in the stream's buffer.
    for (let head = this.document.read(); head !== null; head = this.document.read()) this.append(head);
    this.document.push = (chunk) => {
      if (chunk !== null) this.append(chunk);
      return true;
    };
    this.fonts = new DocumentFonts(library, this.document);
    this.#resources = this.document.ref({});
  }

  /** Writes bytes behind what there is. */
  append(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.size += bytes.length;
  }

  form(size: Size, draw: (canvas: Canvas) => void): Form {
    const canvas = new Canvas(this.fonts, size.height);
    draw(canvas);
    const object = this.document.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: mediaBox(size),
      Resources: this.#resources,
    });
    object.write(canvas.content);
    object.end();
    this.#forms += 1;
    return { name: `L${this.#forms}`, object };
  }

  page(size: Size, placed: readonly Placed[], formSize: Size): PdfPage {
    const { document } = this;
    document.addPage({ size: [points(size.width), points(size.height)], margin: 0 });
    // pdfkit turns the axis of a new page downwards; turned once more, it points upwards again.
    document.addContent(`1 0 0 -1 0 ${points(size.height)} cm`);
    document.addContent(placements(size, placed, formSize));
    for (const { form } of placed) document.page.xobjects[form.name] = form.object;
    return document.page;
  }

  end(): void {
    (this.#resources.data as { Font?: object }).Font = this.fonts.resources;
    this.#resources.end();
    this.document.end();
    // The last lines are `startxref`, the position and `%%EOF`.
    this.#xrefAt = Number(Buffer.from(this.chunks.at(-2) ?? []).toString('latin1'));
  }

  /** Position of the table of objects; once the document has ended. */
  get xrefAt(): number {
    return this.#xrefAt;
  }
}

/** The operators that show forms at their places. */
export function placements(page: Size, placed: readonly Placed[], form: Size): string {
  return placed
    .map(({ form: { name }, x, y }) => `q 1 0 0 1 ${points(x)} ${points(page.height - y - form.height)} cm /${name} Do Q`)
    .join('\n');
}
