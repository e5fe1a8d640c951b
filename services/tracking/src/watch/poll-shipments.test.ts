import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { dueShipmentOf, NOW } from '../testing/samples.ts';
import { NotNow } from './domain/not-now.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './domain/schedule.ts';
import { createPoller, type PollerOptions, pollShipment } from './poll-shipments.ts';
import type { DueShipment } from './ports.ts';
import type { RefreshShipment } from './refresh-shipment.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** @param respond the carrier: it resolves when it has responded */
function setUp(respond: (...asked: Parameters<RefreshShipment>) => Promise<unknown>) {
  const rescheduled: [string, number | null, number][] = [];
  const due: DueShipment[] = [];
  const clock = new ManualClock(NOW);
  const telemetry = recordingTelemetry();
  const options: PollerOptions = {
    queue: {
      lease: async (_now, _leaseMs, limit) => due.splice(0, limit),
    },
    async record(facts) {
      for (const fact of facts) {
        if (fact.type !== 'rescheduled') throw new Error(`A poll recorded ${fact.type}`);
        const { shipment, nextPollAt, failures } = fact;
        rescheduled.push([shipment.forecastNo, nextPollAt === null ? null : nextPollAt - NOW, failures]);
      }
      return [];
    },
    async refresh(...asked) {
      await respond(...asked);
      const [, , , endPoll] = asked;
      const [end] = endPoll === undefined ? [] : await options.record([endPoll()]);
      return end?.endsWatch === true;
    },
    release: async () => undefined,
    schedule: parseSchedule(DEFAULT_SCHEDULE),
    clock,
    logger: silentLogger,
    telemetry: telemetry.of('tracking'),
    random: () => 0.5,
    concurrency: 4,
  };
  return { options, due, rescheduled, telemetry };
}

describe('polling a shipment', () => {
  test.each<[string, Partial<DueShipment>, () => Promise<unknown>, number | null, number]>([
    ['comes again after the interval', { failures: 3 }, async () => 'In Transit', 15 * MINUTE, 0],
    ['ends when the parcel is too old', { watchedSince: NOW - 121 * DAY }, async () => 'In Transit', null, 0],
    ['comes again soon when the carrier is out', {}, () => Promise.reject(new AppError('50001')), MINUTE, 1],
    ['waits longer each time', { failures: 2 }, () => Promise.reject(new AppError('50001')), 4 * MINUTE, 3],
    ['does not spin on a defect', {}, () => Promise.reject(new TypeError('defect')), MINUTE, 1],
    [
      'ends when the carrier stays out',
      { watchedSince: NOW - 121 * DAY, failures: 99 },
      () => Promise.reject(new AppError('50001')),
      null,
      100,
    ],
  ])('%s', async (_what, given, refresh, next, failures) => {
    const { options, rescheduled } = setUp(refresh);
    await pollShipment(options, dueShipmentOf(given));
    expect(rescheduled).toEqual([['FC1', next, failures]]);
  });

  test.each<[string, Partial<DueShipment>, number, number | null]>([
    ['comes again when the source may be asked', {}, 7 * MINUTE, 7.35 * MINUTE],
    ['does not spin when that is now', {}, 0, 6000],
    ['ends when that is beyond the schedule', { watchedSince: NOW - 119 * DAY }, 2 * DAY, null],
  ])('that has to wait %s, and has not failed', async (_what, given, waitMs, next) => {
    const { options, rescheduled, telemetry } = setUp(() => Promise.reject(new NotNow(NOW + waitMs, 'the rate')));
    await pollShipment(options, dueShipmentOf({ failures: 2, ...given }));
    expect(rescheduled).toEqual([['FC1', next, 2]]);
    expect(telemetry.spans).toMatchObject([{ error: undefined, ends: 1 }]);
  });

  test('leaves the lease to run out when the store is out', async () => {
    const { options, rescheduled } = setUp(() => Promise.reject(AppError.unavailable('the store is out')));
    await expect(pollShipment(options, dueShipmentOf())).rejects.toMatchObject({ code: '50301' });
    expect(rescheduled).toEqual([]);
  });
});

