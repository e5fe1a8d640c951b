import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { BatchHandler, LogRecord } from './driver.ts';
import { PartitionWorker } from './embedded-consumer.ts';
import type { GroupPositions, PartitionPosition } from './embedded-group-positions.ts';
import type { EmbeddedLog } from './embedded-log.ts';

const record = (offset: number, size: number): LogRecord => {
  return { topic: 't', partition: 0, offset: String(offset), key: `k${offset}`, value: new Uint8Array(size), headers: {}, timestamp: 0 };
};

let worker: PartitionWorker;
afterEach(() => worker.stop());

/** A worker over records in memory. */
function workerOver(records: readonly LogRecord[], handle: BatchHandler): PartitionWorker {
  const log: Pick<EmbeddedLog, 'read'> = { read: (_topic, _partition, from, limit) => records.slice(from, from + limit) };
  const positions: Pick<GroupPositions, 'position' | 'advance'> = {
    position: () => ({ next: 0 }) as PartitionPosition,
    advance: (position, next) => {
      (position as { next: number }).next = next;
    },
  };
  return new PartitionWorker({
    group: 'g',
    topic: 't',
    partition: 0,
    handle,
    log: log as EmbeddedLog,
    positions: positions as GroupPositions,
    logger: silentLogger,
  });
}

test('delivers what comes again together, whatever the size of its records allows by then', async () => {
  // Small records let the second batch be long; the large ones in it would make the third one short.
  const records = [
    ...Array.from({ length: 20 }, (_, offset) => record(offset, 1)),
    ...Array.from({ length: 40 }, (_, at) => record(20 + at, 400_000)),
  ];
  const batches: string[][] = [];
  worker = workerOver(records, async (batch) => {
    batches.push(batch.map(({ offset }) => offset));
    // The second batch fails at its first record, once.
    return { done: batches.length === 2 ? 0 : batch.length, pauseMs: 0 };
  });
  worker.wake();
  await until(() => batches.length === 3, { what: 'the batch that comes again' });
  expect(batches[1]).toHaveLength(40);
  expect(batches[2]).toEqual(batches[1]);
});

test('delivers what is appended while a batch is under way, and at whatever moment it ends', async () => {
  const records = [record(0, 1)];
  const got: string[] = [];
  const appendNext = (): void => {
    if (records.length === 50) return;
    records.push(record(records.length, 1));
    worker.wake();
  };
  worker = workerOver(records, async (batch) => {
    got.push(...batch.map(({ offset }) => offset));
    // Each time somewhat later: within the batch, between its end and that of the run, and after it.
    const turns = got.length % 10;
    void (async () => {
      for (let turn = 0; turn < turns; turn += 1) await null;
      appendNext();
    })();
    return { done: batch.length, pauseMs: 0 };
  });
  worker.wake();
  await until(() => got.length === 50, { what: 'all records' });
  expect(got).toEqual(records.map(({ offset }) => offset));
});

test('stop waits for the batch under way, and nothing is delivered after it', async () => {
  const records = [record(0, 1)];
  let calls = 0;
  let release = (): void => undefined;
  worker = workerOver(records, async (batch) => {
    calls += 1;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { done: batch.length, pauseMs: 0 };
  });
  worker.wake();
  await until(() => calls === 1, { what: 'the batch' });
  records.push(record(1, 1));
  worker.wake();
  let hasStopped = false;
  const stopping = worker.stop().then(() => {
    hasStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasStopped).toBe(false);
  release();
  await stopping;
  worker.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toBe(1);
});
