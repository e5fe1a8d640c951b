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
function tries(what: string, ...runs: readonly ((longWork: LongWork) => Promise<unknown>)[]): MigrateStep & { tried: number } {
  const step = {
    what,
    tried: 0,
    run: (longWork: LongWork = (_ms, work) => work()): Promise<unknown> => {
      step.tried += 1;
      return (runs[step.tried - 1] ?? runs.at(-1))?.(longWork) ?? never();
    },
  };
  return step;
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

  test('wait two minutes in all for servers that do not respond', async () => {
    const late = tries('topics', () => after(90 * SECOND));
    expect(await run(HOUR, late, tries('bucket', never))).toEqual({
      end: 'Migrating failed at bucket: not done within 30 s',
      seconds: 120,
    });
    expect(reported).toEqual(['topics: in place (90.0 s)']);
  });

  test('try again each second what fails, also for another reason than a server that is out', async () => {
    const refused = async () => Promise.reject(new Error('credentials are refused'));
    const step = tries('topics', refused, refused, async () => undefined);
    expect(await run(HOUR, step)).toEqual({ end: 'done', seconds: 2 });
    expect(await run(HOUR, tries('topics', refused))).toMatchObject({ end: 'Migrating failed at topics: credentials are refused' });
  });

  test('let work take hours', async () => {
    expect(await run(3 * HOUR, tries('indexes', working(HOUR)))).toEqual({ end: 'done', seconds: 3600 });
  });

  test('end work that takes longer than it may', async () => {
    const { end, seconds } = await run(2 * DAY, tries('indexes', working(DAY + MINUTE)));
    expect(end).toBe('Migrating failed at indexes: not done within 86400 s');
    expect(seconds).toBe(DAY / SECOND);
  });

  test('wait as long for a server that goes away during the work, and work on when it is back', async () => {
    const step = tries('indexes', working(HOUR, out()), async (longWork) => {
      await after(MINUTE);
      await working(HOUR)(longWork);
    });
    expect(await run(3 * HOUR, step)).toEqual({ end: 'done', seconds: 2 * 3600 + 61 });
  });

  test('wait no longer than that', async () => {
    expect(await run(DAY, tries('indexes', working(HOUR, out()), never))).toMatchObject({ seconds: 3600 + 120 });
    expect(
      await run(
        DAY,
        tries('indexes', working(0, out()), () => Promise.reject(out())),
      ),
    ).toMatchObject({ seconds: 119 });
    // A server that comes and goes: each try begins its work.
    expect(await run(DAY, tries('indexes', working(SECOND, out())))).toMatchObject({ seconds: 2 * 120 - 1 });
  });

  test('give all tries of the work together no more time than one has', async () => {
    expect(await run(2 * DAY, tries('indexes', working(7 * HOUR, out())))).toMatchObject({ seconds: DAY / SECOND });
  });

  test('do not repeat work that fails for another reason', async () => {
    const step = tries('indexes', working(SECOND, new Error('E11000')));
    expect(await run(HOUR, step)).toEqual({ end: 'Migrating failed at indexes: E11000', seconds: 1 });
    expect(step.tried).toBe(1);
  });

  test('do not repeat a failure that the step knows to be final', async () => {
    const step = tries('marks', () => Promise.reject(new Error('lost')));
    expect(await run(HOUR, Object.assign(step, { isFinal: () => true }))).toEqual({ end: 'Migrating failed at marks: lost', seconds: 0 });
    expect(step.tried).toBe(1);
  });

  test('repeat what fails behind the work', async () => {
    const failing = async (longWork: LongWork): Promise<never> => {
      await working(HOUR)(longWork);
      throw new Error('a rival was quicker');
    };
    expect(
      await run(
        2 * HOUR,
        tries('indexes', failing, async () => undefined),
      ),
    ).toEqual({ end: 'done', seconds: 3601 });
  });

  test('leave the next step the time that was not waited', async () => {
    const first = tries('indexes of a', async (longWork) => {
      await after(30 * SECOND);
      await working(HOUR)(longWork);
    });
    expect(await run(DAY, first, tries('indexes of b', never))).toMatchObject({ seconds: 3600 + 120 });
    expect(reported).toEqual(['indexes of a: in place (3630.0 s)']);
  });

  test('give a step with a deadline that, once', async () => {
    const failing = { ...tries('partitions', () => Promise.reject(out())), deadlineMs: 15 * MINUTE };
    expect(await run(HOUR, failing)).toMatchObject({ seconds: 0 });
    expect(await run(HOUR, { ...tries('partitions', never), deadlineMs: 15 * MINUTE })).toEqual({
      end: 'Migrating failed at partitions: not done within 900 s',
      seconds: 900,
    });
  });

  test('leave no timer behind', async () => {
    await run(HOUR, tries('indexes', working(MINUTE)));
    expect(jest.getTimerCount()).toBe(0);
  });
});
