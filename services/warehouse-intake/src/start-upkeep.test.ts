import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { startUpkeep, type UpkeepOptions } from './start-upkeep.ts';
import { NOW } from './testing/samples.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const DAY_MS = 86_400_000;
const KEEP_MS = 90 * DAY_MS;

/** Notes the steps and warnings. `fail`: the step that fails; `left`: how much each has to do. */
function setUp({ fail, left = {} }: { readonly fail?: string; readonly left?: Record<string, number> } = {}) {
  const steps: string[] = [];
  const asked = new Map<string, readonly [number, number]>();
  const logged: LogFields[] = [];
  let notified = 0;
  const take = async (step: string, before: number, limit: number): Promise<number> => {
    steps.push(step);
    asked.set(step, [NOW - before, limit]);
    if (step === fail) throw new Error('The disk is full');
    const done = Math.min(limit, left[step] ?? 0);
    left[step] = (left[step] ?? 0) - done;
    return done;
  };
  const options: UpkeepOptions = {
    intake: {
      async resume(before, limit) {
        const resumed = await take('resume', before, limit);
        return { resumed, published: Math.floor(resumed / 2) };
      },
      async purge(before, limit) {
        const deleted = await take('events', before, limit);
        return { deleted, unclaimed: deleted % 2 === 1 ? [{ warehouseCode: 'WH1', eventId: 'e1' }] : [] };
      },
    },
    rejections: { forget: (before, limit) => take('rejections', before, limit) },
    view: { purge: (before, limit) => take('view', before, limit) },
    clock: new ManualClock(NOW),
    logger: { ...silentLogger, warn: (fields) => void logged.push(fields) },
    notify: () => {
      notified += 1;
    },
    keepMs: KEEP_MS,
  };
  return { options, steps, asked, logged, notified: () => notified };
}

const ROUND = ['resume', 'events', 'rejections', 'view'];

test('takes every step at once and again a minute later, until it is stopped, and keeps young data', async () => {
  const { options, steps, asked, logged, notified } = setUp();
  const upkeep = startUpkeep(options);
  await jest.advanceTimersByTimeAsync(59_999);
  expect(steps).toEqual(ROUND);
  await jest.advanceTimersByTimeAsync(1);
  expect(steps).toEqual([...ROUND, ...ROUND]);
  await upkeep.stop();
  await jest.advanceTimersByTimeAsync(600_000);
  expect([steps.length, logged, notified()]).toEqual([8, [], 0]);
  expect(Object.fromEntries(asked)).toEqual({
    resume: [60_000, 500],
    events: [KEEP_MS, 500],
    rejections: [7 * DAY_MS, 500],
    view: [KEEP_MS, 200],
  });
});

test.each(ROUND)('continues and logs it when %s fails', async (fail) => {
  const { options, steps, logged } = setUp({ fail });
  const upkeep = startUpkeep(options);
  await jest.advanceTimersByTimeAsync(0);
  expect(steps).toEqual(ROUND);
  expect(logged).toEqual([{ err: new Error('The disk is full') }]);
  await upkeep.stop();
});

test('each step repeats until a batch is not full, logs resumed and unclaimed events, and wakes the relay', async () => {
  const { options, steps, logged, notified } = setUp({ left: { resume: 501, events: 1001, rejections: 500, view: 400 } });
  const upkeep = startUpkeep(options);
  await jest.advanceTimersByTimeAsync(0);
  expect(ROUND.map((step) => steps.filter((one) => one === step).length)).toEqual([2, 3, 2, 3]);
  expect(logged).toEqual([
    { events: 500, published: 250 },
    { events: 1, published: 0 },
    { events: 1, sample: ['WH1/e1'] },
  ]);
  expect(notified()).toBe(1);
  await upkeep.stop();
});

test('stopping waits for the batch under way, and begins no second batch of a step', async () => {
  const { options, steps } = setUp({ left: { events: 5000 } });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const intake = {
    ...options.intake,
    async purge(before: number, limit: number) {
      await held;
      return options.intake.purge(before, limit);
    },
  };
  const upkeep = startUpkeep({ ...options, intake });
  await jest.advanceTimersByTimeAsync(0);
  let isOver = false;
  const stopped = upkeep.stop().then(() => {
    isOver = true;
  });
  await jest.advanceTimersByTimeAsync(0);
  expect([isOver, steps]).toEqual([false, ['resume']]);
  release();
  await stopped;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(steps).toEqual(ROUND);
});
