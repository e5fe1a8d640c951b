import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { consumerActionOf, errorCodes } from '@parcelway/kernel/error-codes';
import { silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import { type BatchRunner, createBatchRunner } from './batch-runner.ts';
import { type LogRecord, MAX_BATCH, type OutgoingRecord } from './driver.ts';
import { MAX_TRIES, pauseAfter, verdictOn } from './failed-records.ts';
import { mergeCalls, type ReadRecord } from './merged-calls.ts';

const record = (index: number, key: string): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: String(index),
  key,
  value: null,
  headers: {},
  timestamp: 0,
});

/** A runner for single records. */
function runnerOf(handle: (record: LogRecord) => Promise<void>): { runner: BatchRunner; dead: OutgoingRecord[] } {
  const dead: OutgoingRecord[] = [];
  const runner = createBatchRunner({
    group: 'g',
    read: (read) => read,
    handle: async ([first, ...others]) => {
      expect(others).toEqual([]);
      if (first) await handle(first.record);
    },
    together: false,
    publish: async (records) => void dead.push(...records),
    logger: silentLogger,
    clock: new ManualClock(0),
    random: () => 1,
  });
  return { runner, dead };
}

/** Delivers as a driver does until nothing is left. */
async function drive(runner: BatchRunner, records: readonly LogRecord[]): Promise<void> {
  let position = 0;
  for (let round = 0; position < records.length; round += 1) {
    if (round > 500) throw new Error('no end');
    const outcome = await runner.run(records.slice(position, position + 7));
    position += outcome.done;
  }
}

const out = AppError.unavailable('out');

describe('batch runner', () => {
  test('law: every record is finished once, in the order of its key, or dead-lettered once, whatever fails for now', async () => {
    const records = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd'),
        failures: fc.constantFrom(0, 0, 0, 1, 3),
        poison: fc.boolean(),
        turns: fc.nat(3),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(records, async (plans) => {
        const failures: number[] = plans.map((plan) => plan.failures);
        const handled: number[] = [];
        const { runner, dead } = runnerOf(async ({ offset }) => {
          const index = Number(offset);
          const plan = plans[index];
          for (let turn = 0; turn < (plan?.turns ?? 0); turn += 1) await null;
          if ((failures[index] ?? 0) > 0) {
            failures[index] = (failures[index] ?? 0) - 1;
            throw out;
          }
          if (plan?.poison) throw new AppError('42201');
          handled.push(index);
        });
        await drive(
          runner,
          plans.map((plan, index) => record(index, plan.key)),
        );
        const finished = [...handled, ...dead.map(({ headers }) => Number(headers?.['dlq-offset']))].sort((a, b) => a - b);
        expect(finished).toEqual(plans.map((_, index) => index));
        for (const key of ['a', 'b', 'c', 'd']) {
          const ofKey = handled.filter((index) => plans[index]?.key === key);
          expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
        }
      }),
    );
  });

  test('reports the longest finished prefix and the pause', async () => {
    const { runner } = runnerOf(async ({ offset }) => {
      if (offset === '2') throw out;
    });
    const keys = ['a', 'b', 'c', 'c'];
    expect(await runner.run(keys.map((key, index) => record(index, key)))).toEqual({ done: 2, pauseMs: 200 });
    expect(await runner.run([record(2, 'c'), record(3, 'c')])).toEqual({ done: 0, pauseMs: 400 });
  });

  test('records of one key never overlap, records of different keys do', async () => {
    let running = 0;
    let most = 0;
    const runningKeys = new Set<string | null>();
    let overlap = false;
    const { runner } = runnerOf(async ({ key }) => {
      overlap ||= runningKeys.has(key);
      runningKeys.add(key);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      runningKeys.delete(key);
    });
    await runner.run(Array.from({ length: 120 }, (_, index) => record(index, `k${index % 40}`)));
    expect(overlap).toBe(false);
    expect(most).toBe(16);
  });

  test('begins nothing behind a record that has to come again', async () => {
    let begun = 0;
    const { runner } = runnerOf(async ({ offset }) => {
      begun += 1;
      if (offset === '0') throw out;
      await new Promise((resolve) => setImmediate(resolve));
    });
    const outcome = await runner.run(Array.from({ length: 100 }, (_, index) => record(index, `k${index}`)));
    expect(outcome.done).toBe(0);
    expect(begun).toBe(16);
  });

  test('forgets tries of records that another member has taken on', async () => {
    let failing = true;
    const { runner, dead } = runnerOf(async () => {
      if (failing) throw new Error('defect');
    });
    for (let round = 0; round < 4; round += 1) await runner.run([record(0, 'a')]);
    await runner.run([record(5, 'a')]);
    expect(await runner.run([record(0, 'a')])).toMatchObject({ done: 0 });
    failing = false;
    expect(await runner.run([record(0, 'a')])).toEqual({ done: 1, pauseMs: 0 });
    expect(dead).toEqual([]);
  });

  test('a message does not become a dead letter for one defect after a long outage', async () => {
    let failures = 0;
    const { runner, dead } = runnerOf(async () => {
      failures += 1;
      if (failures <= 20) throw out;
      if (failures <= 24) throw new Error('defect');
    });
    await drive(runner, [record(0, 'a')]);
    expect([failures, dead]).toEqual([25, []]);
  });
});

