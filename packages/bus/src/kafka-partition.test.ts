import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { BatchOutcome, LogRecord } from './driver.ts';
import { KafkaPartition } from './kafka-partition.ts';

const record = (offset: number, size = 1): LogRecord => {
  return { topic: 't', partition: 3, offset: String(offset), key: 'k', value: new Uint8Array(size), headers: {}, timestamp: 0 };
};
const range = (from: number, to: number, size = 1): LogRecord[] =>
  Array.from({ length: to - from }, (_, index) => record(from + index, size));

describe('a partition of a kafka consumer', () => {
  let calls: { readonly offsets: number[]; readonly end: (outcome: Partial<BatchOutcome>) => void }[];
  let finished: string[];
  let full: boolean[];
  /** What each call was given. */
  let signals: AbortSignal[];
  let partition: KafkaPartition;

  /** Lets everything run that waits for nothing from outside. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const end = async (call: number, outcome: Partial<BatchOutcome> = {}): Promise<void> => {
    calls[call]?.end(outcome);
    await settle();
  };

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    calls = [];
    finished = [];
    full = [];
    signals = [];
    partition = new KafkaPartition({
      partition: 3,
      handle: (records, signal) =>
        new Promise((resolve) => {
          if (signal) signals.push(signal);
          const done = { done: records.length, pauseMs: 0 };
          calls.push({ offsets: records.map(({ offset }) => Number(offset)), end: (outcome) => resolve({ ...done, ...outcome }) });
        }),
      finished: (next) => finished.push(next),
      full: (isFull) => full.push(isFull),
      logger: silentLogger,
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('counts the markers of transactions behind the last record as finished', async () => {
    partition.push(range(0, 2), '5');
    await settle();
    await end(0, { done: 1 });
    expect(finished).toEqual(['1']);
    await end(1);
    expect(finished).toEqual(['1', '5']);
  });

  test('leaves out what it has already been given', async () => {
    partition.push(range(0, 3), '3');
    partition.push(range(1, 5), '5');
    await settle();
    await end(0);
    await end(1);
    expect(calls.flatMap(({ offsets }) => offsets)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a rest comes again as a whole, however small the batches have become', async () => {
    partition.push(range(0, 100), '100');
    await settle();
    expect(calls[0]?.offsets).toHaveLength(20);
    await end(0);
    expect(calls[1]?.offsets).toHaveLength(40);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5000);
    await end(1, { done: 2 });
    expect(calls[2]?.offsets).toEqual(Array.from({ length: 38 }, (_, index) => 22 + index));
    clock.mockRestore();
    await end(2);
    expect(calls[3]?.offsets).toHaveLength(40);
  });

  test('asks not to be fetched while it has enough, and to be fetched again at the half', async () => {
    partition.push(range(0, 3, 900_000), '3');
    await settle();
    expect(full).toEqual([true]);
    await end(0, { done: 1 });
    expect(full).toEqual([true]);
    await end(1, { done: 1 });
    expect(full).toEqual([true, false]);
  });
  test('continues when kafkajs ended while the partition was full and cannot resume it', async () => {
    const delivered: number[] = [];
    partition = new KafkaPartition({
      partition: 3,
      handle: async (records) => {
        delivered.push(...records.map(({ offset }) => Number(offset)));
        return { done: records.length, pauseMs: 0 };
      },
      finished: (next) => finished.push(next),
      full: (isFull) => {
        if (!isFull) throw new Error('Consumer group was not initialized');
      },
      logger: silentLogger,
    });
    partition.push(range(0, 3, 900_000), '3');
    await settle();
    await partition.halt();
    partition.reset();
    partition.push(range(3, 4), '4');
    await settle();
    expect([delivered, finished]).toEqual([
      [0, 1, 2, 3],
      ['3', '4'],
    ]);
  });

  test('takes records with offsets that it has had when the log has lost its end', async () => {
    partition.push(range(0, 5), '5');
    await settle();
    await end(0);
    partition.push(range(0, 7), '7');
    await settle();
    await end(1);
    expect(calls[1]?.offsets).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(finished).toEqual(['5', '7']);
  });

  test('what ends after the partition has been revoked does not count, and delays the next assignment', async () => {
    partition.push(range(0, 2), '2');
    await settle();
    void partition.halt();
    partition.reset();
    partition.push(range(0, 1), '1');
    await settle();
    expect(calls).toHaveLength(1);
    await end(0, { pauseMs: 60_000 });
    expect(finished).toEqual([]);
    expect(calls[1]?.offsets).toEqual([0]);
    await end(1);
    expect(finished).toEqual(['1']);
  });

  test.each([
    ['halts', () => void partition.halt()],
    ['is forgotten', () => partition.reset()],
  ])('lets nothing further of the batch under way begin when it %s', async (_name, leave) => {
    partition.push(range(0, 2), '2');
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    leave();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    partition.reset();
    partition.push(range(0, 2), '2');
    await end(0, { done: 0 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await end(1);
    expect(finished).toEqual(['2']);
  });

  test('a handler that throws against the rules gets its batch again', async () => {
    let tries = 0;
    partition = new KafkaPartition({
      partition: 3,
      handle: async (records) => {
        tries += 1;
        if (tries === 1) throw new Error('defect');
        return { done: records.length, pauseMs: 0 };
      },
      finished: (next) => finished.push(next),
      full: () => undefined,
      logger: silentLogger,
    });
    partition.push(range(0, 1), '1');
    await settle();
    expect(finished).toEqual([]);
    jest.advanceTimersByTime(500);
    await settle();
    expect(finished).toEqual(['1']);
  });
});
