import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { FAILING_LIMIT_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { bad, good, hang, openWorld, TENANT } from '../testing/dispatch-world.ts';

describe('the dispatcher', () => {
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
