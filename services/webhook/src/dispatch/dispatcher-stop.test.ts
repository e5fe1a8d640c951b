import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { good, hang, openWorld, TENANT } from '../testing/dispatch-world.ts';

describe('the dispatcher', () => {
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
});
