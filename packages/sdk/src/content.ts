import type { Readable } from 'node:stream';

/** A file to upload. */
export interface Upload {
  /** File name as the platform shows it; its extension determines the type. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** A PDF to upload. */
export interface PdfUpload extends Upload {
  /** Seconds for which the returned URL opens the file, an hour to a year; never ends when absent. */
  readonly urlExpiresIn?: number;
}

/** A spreadsheet to import. */
export interface ImportUpload extends Upload {
  /** Title of a column → name of a field, or null to ignore the column. Other columns are mapped by their titles. */
  readonly mapping?: Readonly<Record<string, string | null>>;
  /** True to check every forecast and submit none. */
  readonly validateOnly?: boolean;
}

/** A file that was opened. */
export interface Content {
  /** Such as `application/pdf`. */
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Content that comes as the platform makes it: bytes. It fails with a ParcelwayConnectionError when the connection breaks; what came until then is incomplete. */
export type ContentStream = Readable;
