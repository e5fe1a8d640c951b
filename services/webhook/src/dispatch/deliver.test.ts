import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';
import { type Received, type Receiver, type Responding, startReceiver } from '../testing/receiver.ts';
import { type Harness, openHarness } from '../testing/webhook-harness.ts';

interface DeliveryView {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly next_attempt_time: string | null;
  readonly last_status_code: number | null;
}
interface AttemptView {
  readonly attempt_number: number;
  readonly outcome: string;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly response_body: string | null;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function harness(env?: Record<string, string>): Promise<Harness> {
  const made = await openHarness(env);
  opened.push({ close: () => made.stop() });
  return made;
}

async function receiver(response?: Responding): Promise<Receiver> {
  const made = await startReceiver(response);
  opened.push(made);
  return made;
}

async function deliveries(h: Harness, endpointId: string): Promise<DeliveryView[]> {
  const { data } = await h.call('GET', `/${endpointId}/deliveries?limit=100`);
  return (data as unknown as { deliveries: DeliveryView[] }).deliveries;
}

/** The endpoint's only delivery once it has a status. */
function settled(h: Harness, endpointId: string, status: string): Promise<DeliveryView> {
  return until(async () => (await deliveries(h, endpointId)).find((one) => one.status === status), { what: `a ${status} delivery` });
}

async function attempts(h: Harness, endpointId: string, deliveryId: string): Promise<AttemptView[]> {
  const { data } = await h.call('GET', `/${endpointId}/deliveries/${deliveryId}/attempts`);
  return (data as unknown as { attempts: AttemptView[] }).attempts;
}

function verify(secret: string, got: Received | undefined): unknown {
  return new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
}

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

describe('failures and retries', () => {
  test('the same bytes under the same id are sent until a 2xx comes, and every attempt is logged', async () => {
    const hook = await receiver((_req, res, count) => {
      res.statusCode = count < 3 ? 500 : 204;
      res.end(count < 3 ? `no ${count}` : undefined);
    });
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    await h.weigh();
    const delivery = await settled(h, endpoint_id, 'succeeded');
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await attempts(h, endpoint_id, delivery.delivery_id)).toMatchObject([
      { attempt_number: 1, outcome: 'failed', status_code: 500, error: 'The response had status 500', response_body: 'no 1' },
      { attempt_number: 2, outcome: 'failed', status_code: 500, response_body: 'no 2' },
      { attempt_number: 3, outcome: 'succeeded', status_code: 204, error: null, response_body: '' },
    ]);
  });

  test('fails when the schedule is used up', async () => {
    const hook = await receiver((_req, res) => void res.writeHead(302, { location: '/elsewhere' }).end());
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    await h.weigh();
    const delivery = await settled(h, endpoint_id, 'failed');
    expect(delivery).toMatchObject({ attempt_count: 3, last_status_code: 302, next_attempt_time: null });
    expect(hook.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
  });

  test('a refused connection and a cut response are failures with a reason', async () => {
    const hook = await receiver((req) => void req.socket.destroy());
    const gone = await startReceiver();
    await gone.close();
    const h = await harness({ WEBHOOK_RETRY_SCHEDULE: '0s' });
    const cut = await h.register(hook.url);
    const refused = await h.register(gone.url);
    await h.weigh();
    const reasons: string[] = [];
    for (const { endpoint_id } of [refused, cut]) {
      const { delivery_id } = await settled(h, endpoint_id, 'failed');
      const [attempt] = await attempts(h, endpoint_id, delivery_id);
      reasons.push(`${attempt?.error_code}: ${attempt?.error}`);
    }
    expect(reasons[0]).toBe('connection_refused: The connection was refused');
    expect(reasons[1]).toMatch(/^connection_(closed|reset): The connection was \1/);
  });

  test('Retry-After puts the next attempt off, in seconds and as a date', async () => {
    const when = new Date(Date.now() + 3_600_000);
    const seconds = await receiver((_req, res) => void res.writeHead(429, { 'retry-after': '3600' }).end());
    const date = await receiver((_req, res) => void res.writeHead(503, { 'retry-after': when.toUTCString() }).end());
    const h = await harness();
    for (const { url } of [seconds, date]) {
      const { endpoint_id } = await h.register(url);
      await h.weigh();
      const delivery = await until(async () => (await deliveries(h, endpoint_id)).find((one) => one.attempt_count === 1), {
        what: 'an attempt',
      });
      expect(delivery.status).toBe('pending');
      expect(Math.abs(Date.parse(delivery.next_attempt_time ?? '') - when.getTime())).toBeLessThan(30_000);
    }
  });

  test('410 disables the endpoint, holds what was on its way, and a replay brings it', async () => {
    let gone = true;
    const hook = await receiver((_req, res) => void res.writeHead(gone ? 410 : 200).end());
    const h = await harness();
    const { endpoint_id } = await h.register(hook.url);
    const since = new Date(Date.now() - 60_000).toISOString();
    await h.weigh({ forecastNo: 'FC1' });
    await settled(h, endpoint_id, 'held');
    expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    await h.weigh({ forecastNo: 'FC1' });
    await until(async () => (await deliveries(h, endpoint_id)).filter((one) => one.status === 'held').length === 2, {
      what: 'a second held delivery',
    });
    expect((await h.call('POST', `/${endpoint_id}/replay`, { since })).code).toBe('40902');
    gone = false;
    expect((await h.call('PATCH', `/${endpoint_id}`, { status: 'enabled' })).data).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    });
    expect((await h.call('POST', `/${endpoint_id}/replay`, { since })).data).toEqual({ scheduled: 2, next_cursor: null, warnings: [] });
    await until(async () => (await deliveries(h, endpoint_id)).every((one) => one.status === 'succeeded'), { what: 'both' });
    expect((await h.call('POST', `/${endpoint_id}/replay`, { since })).data).toEqual({ scheduled: 0, next_cursor: null, warnings: [] });
    expect((await h.call('POST', `/${endpoint_id}/replay`, { since, only: 'all' })).data).toEqual({
      scheduled: 2,
      next_cursor: null,
      warnings: [],
    });
    await until(() => hook.received.length === 5, { what: 'both again' });
  });

  test('a connection that the receiver closed while idle costs no failed attempt', async () => {
    const hook = await receiver((req, res, count) => {
      if (count === 2) req.socket.destroy();
      else res.end('ok');
    });
    const h = await harness({ WEBHOOK_RETRY_SCHEDULE: '0s' });
    const { endpoint_id } = await h.register(hook.url);
    await h.weigh();
    await settled(h, endpoint_id, 'succeeded');
    const second = await h.weigh();
    await until(async () => (await deliveries(h, endpoint_id)).find((one) => one.event_id === second && one.status === 'succeeded'), {
      what: 'the second',
    });
    expect(hook.received).toHaveLength(3);
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
    const stopped = first.stop();
    responses[0]?.();
    await stopped;
    const second = await openHarness({}, first.dataDirectory);
    opened.push({ close: () => second.stop() });
    expect(await deliveries(second, endpoint_id)).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
    expect(hook.received).toHaveLength(1);
  });
});
