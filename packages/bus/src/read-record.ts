import type { LogRecord } from './driver.ts';

/** A record and what was read from it. */
export interface ReadRecord<T> {
  readonly record: LogRecord;
  readonly content: T;
}
