import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { BatchRunner } from './batch-runner.ts';
import { type BatchOutcome, type LogRecord, MAX_BATCH, type OutgoingRecord } from './driver.ts';

const record = (partition: number, offset: number, bytes: number): LogRecord => {
  return { topic: 't', partition, offset: String(offset), key: 'k', value: new Uint8Array(bytes), headers: {}, timestamp: 0 };
};

/** A call of the handler: `partition:offset` of its records, and how it ends. */
interface Call {
  readonly names: readonly string[];
  readonly end: (error?: Error) => Promise<void>;
}

describe('two partitions of a consumer whose records are handled together', () => {
  let runner: BatchRunner<string>;
  let calls: Call[];
  let dead: OutgoingRecord[];
  /** Length of the values of the next records. */
  let bytes: number;
  /** By partition: aborted when it goes to another consumer. */
  let leaving: AbortController[];

  /** Lets everything run that waits for nothing from outside. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    jest.advanceTimersByTime(ms);
    await settle();
  };
  /** Delivers records of one partition. @returns the outcome, once there is one */
  const deliver = (partition: number, ...offsets: number[]): { outcome: BatchOutcome | undefined } => {
    const delivery: { outcome: BatchOutcome | undefined } = { outcome: undefined };
    const records = offsets.map((offset) => record(partition, offset, bytes));
    void runner.run(records, leaving[partition]?.signal).then((outcome) => {
      delivery.outcome = outcome;
    });
    return delivery;
  };
  const names = () => calls.map((call) => call.names);
  const end = (call: number, error?: Error) => (calls[call] as Call).end(error);
  const all = (done: number): BatchOutcome => ({ done, pauseMs: 0 });

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    calls = [];
    dead = [];
    bytes = 1;
    leaving = [0, 1, 2].map(() => new AbortController());
    runner = new BatchRunner<string>({
      group: 'g',
      read: ({ partition, offset }) => `${partition}:${offset}`,
      handle: (records) =>
        new Promise((resolve, reject) => {
          const finish = (error?: Error): Promise<void> => {
            if (error) reject(error);
            else resolve();
            return settle();
          };
          calls.push({ names: records.map(({ content }) => content), end: finish });
        }),
      together: true,
      publish: async (records) => {
        dead.push(...records);
      },
      logger: silentLogger,
      clock: new ManualClock(0),
      random: () => 1,
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('share a call, and each finishes its own records', async () => {
    const [first, second] = [deliver(0, 1, 2), deliver(1, 7)];
    await settle();
    expect(names()).toEqual([['0:1', '0:2', '1:7']]);
    await end(0);
    expect([first.outcome, second.outcome]).toEqual([all(2), all(1)]);
  });

  test('whose call has just ended share the next one with those that wait', async () => {
    const first = runner.run([record(0, 1, bytes)]).then(() => deliver(0, 2));
    await settle();
    deliver(1, 1);
    await end(0);
    await first;
    await settle();
    expect(names()).toEqual([['0:1'], ['1:1', '0:2']]);
  });

  test('have at most as many records together as a batch; a call is never divided', async () => {
    const offsets = Array.from({ length: MAX_BATCH }, (_, offset) => offset);
    for (const partition of [0, 1]) deliver(partition, ...offsets.slice(MAX_BATCH / 2));
    deliver(2, ...offsets);
    deliver(3, 1);
    await settle();
    await end(0);
    await end(1);
    expect(names().map(({ length }) => length)).toEqual([MAX_BATCH, MAX_BATCH, 1]);
  });

  test('have at most as many bytes together as a batch; a larger record goes alone', async () => {
    for (const [partition, length] of [5_000_000, 5_000_000, 9_000_000].entries()) {
      bytes = length;
      deliver(partition, 1);
    }
    await settle();
    await end(0);
    await end(1);
    expect(names()).toEqual([['0:1'], ['1:1'], ['2:1']]);
  });

  test('wait for a call that hangs for a second at most', async () => {
    const hanging = deliver(0, 1);
    await settle();
    const waiting = deliver(1, 1);
    await pass(999);
    expect(names()).toEqual([['0:1']]);
    await pass(1);
    expect(names()).toEqual([['0:1'], ['1:1']]);
    await end(1);
    expect([hanging.outcome, waiting.outcome]).toEqual([undefined, all(1)]);
    const next = deliver(1, 2);
    await settle();
    await end(2);
    expect([hanging.outcome, next.outcome]).toEqual([undefined, all(1)]);
  });

  test('share the next call as well after one that was slow and succeeded', async () => {
    for (let offset = 1; offset <= 3; offset += 1) {
      const both = [deliver(0, offset), deliver(1, offset)];
      await settle();
      await pass(1001);
      await end(offset - 1);
      expect(both.map(({ outcome }) => outcome)).toEqual([all(1), all(1)]);
    }
    expect(names()).toEqual([1, 2, 3].map((offset) => [`0:${offset}`, `1:${offset}`]));
  });

  test('call by themselves beside a call of theirs that hangs, until one has succeeded', async () => {
    deliver(0, 1);
    await settle();
    await pass(1000);
    // They have gone to another consumer and come back.
    deliver(0, 1);
    deliver(1, 1);
    await settle();
    expect(names().slice(1)).toEqual([['0:1'], ['1:1']]);
    await end(1);
    await end(2);
    deliver(0, 2);
    deliver(1, 2);
    await settle();
    expect(names().slice(3)).toEqual([['0:2', '1:2']]);
  });

  test('call by themselves after a dependency was out, so that one which stays out holds up its own partition alone', async () => {
    const [first, second] = [deliver(0, 1), deliver(1, 1)];
    await settle();
    await end(0, AppError.unavailable('out'));
    const again = { done: 0, pauseMs: 200 };
    expect([first.outcome, second.outcome]).toEqual([again, again]);
    const [third, fourth] = [deliver(0, 1), deliver(1, 1)];
    await settle();
    await end(2);
    expect(names()).toEqual([['0:1', '1:1'], ['0:1'], ['1:1']]);
    expect([third.outcome, fourth.outcome]).toEqual([undefined, all(1)]);
    await end(1, AppError.unavailable('out'));
    expect(third.outcome).toEqual({ done: 0, pauseMs: 400 });
  });

  test('are separated after any other failure, side by side, and only what cannot be processed is a dead letter', async () => {
    const [bad, fine] = [deliver(0, 1), deliver(1, 1)];
    await settle();
    await end(0, new AppError('42201'));
    expect(names().slice(1)).toEqual([['0:1'], ['1:1']]);
    await end(2);
    expect([bad.outcome, fine.outcome]).toEqual([undefined, all(1)]);
    await end(1, new AppError('42201'));
    expect([bad.outcome, dead.map(({ headers }) => headers?.['dlq-partition'])]).toEqual([all(1), ['0']]);
  });

  test('make no call that waits once one of them goes to another consumer, at once, and the others theirs', async () => {
    deliver(0, 1);
    await settle();
    const [gone, kept] = [deliver(1, 1), deliver(2, 1)];
    await settle();
    leaving[1]?.abort();
    await settle();
    expect(gone.outcome).toEqual(all(0));
    await end(0);
    expect(names()).toEqual([['0:1'], ['2:1']]);
    await end(1);
    expect(kept.outcome).toEqual(all(1));
  });

  test('make no call again of one that goes to another consumer, after a call that they shared has failed', async () => {
    const [gone, kept] = [deliver(0, 1, 2), deliver(1, 1)];
    await settle();
    leaving[0]?.abort();
    await end(0, new AppError('42201'));
    expect([gone.outcome, names().slice(1)]).toEqual([all(0), [['1:1']]]);
    await end(1);
    expect(kept.outcome).toEqual(all(1));
  });

  test('make no call that waits once the runner is halted', async () => {
    const under = deliver(0, 1);
    await settle();
    const waiting = deliver(1, 1);
    await settle();
    runner.halt();
    await settle();
    expect(waiting.outcome).toEqual({ done: 0, pauseMs: 1000 });
    await end(0);
    expect(under.outcome).toMatchObject({ done: 1 });
    const late = deliver(2, 1);
    await settle();
    expect(late.outcome).toEqual({ done: 0, pauseMs: 1000 });
    expect(names()).toEqual([['0:1']]);
  });

  test('handled one by one begin no further record once their partition goes to another consumer', async () => {
    const gone = deliver(0, 1, 2, 3);
    await settle();
    await end(0, new AppError('42201'));
    expect(names().slice(1)).toEqual([['0:1']]);
    leaving[0]?.abort();
    await end(1);
    expect([gone.outcome, names().length]).toEqual([all(1), 2]);
  });
});
