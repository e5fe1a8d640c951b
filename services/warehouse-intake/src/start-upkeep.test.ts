import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { startUpkeep, type UpkeepOptions } from './start-upkeep.ts';
import { NOW } from './testing/samples.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Notes each step; `fail` is the one that fails. */
function setUp(fail?: string) {
  const steps: string[] = [];
  const logged: [LogFields, string][] = [];
  const note = async <T>(step: string, result: T): Promise<T> => {
    steps.push(step);
    if (step === fail) throw new Error('The disk is full');
    return result;
  };
  const options: UpkeepOptions = {
    intake: {
      resume: () => note('resume', { resumed: 0, published: 0 }),
      purge: () => note('events', { deleted: 0, unclaimed: [] }),
    },
    rejections: { forget: () => note('rejections', 0) },
    view: { purge: () => note('view', 0) },
    clock: new ManualClock(NOW),
    logger: { ...silentLogger, warn: (fields, message) => void logged.push([fields, String(message)]) },
    notify: () => undefined,
    keepMs: 1000,
  };
  return { options, steps, logged };
}

const ROUND = ['resume', 'events', 'rejections', 'view'];

test('takes every step at once and again a minute later, until it is stopped', async () => {
  const { options, steps, logged } = setUp();
  const upkeep = startUpkeep(options);
  await jest.advanceTimersByTimeAsync(59_999);
  expect(steps).toEqual(ROUND);
  await jest.advanceTimersByTimeAsync(1);
  expect(steps).toEqual([...ROUND, ...ROUND]);
  await upkeep.stop();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(steps).toHaveLength(8);
  expect(logged).toEqual([]);
});

test.each(ROUND)('goes on when %s fails, and says so', async (fail) => {
  const { options, steps, logged } = setUp(fail);
  const upkeep = startUpkeep(options);
  await jest.advanceTimersByTimeAsync(0);
  expect(steps).toEqual(ROUND);
  expect(logged).toEqual([[{ err: new Error('The disk is full') }, expect.stringMatching(/ failed; it will be retried$/)]]);
  await upkeep.stop();
});

test('stopping waits for the round that runs, and begins no other', async () => {
  const { options, steps } = setUp();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const view = {
    async purge() {
      await held;
      steps.push('view');
      return 0;
    },
  };
  const upkeep = startUpkeep({ ...options, view });
  await jest.advanceTimersByTimeAsync(0);
  let isOver = false;
  const stopped = upkeep.stop().then(() => {
    isOver = true;
  });
  await jest.advanceTimersByTimeAsync(0);
  expect([isOver, steps]).toEqual([false, ROUND.slice(0, 3)]);
  release();
  await stopped;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(steps).toEqual(ROUND);
});
