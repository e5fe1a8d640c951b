import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeOpened, harness, receiver } from '../testing/delivery-views.ts';

closeOpened();

describe('one for all', () => {
  test('a hanging endpoint does not hold up nine healthy ones', async () => {
    const hanging = await receiver(() => undefined);
    const healthy = await Promise.all(Array.from({ length: 9 }, () => receiver()));
    const h = await harness();
    await h.register(hanging.url);
    for (const { url } of healthy) await h.register(url);
    const events = 30;
    for (let count = 0; count < events; count += 1) await h.weigh();
    await until(() => healthy.every(({ received }) => received.length === events), { what: 'all healthy ones', within: 14_000 });
    // The hanging endpoint got what its lane allows at first, and nothing more before its deadline.
    expect(hanging.received.length).toBeLessThanOrEqual(8);
    for (const { received } of healthy) expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(events);
    await hanging.close();
  }, 30_000);

  test('a backlog longer than the lane drains', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    await h.call('PATCH', `/${endpoint_id}`, { status: 'disabled' });
    const since = new Date(Date.now() - 60_000).toISOString();
    await Promise.all(Array.from({ length: 400 }, () => h.weigh()));
    await until(async () => (await h.call('GET', `/${endpoint_id}/deliveries?status=held&limit=100`)).data.next_cursor !== null, {
      what: '400 held',
    });
    await h.call('PATCH', `/${endpoint_id}`, { status: 'enabled' });
    await until(
      async () => {
        await h.call('POST', `/${endpoint_id}/replay`, { since });
        return new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size === 400;
      },
      { what: 'all to be replayed and sent', within: 25_000 },
    );
  }, 40_000);
});