describe('a poll shows', () => {
  test('how late it is, and begins a trace that what it finds belongs to', async () => {
    const asked: (string | undefined)[] = [];
    const { options, telemetry } = setUp(async (_shipment, _purpose, traceparent) => {
      asked.push(traceparent);
      return 'In Transit';
    });
    await pollShipment(options, dueShipmentOf({ dueAt: NOW - 2500 }));
    expect(telemetry.recorded('parcelway_tracking_poll_delay_seconds')).toEqual([[{}, 2.5]]);
    expect(telemetry.spans).toMatchObject([{ name: 'poll shipment', kind: 'internal', parent: undefined, error: undefined, ends: 1 }]);
    expect(asked).toEqual([telemetry.spans[0]?.traceparent]);
  });

  test('no delay when the clock of who made it due is ahead', async () => {
    const { options, telemetry } = setUp(async () => 'In Transit');
    await pollShipment(options, dueShipmentOf({ dueAt: NOW + 100 }));
    expect(telemetry.recorded('parcelway_tracking_poll_delay_seconds')).toEqual([[{}, 0]]);
  });

  test.each<[string, () => Promise<never>, string]>([
    ['that the carrier is out', () => Promise.reject(new AppError('50001')), '50001'],
    ['that the store is out', () => Promise.reject(AppError.unavailable('the store is out')), '50301'],
    ['a defect', () => Promise.reject(new TypeError('defect')), '50000'],
  ])('%s, by its code', async (_what, refresh, code) => {
    const { options, telemetry } = setUp(refresh);
    await pollShipment(options, dueShipmentOf()).catch(() => undefined);
    expect(telemetry.spans).toMatchObject([{ error: code, ends: 1 }]);
  });
});

describe('the poller', () => {
  test('polls what is due, never more at once than it may, and goes on as places are free', async () => {
    let running = 0;
    let most = 0;
    const { options, due, rescheduled } = setUp(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'In Transit';
    });
    due.push(...Array.from({ length: 30 }, (_, index) => dueShipmentOf({ forecastNo: `FC${index}` })));
    const poller = createPoller(options);
    poller.start();
    await until(() => rescheduled.length === 30, { what: 'all polls' });
    expect(most).toBe(4);
    await poller.stop();
  });

  test('takes the places of polls that end together at once', async () => {
    const { options, due, rescheduled } = setUp(async () => 'In Transit');
    const limits: number[] = [];
    const lease: typeof options.queue.lease = (now, end, limit) => {
      limits.push(limit);
      return options.queue.lease(now, end, limit);
    };
    due.push(...Array.from({ length: 12 }, (_, index) => dueShipmentOf({ forecastNo: `FC${index}` })));
    const poller = createPoller({ ...options, queue: { lease } });
    poller.start();
    await until(() => rescheduled.length === 12, { what: 'all polls' });
    await poller.stop();
    expect(limits.slice(0, 3)).toEqual([4, 4, 4]);
  });

  test('goes on with others while one carrier hangs, and at the stop waits for it', async () => {
    let respond: (status: AdminStatus) => void = () => undefined;
    const hanging = new Promise<AdminStatus>((resolve) => {
      respond = resolve;
    });
    const { options, due, rescheduled } = setUp((shipment) => (shipment.forecastNo === 'FC1' ? hanging : Promise.resolve('In Transit')));
    due.push(dueShipmentOf(), dueShipmentOf({ forecastNo: 'FC2' }));
    const poller = createPoller(options);
    poller.start();
    await until(() => rescheduled.length === 1, { what: 'the other poll' });
    due.push(dueShipmentOf({ forecastNo: 'FC3' }));
    poller.wake();
    await until(() => rescheduled.length === 2, { what: 'the third poll' });
    const stopped = poller.stop();
    respond('In Transit');
    await stopped;
    expect(rescheduled.map(([forecastNo]) => forecastNo)).toEqual(['FC2', 'FC3', 'FC1']);
    due.push(dueShipmentOf({ forecastNo: 'FC4' }));
    poller.wake();
    expect(due).toHaveLength(1);
  });

  test('survives a store that is out for a while', async () => {
    const { options, due, rescheduled } = setUp(async () => 'In Transit');
    let failures = 0;
    const lease: typeof options.queue.lease = async (...args) => {
      failures += 1;
      if (failures < 3) throw AppError.unavailable('the store is out');
      return options.queue.lease(...args);
    };
    const poller = createPoller({ ...options, queue: { ...options.queue, lease } });
    due.push(dueShipmentOf());
    poller.start();
    await until(
      () => {
        poller.wake();
        return rescheduled.length === 1;
      },
      { what: 'the poll' },
    );
    await poller.stop();
  });
});

