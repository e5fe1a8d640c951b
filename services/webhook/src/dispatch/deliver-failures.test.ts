import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { attempts, closeOpened, deliveries, harness, receiver, settled } from '../testing/delivery-views.ts';
import { startReceiver } from '../testing/receiver.ts';

closeOpened();

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
