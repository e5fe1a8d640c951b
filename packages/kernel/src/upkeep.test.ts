import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from './clock.ts';
import { type LogFields, silentLogger } from './logger.ts';
import { deletionStep, Upkeep, type UpkeepOptions } from './upkeep.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** An upkeep of two steps, which note their batches. @param first what the batches of the first step do; default nothing */
function setUp(first: () => Promise<boolean> = async () => false, given: Partial<UpkeepOptions> = {}) {
  const taken: string[] = [];
  const warnings: [LogFields, string | undefined][] = [];
  const step = (what: string, work: () => Promise<boolean>) => ({
    what,
    run: () => {
      taken.push(what);
      return work();
    },
  });
  const steps = [step('one', first), step('two', async () => false)];
  const logger = { ...silentLogger, warn: (fields: LogFields, message?: string) => void warnings.push([fields, message]) };
  return { taken, warnings, upkeep: new Upkeep({ steps, everyMs: 1000, logger, ...given }) };
}

/** Says for some batches that more is left. */
function more(batches: number): () => Promise<boolean> {
  let left = batches;
  return async () => left-- > 0;
}

test('takes every step at once, and again some time after the end of a round, until it is stopped', async () => {
  const { taken, upkeep } = setUp();
  upkeep.wake();
  await pass(0);
  expect(taken).toEqual([]);
  upkeep.start();
  await pass(999);
  expect(taken).toEqual(['one', 'two']);
  await pass(1);
  expect(taken).toHaveLength(4);
  await upkeep.stop();
  upkeep.wake();
  await pass(10_000);
  expect([taken.length, jest.getTimerCount()]).toEqual([4, 0]);
});

test('repeats a step while more is left, with a pause after each batch', async () => {
  const { taken, upkeep } = setUp(more(2), { pauseMs: 20 });
  upkeep.start();
  await pass(19);
  expect(taken).toEqual(['one']);
  await pass(1);
  expect(taken).toEqual(['one', 'one']);
  await pass(20);
  expect(taken).toEqual(['one', 'one', 'one', 'two']);
  await upkeep.stop();
});

test('logs a step that fails, once until it has succeeded, takes the others, and tries again', async () => {
  const err = new Error('The disk is full');
  let failures = 2;
  const fail = () => (failures-- > 0 ? Promise.reject(err) : Promise.resolve(false));
  const { taken, warnings, upkeep } = setUp(fail, { retryMs: 50 });
  upkeep.start();
  await pass(49);
  const warning = [{ err }, 'one failed; it will be retried'];
  expect([taken, warnings]).toEqual([['one', 'two'], [warning]]);
  await pass(51);
  expect([taken.length, warnings.length]).toEqual([6, 1]);
  failures = 1;
  await pass(1000);
  expect(warnings).toEqual([warning, warning]);
  await upkeep.stop();
});

test('woken in the middle of a round it takes one more behind that, and counts the time from there', async () => {
  const { taken, upkeep } = setUp(more(1), { pauseMs: 100 });
  upkeep.start();
  await pass(0);
  upkeep.wake();
  upkeep.wake();
  await pass(100);
  expect(taken).toEqual(['one', 'one', 'two', 'one', 'two']);
  await pass(500);
  upkeep.wake();
  await pass(999);
  expect(taken).toHaveLength(7);
  await upkeep.stop();
});

test('a stop waits for the batch that runs, and no other one begins', async () => {
  let finish = (_isMore: boolean): void => undefined;
  const { taken, upkeep } = setUp(() => new Promise((resolve) => (finish = resolve)));
  upkeep.start();
  await pass(0);
  let isOver = false;
  const stopped = upkeep.stop().then(() => {
    isOver = true;
  });
  await pass(0);
  expect(isOver).toBe(false);
  finish(true);
  await pass(10_000);
  await stopped;
  expect(taken).toEqual(['one']);
});

test('a deletion continues while batches are full', async () => {
  const asked: (readonly number[])[] = [];
  const step = deletionStep(new ManualClock(5000), {
    what: 'Deleting',
    keptMs: 400,
    deleteBefore: async (...given) => 501 - asked.push(given),
  });
  expect([await step.run(), await step.run()]).toEqual([true, false]);
  expect(asked).toEqual([
    [4600, 500],
    [4600, 500],
  ]);
});
