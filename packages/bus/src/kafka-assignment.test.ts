import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
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

  test('delay a rebalance for less than the session of the member, whatever hangs', async () => {
    const never = new Promise<never>(() => undefined);
    const assignment = new KafkaAssignment({
      handle: (records) => (records[0]?.partition === 0 ? Promise.resolve({ done: 1, pauseMs: 0 }) : never),
      commit: () => never,
      full: () => undefined,
      logger: silentLogger,
    });
    const push = (partition: number): void => {
      assignment.push(partition, [{ topic: 't', partition, offset: '0', key: null, value: null, headers: {}, timestamp: 0 }], '1');
    };
    push(0);
    push(1);
    // A commit has been sent and has not returned.
    await jest.advanceTimersByTimeAsync(300);
    let revoked = false;
    void assignment.revoke().then(() => {
      revoked = true;
    });
    await jest.advanceTimersByTimeAsync(6100);
    expect(revoked).toBe(true);
  });
});
