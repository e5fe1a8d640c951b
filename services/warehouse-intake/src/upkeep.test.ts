import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { NOW } from './testing/samples.ts';
import { createUpkeep, type UpkeepOptions } from './upkeep.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const DAY_MS = 86_400_000;
const KEEP_MS = 90 * DAY_MS;

/** Notes the steps and warnings. @param left how much each step has to do */
function setUp(left: Record<string, number> = {}) {
  const steps: string[] = [];
  const asked = new Map<string, readonly [number, number]>();
  const logged: LogFields[] = [];
  let notified = 0;
  const take = async (step: string, before: number, limit: number): Promise<number> => {
    steps.push(step);
    asked.set(step, [NOW - before, limit]);
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

const ROUND = ['resume', 'events', 'view'];

test('keeps young data', async () => {
  const { options, steps, asked, logged, notified } = setUp();
  const upkeep = createUpkeep(options);
  upkeep.start();
  await jest.advanceTimersByTimeAsync(59_999);
  expect([steps, logged, notified()]).toEqual([ROUND, [], 0]);
  expect(Object.fromEntries(asked)).toEqual({
    resume: [60_000, 500],
    events: [KEEP_MS, 500],
    view: [KEEP_MS, 200],
  });
  await upkeep.stop();
});

test('each step repeats until a batch is not full, logs resumed and unclaimed events, and wakes the relay', async () => {
  const { options, steps, logged, notified } = setUp({ resume: 501, events: 1001, view: 400 });
  const upkeep = createUpkeep(options);
  upkeep.start();
  await jest.advanceTimersByTimeAsync(100);
  expect(ROUND.map((step) => steps.filter((one) => one === step).length)).toEqual([2, 3, 3]);
  expect(logged).toEqual([
    { events: 500, published: 250 },
    { events: 1, published: 0 },
    { events: 1, sample: ['WH1/e1'] },
  ]);
  expect(notified()).toBe(1);
  await upkeep.stop();
});