describe('retry policy', () => {
  test('a pause lies between half its ceiling and its ceiling, and never above 30 s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const pause = pauseAfter(tries, random);
        const ceiling = Math.min(30_000, 200 * 2 ** (tries - 1));
        return pause >= ceiling / 2 && pause <= ceiling;
      }),
    );
  });

  test.each(errorCodes)('%s is treated as the catalogue says', (code) => {
    const verdicts = [1, MAX_TRIES - 1, MAX_TRIES, 1000].map(
      (tries) => verdictOn(new AppError(code), { all: tries, defects: tries }, 0.5).action,
    );
    const expected = {
      retry: ['retry', 'retry', 'retry', 'retry'],
      'retry-then-dead-letter': ['retry', 'retry', 'dead-letter', 'dead-letter'],
      'dead-letter': ['dead-letter', 'dead-letter', 'dead-letter', 'dead-letter'],
    }[consumerActionOf[code]];
    expect(verdicts).toEqual(expected);
  });
});

describe('merged calls', () => {
  const record = (partition: number, offset: number, bytes = 1): ReadRecord<string> => ({
    record: { topic: 't', partition, offset: String(offset), key: 'k', value: new Uint8Array(bytes), headers: {}, timestamp: 0 },
    content: `${partition}:${offset}`,
  });

  const range = (partition: number, count: number): ReadRecord<string>[] =>
    Array.from({ length: count }, (_, offset) => record(partition, offset));

  /** A handler that notes its calls, at most `most` at once; `fail` throws for some of them. */
  function handlerOf(fail: (contents: readonly string[]) => void = () => undefined, most = 1) {
    const calls: string[][] = [];
    let running = 0;
    const { call: handle, halt } = mergeCalls<string>(async (records) => {
      const contents = records.map(({ content }) => content);
      calls.push(contents);
      running += 1;
      expect(running).toBeLessThanOrEqual(most);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      fail(contents);
    });
    return { handle, halt, calls };
  }

  describe('calls of the partitions of a consumer', () => {
    test('have at most as many records together as a batch; a call is never divided', async () => {
      const { handle, calls } = handlerOf();
      const half = MAX_BATCH / 2;
      await Promise.all([handle(range(0, half)), handle(range(1, half)), handle(range(2, MAX_BATCH)), handle(range(3, 1))]);
      expect(calls.map(({ length }) => length)).toEqual([MAX_BATCH, MAX_BATCH, 1]);
    });

    test('have at most as many bytes together as a batch; a larger record goes alone', async () => {
      const { handle, calls } = handlerOf();
      await Promise.all([handle([record(0, 1, 5_000_000)]), handle([record(1, 1, 5_000_000)]), handle([record(2, 1, 9_000_000)])]);
      expect(calls).toEqual([['0:1'], ['1:1'], ['2:1']]);
    });
  });
});
