import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { good, openWorld } from '../testing/dispatch-world.ts';

describe('the dispatcher', () => {
  test.each([
    ['starts an attempt while its lease lasts for 20 s', LEASE_MS - 20_000, []],
    ['leases again what is leased for less than 20 s: the attempt could outlive the lease', LEASE_MS - 20_000 + 1, ['evt_9']],
  ])('%s', async (_name, waited, expected) => {
    const responses: (() => void)[] = [];
    const released: string[] = [];
    const w = await openWorld(
      () => new Promise((resolve) => responses.push(() => resolve(good))),
      (stores) => ({
        ...stores,
        queue: {
          ...stores.queue,
          release(leased) {
            released.push(...leased.map(({ delivery }) => delivery.eventId));
            return stores.queue.release(leased);
          },
        },
      }),
    );
    await w.add('we_1');
    for (let count = 0; count < 9; count += 1) await w.event();
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    w.clock.advance(waited);
    responses[0]?.();
    await until(() => w.sent.length === 9, { what: 'the last one' });
    expect(released).toEqual(expected);
    for (const response of responses) response();
  });

  test('records a success that comes as the attempt is ended by a stop: it would be sent twice', async () => {
    const w = await openWorld((_request, interruption) => new Promise((resolve) => interruption.onInterrupt(() => resolve(good))));
    await w.add('we_1');
    await w.event();
    await until(() => w.sent.length === 1, { what: 'the attempt' });
    await w.dispatcher.stop(1);
    expect((await w.deliveries('we_1')).map(({ status }) => status)).toEqual(['succeeded']);
  });

  test('writes results down once the store takes them again, and sends nothing twice meanwhile', async () => {
    let refusals = 0;
    const w = await openWorld(
      async () => good,
      (stores) => ({
        ...stores,
        queue: {
          ...stores.queue,
          record: (results, health) => {
            refusals += 1;
            return refusals <= 2 ? Promise.reject(AppError.unavailable('The disk is full')) : stores.queue.record(results, health);
          },
        },
      }),
    );
    await w.add('we_1');
    await w.event();
    await until(async () => (await w.deliveries('we_1'))[0]?.status === 'succeeded', { what: 'the result' });
    expect(w.sent).toHaveLength(1);
    expect(refusals).toBe(3);
  });
});
