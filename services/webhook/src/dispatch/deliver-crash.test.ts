import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeOpened, deliveries, opened, receiver, settled } from '../testing/delivery-views.ts';
import { openHarness } from '../testing/webhook-harness.ts';

closeOpened();

describe('crashes and stops', () => {
  test('what was not recorded is sent again under the same id after a crash', async () => {
    const responses: (() => void)[] = [];
    const hook = await receiver((_req, res, count) => {
      if (count === 1) responses.push(() => res.end('late'));
      else res.end('ok');
    });
    const first = await openHarness();
    const { endpoint_id } = await first.register(hook.url);
    const eventId = await first.weigh();
    await until(() => hook.received.length === 1, { what: 'the first attempt' });
    await first.crash();
    const second = await openHarness({}, first.dataDirectory);
    opened.push({ close: () => second.stop() });
    const delivery = await settled(second, endpoint_id, 'succeeded');
    expect(delivery.event_id).toBe(eventId);
    expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(hook.received[1]?.body).toBe(hook.received[0]?.body);
    // Only to end what the crashed one left behind in this process.
    for (const response of responses) response();
    await first.service.stop().catch(() => undefined);
  });

  test('a stop waits for the running attempt and records it', async () => {
    const responses: (() => void)[] = [];
    const hook = await receiver((_req, res) => void responses.push(() => res.end('ok')));
    const first = await openHarness();
    const { endpoint_id } = await first.register(hook.url);
    await first.weigh();
    await until(() => responses.length === 1, { what: 'the attempt' });
    const stopped = first.stop({ keepData: true });
    responses[0]?.();
    await stopped;
    const second = await openHarness({}, first.dataDirectory);
    opened.push({ close: () => second.stop() });
    expect(await deliveries(second, endpoint_id)).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
    expect(hook.received).toHaveLength(1);
  });
});
