import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeWorlds, events, good, openWorld, statuses, TENANT } from '../testing/dispatch-world.ts';

afterEach(closeWorlds);

describe('a rate limit', () => {
  test('is kept to, over everything that waits, and everything comes in the end', async () => {
    const w = await openWorld(async () => good);
    await w.add('ep_1', { rateLimit: 20 });
    await events(w, 30);
    await until(() => w.sent.length === 2, { what: 'the burst' });
    await w.looks();
    expect(w.sent).toHaveLength(2);
    for (let second = 1; w.sent.length < 30; second += 1) {
      w.clock.advance(100);
      await until(() => w.sent.length === Math.min(30, 2 + 2 * second), { what: 'two more' });
    }
    await until(async () => (await statuses(w))['succeeded'] === 30, { what: 'all' });
  });

  test('loses no attempt to deliveries that have waited for too long', async () => {
    const w = await openWorld(async () => good);
    await w.add('ep_1', { rateLimit: 1 });
    await events(w, 3);
    await until(() => w.sent.length === 1, { what: 'the first' });
    // Another process may have had the attempts of this time.
    w.clock.advance(45_000);
    await until(() => w.sent.length === 2, { what: 'the next' });
  });

  test('of one endpoint holds up no other', async () => {
    const w = await openWorld(async () => good);
    await w.add('ep_1', { rateLimit: 1 });
    await w.add('ep_2');
    await events(w, 50);
    await until(() => w.sent.filter(({ url }) => url.includes('ep_2')).length === 50, { what: 'the other one' });
    expect(w.sent.filter(({ url }) => url.includes('ep_1'))).toHaveLength(1);
  });
});

describe('a pause', () => {
  test('keeps what comes and what waited, and the end of it sends all of it', async () => {
    const release: (() => void)[] = [];
    const w = await openWorld(() => new Promise((resolve) => release.push(() => resolve(good))));
    const endpoint = await w.add('ep_1');
    await events(w, 12);
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    const set = async (status: 'paused' | 'enabled', pausedAt: number | null): Promise<void> => {
      const changed = await w.stores.endpoints.update(TENANT, 'ep_1', (now) => ({
        ...now,
        status,
        pausedAt,
        updatedAt: now.updatedAt + 1,
      }));
      w.dispatcher.endpointChanged(changed ?? endpoint);
    };
    await set('paused', w.clock.now());
    await events(w, 3);
    for (const response of release.splice(0)) response();
    await until(async () => (await statuses(w))['succeeded'] === 8, { what: 'what ran' });
    await w.looks();
    expect(w.sent).toHaveLength(8);
    expect(await statuses(w)).toEqual({ succeeded: 8, pending: 7 });
    await set('enabled', null);
    await until(() => w.sent.length === 15, { what: 'the rest to be sent' });
    for (const response of release.splice(0)) response();
    await until(async () => (await statuses(w))['succeeded'] === 15, { what: 'all' });
  });
});
