/** A file to upload. */
export interface Upload {
  /** File name as the platform shows it; its extension determines the type. */
  readonly name: string;
  readonly content: Uint8Array;
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
