import { afterEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { type Endpoint, FAILING_LIMIT_MS } from '../endpoints/domain/endpoint.ts';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { bad, closeWorlds, good, hang, openWorld, TENANT } from '../testing/dispatch-world.ts';
import type { Reply } from './domain/settle.ts';
import type { WebhookRequest } from './ports.ts';

afterEach(closeWorlds);

describe('the dispatcher', () => {
  test.each([
    ['starts an attempt while its lease lasts for 20 s', LEASE_MS - 20_000, []],
    ['leases anew what is leased for less than 20 s: the attempt could outlive the lease', LEASE_MS - 20_000 + 1, ['evt_9']],
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

  test('stops the running attempts of a deleted endpoint and starts no more', async () => {
    let ended = 0;
    const w = await openWorld(async (request, interruption) => {
      const reply = await hang(request, interruption);
      ended += 1;
      return reply;
    });
    await w.add('we_1');
    for (let count = 0; count < 12; count += 1) await w.event();
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    await w.stores.endpoints.remove(TENANT, 'we_1');
    w.dispatcher.endpointRemoved('we_1');
    await until(() => ended === 8, { what: 'all attempts to end' });
    expect(w.sent).toHaveLength(8);
  });

  test('records a success that comes as the attempt is ended by a stop: it would be sent twice', async () => {
    const w = await openWorld((_request, interruption) => new Promise((resolve) => interruption.onInterrupt(() => resolve(good))));
    await w.add('we_1');
    await w.event();
    await until(() => w.sent.length === 1, { what: 'the attempt' });
    await w.dispatcher.stop(1);
    expect((await w.deliveries('we_1')).map(({ status }) => status)).toEqual(['succeeded']);
  });

  test('a disabled endpoint gets nothing of what waited in memory', async () => {
    const release: (() => void)[] = [];
    const w = await openWorld(() => new Promise((resolve) => release.push(() => resolve(good))));
    const endpoint = await w.add('we_1');
    for (let count = 0; count < 12; count += 1) await w.event();
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    const disabled = { ...endpoint, status: 'disabled', disabledReason: 'tenant' } as const;
    await w.stores.endpoints.update(TENANT, 'we_1', () => disabled);
    w.dispatcher.endpointChanged(disabled);
    for (const response of release.splice(0)) response();
    await until(async () => (await w.deliveries('we_1')).filter((one) => one.status === 'succeeded').length === 8, {
      what: 'the running ones to be recorded',
    });
    expect(w.sent).toHaveLength(8);
  });

  test('disables an endpoint after five days of failure, says so, and holds what is pending', async () => {
    const w = await openWorld(async () => bad);
    await w.add('we_1');
    await w.event();
    await until(async () => (await w.stores.endpoints.get(TENANT, 'we_1'))?.failingSince !== null, { what: 'a failure' });
    w.clock.advance(FAILING_LIMIT_MS);
    await w.event();
    await until(async () => (await w.deliveries('we_1')).every(({ status }) => status === 'held' || status === 'failed'), {
      what: 'all to be held or failed',
    });
    expect(await w.stores.endpoints.get(TENANT, 'we_1')).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(w.warnings).toContainEqual({ tenant_id: TENANT, endpoint_id: 'we_1', reason: 'failing' });
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

  test('however many endpoints hang, there is room for one that responds', async () => {
    const isGood = ({ url }: WebhookRequest): boolean => url.includes('we_ok');
    const w = await openWorld((request, interruption) => (isGood(request) ? Promise.resolve(good) : hang(request, interruption)));
    const hanging = 80;
    for (let count = 0; count < hanging; count += 1) await w.add(`we_${count}`);
    await w.add('we_ok');
    for (let count = 0; count < 20; count += 1) await w.event();
    await until(() => w.sent.filter(isGood).length === 20, { what: 'all of the good one' });
    // With eight each the hanging ones would hold 640 places; together they get half of all, and one more each at most.
    const taken = w.sent.length - 20;
    expect(taken).toBeGreaterThanOrEqual(hanging);
    expect(taken).toBeLessThanOrEqual(256 + hanging);
  });

  test('an endpoint that hangs keeps next to nothing in memory', async () => {
    const responses: (() => void)[] = [];
    const w = await openWorld((request, interruption) => {
      const late = new Promise<Reply>((resolve) => responses.push(() => resolve({ ...bad, errorCode: 'timeout' })));
      return Promise.race([late, hang(request, interruption)]);
    });
    await w.add('we_1');
    for (let count = 0; count < 40; count += 1) await w.event();
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    responses.shift()?.();
    await until(async () => (await w.deliveries('we_1')).some(({ attemptCount }) => attemptCount === 1), {
      what: 'the failure to be recorded',
    });
    let given = 0;
    await until(
      async () => {
        const now = w.clock.now();
        given += (await w.stores.queue.lease([{ endpointId: 'we_1', count: 100 }], now, now + LEASE_MS)).length;
        return given >= 30;
      },
      { what: 'the others to be given back' },
    );
    // Seven are being sent, one is to be tried again in an hour, two wait.
    expect(given).toBe(30);
  });

  test('a stop gives back what is just being leased: nobody has to wait until the leases run out', async () => {
    let response: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (response = resolve));
    let isAsked = false;
    const w = await openWorld(
      async () => good,
      (stores) => ({
        ...stores,
        queue: {
          ...stores.queue,
          async lease(...args) {
            const leased = await stores.queue.lease(...args);
            if (leased.length > 0) {
              isAsked = true;
              await slow;
            }
            return leased;
          },
        },
      }),
    );
    const endpoint = await w.add('ep_1', { status: 'paused' });
    await w.event();
    await w.stores.endpoints.update(TENANT, 'ep_1', (now) => ({ ...now, status: 'enabled', updatedAt: endpoint.updatedAt + 1 }));
    await until(() => isAsked, { what: 'the lease' });
    const stopped = w.dispatcher.stop(100);
    response();
    await stopped;
    const now = w.clock.now();
    expect(await w.stores.queue.lease([{ endpointId: 'ep_1', count: 10 }], now, now + 1000)).toHaveLength(1);
    expect(w.sent).toHaveLength(0);
  });

  test('a stop is over when what it has cut off is given back', async () => {
    let isGivenBack = false;
    const w = await openWorld(hang, (stores) => ({
      ...stores,
      queue: {
        ...stores.queue,
        async release(leased) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          await stores.queue.release(leased);
          isGivenBack = true;
        },
      },
    }));
    await w.add('ep_1');
    await w.event();
    await until(() => w.sent.length === 1, { what: 'the attempt' });
    await w.dispatcher.stop(1);
    expect(isGivenBack).toBe(true);
  });

  test('a 410 from an address that the endpoint has left does not disable it, and the event goes to the new one', async () => {
    let response: (() => void) | undefined;
    const w = await openWorld(({ url }) => {
      if (url.includes('new')) return Promise.resolve(good);
      return new Promise((resolve) => {
        response = () => resolve({ ...bad, statusCode: 410, error: 'The response had status 410' });
      });
    });
    await w.add('we_1');
    await w.event();
    await until(() => response !== undefined, { what: 'the attempt' });
    w.clock.advance(1000);
    const moved = await w.stores.endpoints.update(TENANT, 'we_1', (one) => ({
      ...one,
      url: 'https://new.example/',
      updatedAt: w.clock.now(),
    }));
    w.dispatcher.endpointChanged(moved as Endpoint);
    response?.();
    await until(async () => (await w.deliveries('we_1'))[0]?.status === 'succeeded', { what: 'the delivery' });
    expect(w.sent.map(({ url }) => url)).toEqual(['https://we_1.example/', 'https://new.example/']);
    expect(await w.stores.endpoints.get(TENANT, 'we_1')).toMatchObject({ status: 'enabled' });
  });
});
