/** What is used of pdfkit, which has no types of its own: fonts, objects and the structure of a file. */
declare module 'pdfkit' {
  /** An object of a PDF, written once `end` is called. */
  export interface PdfObject {
    readonly id: number;
    readonly data: Record<string, unknown>;
    write(content: string): void;
    end(): void;
    toString(): string;
  }
  export interface PdfFont {
    /** Of fontkit; undefined members of other fonts are not used. */
    readonly font: object;
    /** The codes of a text in hexadecimal digits, one entry for each. */
    encode(text: string): readonly [codes: readonly string[], positions: readonly unknown[]];
    /** Width of a text in points. */
    widthOfString(text: string, size: number): number;
    /** The font's object; a font that was asked for it is embedded at the end. */
    ref(): PdfObject;
  }
  export interface PdfPage {
    readonly dictionary: PdfObject;
    readonly content: PdfObject;
    readonly resources: PdfObject;
    readonly xobjects: Record<string, PdfObject>;
  }
  export interface PdfDocumentOptions {
    readonly autoFirstPage: boolean;
    readonly font: null;
    readonly info: Readonly<Record<string, string | Date>>;
  }
  export class PDFDocument {
    constructor(options: PdfDocumentOptions);
    readonly page: PdfPage;
    /** The font chosen last. */
    readonly _font: PdfFont;
    /** Positions of the objects in the file, by id from 1. */
    readonly _offsets: readonly unknown[];
    readonly _root: PdfObject & { readonly data: { readonly Pages: PdfObject } };
    readonly _info: PdfObject;
    readonly _id: Uint8Array;
    /** Receives the file, piece by piece, and null at its end. */
    read(): Uint8Array | null;
    push: (chunk: Uint8Array | null) => boolean;
    /** Chooses a font: a standard one by name, or one of fontkit, or the bytes of one. */
    font(source: string | Uint8Array | object, family?: string): this;
    ref(data: Record<string, unknown>): PdfObject;
    addPage(options: { readonly size: readonly [width: number, height: number]; readonly margin: 0 }): this;
    addContent(content: string): this;
    end(): void;
  }
}