describe('of a poll that failed', () => {
  const logging = (error: unknown) => {
    const logged: [level: string, fields: object][] = [];
    const { options } = setUp(() => Promise.reject(error));
    const logger = {
      ...silentLogger,
      debug: (fields: object) => void logged.push(['debug', fields]),
      warn: (fields: object) => void logged.push(['warn', fields]),
      error: (fields: object) => void logged.push(['error', fields]),
    };
    return { options: { ...options, logger }, logged };
  };

  test('the log has no error while a carrier is out, and one for a defect', async () => {
    const fields = { forecast_no: 'FC1', carrier_code: 'sim', failures: 1 };
    const out = logging(new AppError('50001'));
    await pollShipment(out.options, dueShipmentOf());
    expect(out.logged).toEqual([['debug', fields]]);
    const defect = new TypeError('defect');
    const broken = logging(defect);
    await pollShipment(broken.options, dueShipmentOf());
    expect(broken.logged).toEqual([['error', { ...fields, err: defect }]]);
  });

  test('the poller says so when the store is out, and goes on', async () => {
    const error = AppError.unavailable('the store is out');
    const { options, logged } = logging(error);
    const due = [dueShipmentOf(), dueShipmentOf({ forecastNo: 'FC2' })];
    const poller = createPoller({ ...options, concurrency: 1, queue: { ...options.queue, lease: async () => due.splice(0, 1) } });
    poller.start();
    await until(() => logged.length === 2, { what: 'both polls' });
    await poller.stop();
    expect(logged).toEqual([
      ['warn', { err: error, forecast_no: 'FC1' }],
      ['warn', { err: error, forecast_no: 'FC2' }],
    ]);
  });
});

describe('while nothing is due', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('the store is asked less often after some looks, and at once when something may be', async () => {
    const { options } = setUp(async () => 'In Transit');
    let looks = 0;
    let found: DueShipment[] = [];
    const lease: typeof options.queue.lease = async () => {
      looks += 1;
      return found.splice(0);
    };
    const poller = createPoller({ ...options, queue: { ...options.queue, lease } });
    const looksIn = async (seconds: number): Promise<number> => {
      const before = looks;
      for (let second = 0; second < seconds; second += 1) {
        await jest.advanceTimersByTimeAsync(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return looks - before;
    };
    poller.start();
    expect(await looksIn(9)).toBe(10);
    await looksIn(3);
    expect(await looksIn(40)).toBe(10);
    poller.wake();
    expect(await looksIn(4)).toBe(2);
    found = [dueShipmentOf()];
    await looksIn(4);
    expect(await looksIn(9)).toBe(9);
    await poller.stop();
  });
});

test('a poller that was never started, or has stopped, takes nothing', async () => {
  const { options, due } = setUp(async () => 'In Transit');
  due.push(dueShipmentOf());
  const poller = createPoller(options);
  poller.wake();
  await poller.stop();
  poller.wake();
  await poller.stop();
  expect(due).toHaveLength(1);
});
