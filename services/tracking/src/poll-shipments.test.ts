import { describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { DEFAULT_SCHEDULE, parseSchedule } from './domain/schedule.ts';
import type { Shipment } from './domain/shipment.ts';
import { createPoller, type PollerDeps, pollShipment } from './poll-shipments.ts';
import { NOW, shipmentOf } from './testing/samples.ts';
import { until } from './testing/until.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

function setUp(refresh: (shipment: Shipment) => Promise<AdminStatus | ''>) {
  const rescheduled: [string, number | null, number][] = [];
  const due: Shipment[] = [];
  const clock = new ManualClock(NOW);
  const deps: PollerDeps = {
    queue: {
      lease: async (_now, _leaseMs, limit) => due.splice(0, limit),
      reschedule: async (shipment, nextPollAt, failures) =>
        void rescheduled.push([shipment.forecastNo, nextPollAt === null ? null : nextPollAt - NOW, failures]),
    },
    refresh,
    schedule: parseSchedule(DEFAULT_SCHEDULE),
    clock,
    logger: silentLogger,
    random: () => 0.5,
    concurrency: 4,
  };
  return { deps, due, rescheduled };
}

describe('polling a shipment', () => {
  test.each<[string, Partial<Shipment>, () => Promise<AdminStatus | ''>, number | null, number]>([
    ['comes again after the interval', { failures: 3 }, async () => 'In Transit', 15 * MINUTE, 0],
    ['comes again when there is no node yet', {}, async () => '', 15 * MINUTE, 0],
    ['ends at a terminal state', {}, async () => 'Delivery Success', null, 0],
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
    const { deps, rescheduled } = setUp(refresh);
    await pollShipment(deps, shipmentOf(given));
    expect(rescheduled).toEqual([['FC1', next, failures]]);
  });

  test('leaves the lease to run out when the store is out', async () => {
    const { deps, rescheduled } = setUp(() => Promise.reject(AppError.unavailable('the store is out')));
    await expect(pollShipment(deps, shipmentOf())).rejects.toMatchObject({ code: '50301' });
    expect(rescheduled).toEqual([]);
  });
});

describe('the poller', () => {
  test('polls what is due, never more at once than it may, and goes on as places are free', async () => {
    let running = 0;
    let most = 0;
    const { deps, due, rescheduled } = setUp(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'In Transit';
    });
    due.push(...Array.from({ length: 30 }, (_, index) => shipmentOf({ forecastNo: `FC${index}` })));
    const poller = createPoller(deps);
    poller.start();
    await until('all polls', () => rescheduled.length === 30);
    expect(most).toBe(4);
    await poller.stop();
  });

  test('goes on with others while one carrier hangs, and at the stop waits for it', async () => {
    let answer: (status: AdminStatus) => void = () => undefined;
    const hanging = new Promise<AdminStatus>((resolve) => {
      answer = resolve;
    });
    const { deps, due, rescheduled } = setUp((shipment) => (shipment.forecastNo === 'FC1' ? hanging : Promise.resolve('In Transit')));
    due.push(shipmentOf(), shipmentOf({ forecastNo: 'FC2' }));
    const poller = createPoller(deps);
    poller.start();
    await until('the other poll', () => rescheduled.length === 1);
    due.push(shipmentOf({ forecastNo: 'FC3' }));
    poller.wake();
    await until('the third poll', () => rescheduled.length === 2);
    const stopped = poller.stop();
    answer('In Transit');
    await stopped;
    expect(rescheduled.map(([forecastNo]) => forecastNo)).toEqual(['FC2', 'FC3', 'FC1']);
    due.push(shipmentOf({ forecastNo: 'FC4' }));
    poller.wake();
    expect(due).toHaveLength(1);
  });

  test('survives a store that is out for a while', async () => {
    const { deps, due, rescheduled } = setUp(async () => 'In Transit');
    let failures = 0;
    const lease: typeof deps.queue.lease = async (...args) => {
      failures += 1;
      if (failures < 3) throw AppError.unavailable('the store is out');
      return deps.queue.lease(...args);
    };
    const poller = createPoller({ ...deps, queue: { ...deps.queue, lease } });
    due.push(shipmentOf());
    poller.start();
    await until('the poll', () => {
      poller.wake();
      return rescheduled.length === 1;
    });
    await poller.stop();
  });
});
