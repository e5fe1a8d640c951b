import type { LogRecord } from './driver.ts';

/** A record and what was read from it. */
export interface ReadRecord<T> {
  readonly record: LogRecord;
  readonly content: T;
}

/** Names the partition of a record. */
export const partitionName = ({ topic, partition }: LogRecord): string => `${topic}\n${partition}`;
