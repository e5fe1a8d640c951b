import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { bad, good, hang, openWorld } from '../testing/dispatch-world.ts';
import type { Reply } from './domain/settle.ts';
import type { WebhookRequest } from './ports.ts';

describe('the dispatcher', () => {
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
});
