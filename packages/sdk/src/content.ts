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

/** A file that was opened. */
export interface Content {
  /** Such as `application/pdf`. */
  readonly mediaType: string;
  readonly content: Uint8Array;
}
