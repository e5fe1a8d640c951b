/** Which documents of a collection are looked at, outside of the store. */
export interface SampleOptions {
  readonly limit: number;
  /** Those that were stored last; else those that were stored first. */
  readonly newest: boolean;
}

/** A document as a database has it: whatever wrote it. */
export interface Sampled {
  readonly key: string;
  /** With its heavy fields. @throws Error when it cannot be read */
  read(): object;
}
