/** A file to upload. */
export interface Upload {
  /** File name as the platform shows it; its extension determines the type. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** A file that was opened. */
export interface Content {
  /** Such as `application/pdf`. */
  readonly mediaType: string;
  readonly content: Uint8Array;
}
