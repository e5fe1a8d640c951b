import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import type { LongWork, MigrateStep } from '@parcelway/platform/migrate';
import { runMigrateSteps } from './run-migrate-steps.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const out = (): AppError => AppError.unavailable('MongoDB does not respond');
/** Of a step that waits for its server, which does not come. */
const never = (): Promise<never> => new Promise(() => undefined);

/** The tries of a step, one after the other; the last is repeated. */
function tries(what: string, ...runs: readonly ((longWork: LongWork) => Promise<unknown>)[]): MigrateStep {
  let tried = 0;
  return {
    what,
    run: (longWork: LongWork = (_ms, work) => work()): Promise<unknown> => {
      tried += 1;
      return (runs[tried - 1] ?? runs.at(-1))?.(longWork) ?? never();
    },
  };
}

/** Long work of so many milliseconds, and how it ends. */
const working = (ms: number, error?: Error) => (longWork: LongWork) =>
  longWork(DAY, async () => {
    await after(ms);
    if (error) throw error;
  });

describe('the steps of the migration', () => {
  let reported: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    reported = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Runs the steps. @returns how they end within `ms`, and after how many seconds */
  async function run(ms: number, ...steps: readonly MigrateStep[]): Promise<{ readonly end: string; readonly seconds: number }> {
    const startedAt = performance.now();
    let result = { end: 'under way', seconds: Number.NaN };
    const ended = (end: string): void => {
      result = { end, seconds: Math.round((performance.now() - startedAt) / SECOND) };
    };
    void runMigrateSteps(steps, { logger: silentLogger, report: (line) => reported.push(line) }).then(
      () => ended('done'),
      (error: Error) => ended(error.message),
    );
    await jest.advanceTimersByTimeAsync(ms);
    return result;
  }

  const refused = () => Promise.reject(new Error('credentials are refused'));
  const waitingThenWorking = async (longWork: LongWork): Promise<void> => {
    await after(MINUTE);
    await working(HOUR)(longWork);
  };
  const failingAfterWork = async (longWork: LongWork): Promise<never> => {
    await working(HOUR)(longWork);
    throw new Error('a rival was quicker');
  };
  const done = async (): Promise<void> => undefined;

  test.each<[string, readonly ((longWork: LongWork) => Promise<unknown>)[], string, number]>([
    ['wait two minutes for a server that does not respond', [never], 'not done within 120 s', 120],
    ['retry a failure each second, whatever its reason', [refused, refused, done], 'done', 2],
    ['wait no longer for what fails again and again', [refused], 'credentials are refused', 119],
    ['let work take hours', [working(HOUR)], 'done', 3600],
    ['end work that takes longer than it may', [working(DAY + MINUTE)], 'not done within 86400 s', 86_400],
    ['wait for a server that goes away during the work, and work on', [working(HOUR, out()), waitingThenWorking], 'done', 2 * 3600 + 61],
    ['wait no longer than that', [working(HOUR, out()), never], 'not done within 3719 s', 3719],
    ['give all tries of the work together no more time than one has', [working(7 * HOUR, out())], 'not done within 86403 s', 86_403],
    ['do not repeat work that fails for another reason', [working(SECOND, new Error('E11000')), done], 'E11000', 1],
    ['retry what fails after the work', [failingAfterWork, done], 'done', 3601],
  ])('%s', async (_what, runs, end, seconds) => {
    const ended = { end: end === 'done' ? end : `Migrating failed at a step: ${end}`, seconds };
    expect(await run(2 * DAY, tries('a step', ...runs))).toEqual(ended);
    if (end === 'done') expect(jest.getTimerCount()).toBe(0);
  });

  test('wait together: the next step has the time that was not waited', async () => {
    const first = tries('indexes of a', async (longWork) => {
      await after(30 * SECOND);
      await working(HOUR)(longWork);
    });
    const end = 'Migrating failed at indexes of b: not done within 91 s';
    expect(await run(DAY, first, tries('indexes of b', never))).toEqual({ end, seconds: 3600 + 121 });
    expect(reported).toEqual(['indexes of a: in place (3630.0 s)']);
  });

  test('do not repeat a failure that the step knows to be final', async () => {
    const step = Object.assign(
      tries('marks', () => Promise.reject(new Error('lost')), done),
      { isFinal: () => true },
    );
    expect(await run(HOUR, step)).toEqual({ end: 'Migrating failed at marks: lost', seconds: 0 });
  });

  test('give a step with a deadline that, once', async () => {
    const failing = { ...tries('partitions', () => Promise.reject(out()), done), deadlineMs: 15 * MINUTE };
    expect(await run(HOUR, failing)).toMatchObject({ seconds: 0 });
    const end = 'Migrating failed at partitions: not done within 900 s';
    expect(await run(HOUR, { ...tries('partitions', never), deadlineMs: 15 * MINUTE })).toEqual({ end, seconds: 900 });
  });
});
