/** A row or a document. */
export type Stored = Readonly<Record<string, unknown>>;

/** The rows of a table, or the documents of a collection. */
export interface StoredPart {
  readonly name: string;
  readonly rows: readonly Stored[];
}

/** What a service keeps. */
export interface CopyStore {
  readonly service: string;
  /** Everything, of a platform that is about new; a table before those that refer to it. */
  read(): Promise<readonly StoredPart[]>;
  insert(part: string, rows: readonly Stored[]): Promise<void>;
  close(): Promise<void>;
}
