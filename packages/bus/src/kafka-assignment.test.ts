import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { BatchHandler, BatchOutcome, LogRecord } from './driver.ts';
import { type Commit, commitLazily, KafkaAssignment } from './kafka-assignment.ts';

describe('commits to kafka', () => {
  let written: (readonly [number, string])[][];
  let failures: number;
  /** What the cluster says to the next commits; yes when there is nothing left. */
  let responses: Promise<void>[];
  let commits: ReturnType<typeof commitLazily>;
  const commit: Commit = async (positions) => {
    written.push([...positions]);
    await responses.shift();
  };
  const failed = (): void => {
    failures += 1;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    failures = 0;
    responses = [];
    commits = commitLazily(commit, failed);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each(['lands', 'fails'])('nothing is sent while one that timed out may still arrive; it %s, and the newest is sent', async (end) => {
    let settle = (): void => undefined;
    responses.push(
      new Promise((resolve, reject) => {
        settle = () => (end === 'lands' ? resolve() : reject(new Error('out')));
      }),
    );
    commits.moved(1, '5');
    const first = expect(commits.flush()).rejects.toThrow('took longer');
    await jest.advanceTimersByTimeAsync(3000);
    await first;
    commits.moved(1, '6');
    const second = expect(commits.flush()).rejects.toThrow('took longer');
    await jest.advanceTimersByTimeAsync(3000);
    await second;
    commits.moved(2, '1');
    await jest.advanceTimersByTimeAsync(30_000);
    expect(written).toEqual([[[1, '5']]]);
    settle();
    await jest.advanceTimersByTimeAsync(5000);
    expect(written.slice(1)).toEqual([
      [
        [1, '6'],
        [2, '1'],
      ],
    ]);
  });

  describe('of what has to be settled first', () => {
    let release: () => void;
    let settling: number;
    beforeEach(() => {
      settling = 0;
      const settle = (): Promise<void> => {
        settling += 1;
        return new Promise((resolve) => (release = resolve));
      };
      commits = commitLazily(commit, failed, settle);
    });

    test('nothing is sent in the name of a member that has lost its partitions meanwhile', async () => {
      commits.moved(1, '5');
      const flush = commits.flush();
      await jest.advanceTimersByTimeAsync(0);
      commits.forget();
      release();
      await flush;
      expect(written).toEqual([]);
    });

    test('it fails at the deadline, and is retried', async () => {
      commits.moved(1, '5');
      await jest.advanceTimersByTimeAsync(3300);
      expect([settling, failures]).toEqual([1, 1]);
      await jest.advanceTimersByTimeAsync(1000);
      expect(settling).toBe(2);
      release();
      await jest.advanceTimersByTimeAsync(0);
      expect(written).toEqual([[[1, '5']]]);
    });
  });
});

const record = (offset: number): LogRecord => {
  return { topic: 't', partition: 3, offset: String(offset), key: 'k', value: new Uint8Array(1), headers: {}, timestamp: 0 };
};
const range = (from: number, to: number): LogRecord[] => Array.from({ length: to - from }, (_, index) => record(from + index));

describe('a partition of an assignment', () => {
  /** What the handler was given, and what ends each call. */
  let calls: { readonly offsets: number[]; readonly signal: AbortSignal; readonly end: (outcome?: Partial<BatchOutcome>) => void }[];
  let committed: string[];
  let commit: () => Promise<void>;
  let assignment: KafkaAssignment;

  const handle: BatchHandler = (records, signal) =>
    new Promise((resolve) => {
      const end = (outcome = {}): void => resolve({ done: records.length, pauseMs: 0, ...outcome });
      calls.push({ offsets: records.map(({ offset }) => Number(offset)), signal: signal as AbortSignal, end });
    });
  const open = (handler: BatchHandler): KafkaAssignment =>
    new KafkaAssignment({
      handle: handler,
      commit: async (positions) => {
        committed.push(...positions.values());
        await commit();
      },
      logger: silentLogger,
    });

  beforeEach(() => {
    jest.useFakeTimers();
    calls = [];
    committed = [];
    commit = async () => undefined;
    assignment = open(handle);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Lets everything run that waits for nothing from outside, and the pause before a commit. */
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(250);
  const end = async (call: number, outcome?: Partial<BatchOutcome>): Promise<void> => {
    calls[call]?.end(outcome);
    await settle();
  };

  test('counts the markers of transactions behind the last record as finished', async () => {
    const taken = assignment.take(3, range(0, 2), '5');
    await settle();
    await end(0, { done: 1 });
    expect(committed).toEqual(['1']);
    await end(1);
    expect(committed).toEqual(['1', '5']);
    expect(await taken).toEqual({ done: 2, pauseMs: 0 });
  });

  test('a rest comes again as a whole after its pause, however small the batches have become', async () => {
    const first = assignment.take(3, range(0, 100), '100');
    await jest.advanceTimersByTimeAsync(0);
    expect(calls[0]?.offsets).toHaveLength(20);
    await end(0);
    expect(calls[1]?.offsets).toHaveLength(40);
    await jest.advanceTimersByTimeAsync(5000);
    await end(1, { done: 2, pauseMs: 100 });
    expect(await first).toEqual({ done: 22, pauseMs: 100 });
    void assignment.take(3, range(22, 100), '100');
    await jest.advanceTimersByTimeAsync(0);
    expect(calls[2]?.offsets).toEqual(Array.from({ length: 38 }, (_, index) => 22 + index));
    await end(2);
    expect(calls[3]?.offsets).toHaveLength(40);
  });

  test('is handled once at a time', async () => {
    const first = assignment.take(3, range(0, 2), '2');
    expect(await assignment.take(3, range(0, 2), '2')).toEqual({ done: 0, pauseMs: 500 });
    await settle();
    await end(0);
    expect(await first).toEqual({ done: 2, pauseMs: 0 });
    expect(calls).toHaveLength(1);
  });

  test('what ends after the assignment does not count', async () => {
    const old = assignment.take(3, range(0, 2), '2');
    await settle();
    assignment.forget();
    await end(0);
    expect(await old).toEqual({ done: 0, pauseMs: 0 });
    expect(committed).toEqual([]);
    void assignment.take(3, range(0, 1), '1');
    await settle();
    await end(1);
    expect(committed).toEqual(['1']);
  });

  test('lets nothing further begin once it is about to go', async () => {
    const taken = assignment.take(3, range(0, 100), '100');
    await settle();
    assignment.halt();
    expect(calls[0]?.signal.aborted).toBe(true);
    await end(0, { done: 3 });
    expect(await taken).toEqual({ done: 3, pauseMs: 0 });
    expect(await assignment.take(3, range(3, 5), '5')).toEqual({ done: 0, pauseMs: 500 });
    expect(calls).toHaveLength(1);
  });

  test('a handler that throws against the rules gets its batch again', async () => {
    assignment = open(async () => {
      throw new Error('defect');
    });
    expect(await assignment.take(3, range(0, 1), '1')).toEqual({ done: 0, pauseMs: 500 });
  });

  test('delays a rebalance for less than the session of the member, whatever hangs', async () => {
    commit = () => new Promise(() => undefined);
    void assignment.take(3, range(0, 1), '1');
    void assignment.take(4, range(0, 1), '1');
    await settle();
    // A commit has been sent and has not returned.
    await end(0);
    let revoked = false;
    void assignment.revoke().then(() => {
      revoked = true;
    });
    await jest.advanceTimersByTimeAsync(6100);
    expect(revoked).toBe(true);
  });
});
