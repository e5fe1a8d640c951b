import { deflateSync } from 'node:zlib';
import type { PdfPage } from 'pdfkit';
import { mediaBox, type PdfFile, type Placed, placements, type Size } from './pdf-file.ts';

/** A page of the copies: one that the document has already, once more, or forms in a new order. */
export type CopyPage = { readonly again: PdfPage; readonly isFirst: boolean } | { readonly placed: readonly Placed[] };

/**
 * Adds an incremental update behind a finished document (ISO 32000-1, 7.5.6): a new list of pages. Up to the update the file is the
 * document as it was; with the update it shows the pages of the list, which share the contents of those before.
 */
export class PageCopies {
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
