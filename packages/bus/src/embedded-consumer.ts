import type { Logger } from '@parcelway/kernel/logger';
import { BatchLoop } from './batch-loop.ts';
import { type BatchHandler, type LogRecord, MAX_BATCH, MAX_BATCH_BYTES } from './driver.ts';
import type { GroupPositions, PartitionPosition } from './embedded-group-positions.ts';
import type { EmbeddedLog } from './embedded-log.ts';

/** What is read and delivered. */
export interface PartitionOptions {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly handle: BatchHandler;
  readonly log: Pick<EmbeddedLog, 'read'>;
  /** Of the group. */
  readonly positions: Pick<GroupPositions, 'position' | 'advance'>;
  readonly logger: Logger;
}

/** A batch takes up no more memory than one may, whatever the size of its records. */
function fit(_limit: number, records: readonly LogRecord[]): number {
  const bytes = records.reduce((sum, record) => sum + (record.value?.byteLength ?? 0), 0);
  const fitting = Math.floor(MAX_BATCH_BYTES / Math.max(1, bytes / records.length));
  return Math.max(1, Math.min(MAX_BATCH, fitting));
}

/** Delivers one partition of the embedded log to one group. An append wakes it. */
export function deliverPartition({ group, topic, partition, handle, log, positions, logger }: PartitionOptions): BatchLoop {
  /** Looked up by the first batch. */
  let position: PartitionPosition | undefined;
  const at = (): PartitionPosition => {
    position ??= positions.position(topic, partition);
    return position;
  };
  return new BatchLoop({
    source: {
      next: (limit) => log.read(topic, partition, at().next, limit),
      finished: (records, done) => positions.advance(at(), Number(records[done - 1]?.offset) + 1),
      fit,
    },
    handle,
    failed: (error) => logger.error({ err: error, group, topic, partition }, 'Delivering a batch failed; it will be retried'),
  });
}
