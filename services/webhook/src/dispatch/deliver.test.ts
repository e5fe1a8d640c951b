import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeOpened, deliveries, harness, receiver, settled, verify } from '../testing/delivery-views.ts';

closeOpened();

describe('the way of an event', () => {
  test('reaches the endpoint signed, once, with the body of the contract', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id, secret } = await h.register(hook.url);
    const eventId = await h.weigh({ forecastNo: 'FC1', poNumber: 'PO-9' });
    const delivery = await settled(h, endpoint_id, 'succeeded');
    expect(delivery).toMatchObject({ event_id: eventId, attempt_count: 1, last_status_code: 200, next_attempt_time: null });
    expect(hook.received).toHaveLength(1);
    const [got] = hook.received;
    expect(got?.headers['webhook-id']).toBe(eventId);
    expect(got?.headers['content-type']).toBe('application/json');
    const thin = { event_id: eventId, event_seq: 1, environment: 'sandbox', forecast_no: 'FC1', po_number: 'PO-9' };
    const data = { ...thin, status: 3, weighed_at: expect.any(String) };
    expect(verify(secret, got)).toEqual({ type: 'parcel.weighed', timestamp: expect.any(String), data });
  });

  test('an event that comes again changes nothing, and the numbers of a parcel have no gap', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    const first = await h.weigh({ forecastNo: 'FC1' });
    await h.weigh({ forecastNo: 'FC1', id: first });
    await h.weigh({ forecastNo: 'FC1' });
    await h.weigh({ forecastNo: 'FC2' });
    await until(async () => (await deliveries(h, endpoint_id)).filter((one) => one.status === 'succeeded').length === 3, {
      what: 'three deliveries',
    });
    const numbers = hook.received.map(({ body }) => JSON.parse(body).data as { forecast_no: string; event_seq: number });
    expect(numbers.map((data) => `${data.forecast_no}#${data.event_seq}`).sort()).toEqual(['FC1#1', 'FC1#2', 'FC2#1']);
  });

  test('goes only to endpoints of its tenant that subscribe to its type', async () => {
    const [mine, other, foreign] = await Promise.all([receiver(), receiver(), receiver()]);
    const h = await harness();
    const { endpoint_id } = await h.register(mine.url);
    await h.register(other.url, { event_types: ['tracking.changed'] });
    await h.register(foreign.url, {}, 'tnt_two');
    await h.weigh();
    await settled(h, endpoint_id, 'succeeded');
    expect([mine.received.length, other.received.length, foreign.received.length]).toEqual([1, 0, 0]);
  });

  test('uses one connection for deliveries that follow each other', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    for (let count = 1; count <= 5; count += 1) {
      await h.weigh();
      await until(async () => (await deliveries(h, endpoint_id)).filter((one) => one.status === 'succeeded').length === count, {
        what: `delivery ${count}`,
      });
    }
    expect(hook.connections()).toBe(1);
  });
});
