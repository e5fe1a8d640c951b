import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeOpened, deliveries, harness, opened, receiver, settled, verify } from '../testing/delivery-views.ts';
import { openHarness } from '../testing/webhook-harness.ts';

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

describe('signatures', () => {
  test('for a day after a rotation both secrets verify, and a second rotation ends the oldest', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id, secret: oldest } = await h.register(hook.url);
    const rotate = async (): Promise<string> => {
      const response = await h.call('POST', `/${endpoint_id}/rotate-secret`);
      expect(response.status).toBe(200);
      const { secret, former_secret_end_time: end } = response.data as unknown as { secret: string; former_secret_end_time: string };
      expect(Math.abs(Date.parse(end) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
      return secret;
    };
    expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ former_secret_end_time: null });
    const older = await rotate();
    await h.weigh();
    await until(() => hook.received.length === 1, { what: 'the first delivery' });
    for (const secret of [oldest, older]) expect(verify(secret, hook.received[0])).toBeDefined();
    const newest = await rotate();
    await h.weigh();
    await until(() => hook.received.length === 2, { what: 'the second delivery' });
    for (const secret of [older, newest]) expect(verify(secret, hook.received[1])).toBeDefined();
    expect(() => verify(oldest, hook.received[1])).toThrow('No matching signature');
    expect(hook.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    // One that has leaked.
    const { data } = await h.call('POST', `/${endpoint_id}/rotate-secret`, { end_former_secret: true });
    await h.weigh();
    await until(() => hook.received.length === 3, { what: 'the third delivery' });
    expect(hook.received[2]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(verify((data as unknown as { secret: string }).secret, hook.received[2])).toBeDefined();
  });
});

describe('one for all', () => {
  test('a hanging endpoint does not hold up nine healthy ones', async () => {
    const hanging = await receiver(() => undefined);
    const healthy = await Promise.all(Array.from({ length: 9 }, () => receiver()));
    const h = await harness();
    await h.register(hanging.url);
    for (const { url } of healthy) await h.register(url);
    const events = 100;
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
