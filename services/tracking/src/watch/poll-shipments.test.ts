import { describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { NOW, shipmentOf } from '../testing/samples.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './domain/schedule.ts';
import type { Shipment } from './domain/shipment.ts';
import { NotNow } from './domain/sources.ts';
import { createPoller, type PollerOptions, pollShipment } from './poll-shipments.ts';
import type { RefreshShipment } from './refresh-shipment.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** @param respond the carrier: it resolves when it has responded */
function setUp(respond: (...asked: Parameters<RefreshShipment>) => Promise<unknown>) {
  const rescheduled: [string, number | null, number][] = [];
  const released: string[] = [];
  const due: Shipment[] = [];
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
      return facts.map((fact) => {
        const endsWatch = fact.type === 'rescheduled' && fact.nextPollAt === null;
        return { isChanged: true, ...(endsWatch && { endsWatch }) };
      });
    },
    async refresh(...asked) {
      await respond(...asked);
      const [, , , endPoll] = asked;
      const [end] = endPoll === undefined ? [] : await options.record([endPoll()]);
      return end?.endsWatch === true;
    },
    release: async ({ forecastNo }) => void released.push(forecastNo),
    schedule: parseSchedule(DEFAULT_SCHEDULE),
    clock,
    logger: silentLogger,
    telemetry: telemetry.of('tracking'),
    random: () => 0.5,
    concurrency: 4,
  };
  return { options, due, rescheduled, released, telemetry };
}

describe('polling a shipment', () => {
  test.each<[string, Partial<Shipment>, () => Promise<unknown>, number | null, number]>([
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
    const { options, rescheduled, released } = setUp(refresh);
    await pollShipment(options, shipmentOf(given));
    expect(rescheduled).toEqual([['FC1', next, failures]]);
    expect(released).toEqual(next === null ? ['FC1'] : []);
  });

  test.each<[string, Partial<Shipment>, number, number | null]>([
    ['comes again when the source may be asked', {}, 7 * MINUTE, 7.35 * MINUTE],
    ['does not spin when that is now', {}, 0, 6000],
    ['ends when that is beyond the schedule', { watchedSince: NOW - 119 * DAY }, 2 * DAY, null],
  ])('that has to wait %s, and has not failed', async (_what, given, waitMs, next) => {
    const { options, rescheduled, released, telemetry } = setUp(() => Promise.reject(new NotNow(NOW + waitMs, 'the rate')));
    await pollShipment(options, shipmentOf({ failures: 2, ...given }));
    expect(rescheduled).toEqual([['FC1', next, 2]]);
    expect(released).toEqual(next === null ? ['FC1'] : []);
    expect(telemetry.spans).toMatchObject([{ error: undefined, ends: 1 }]);
  });

  test('leaves the lease to run out when the store is out', async () => {
    const { options, rescheduled } = setUp(() => Promise.reject(AppError.unavailable('the store is out')));
    await expect(pollShipment(options, shipmentOf())).rejects.toMatchObject({ code: '50301' });
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
    await pollShipment(options, shipmentOf({ nextPollAt: NOW - 2500 }));
    expect(telemetry.recorded('parcelway_tracking_poll_delay_seconds')).toEqual([[{}, 2.5]]);
    expect(telemetry.spans).toMatchObject([{ name: 'poll shipment', kind: 'internal', parent: undefined, error: undefined, ends: 1 }]);
    expect(asked).toEqual([telemetry.spans[0]?.traceparent]);
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
    due.push(...Array.from({ length: 30 }, (_, index) => shipmentOf({ forecastNo: `FC${index}` })));
    const poller = createPoller(options);
    poller.start();
    await until(() => rescheduled.length === 30, { what: 'all polls' });
    expect(most).toBe(4);
    await poller.stop();
  });

  test('goes on with others while one carrier hangs, and at the stop waits for it', async () => {
    let respond: (status: AdminStatus) => void = () => undefined;
    const hanging = new Promise<AdminStatus>((resolve) => {
      respond = resolve;
    });
    const { options, due, rescheduled } = setUp((shipment) => (shipment.forecastNo === 'FC1' ? hanging : Promise.resolve('In Transit')));
    due.push(shipmentOf(), shipmentOf({ forecastNo: 'FC2' }));
    const poller = createPoller(options);
    poller.start();
    await until(() => rescheduled.length === 1, { what: 'the other poll' });
    due.push(shipmentOf({ forecastNo: 'FC3' }));
    poller.wake();
    await until(() => rescheduled.length === 2, { what: 'the third poll' });
    const stopped = poller.stop();
    respond('In Transit');
    await stopped;
    expect(rescheduled.map(([forecastNo]) => forecastNo)).toEqual(['FC2', 'FC3', 'FC1']);
    due.push(shipmentOf({ forecastNo: 'FC4' }));
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
    due.push(shipmentOf());
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
