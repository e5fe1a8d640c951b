import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';
import { ok, type Receiver, type Responding, startReceiver } from '../testing/receiver.ts';
import { type Harness, openHarness, TENANT } from '../testing/webhook-harness.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(env: Record<string, string> = {}): Promise<Harness> {
  const harness = await openHarness(env);
  closing.push(() => harness.stop());
  return harness;
}

async function receiver(response: Responding = ok): Promise<Receiver> {
  const started = await startReceiver(response);
  closing.push(() => started.close());
  return started;
}

type Body = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
const bodiesOf = ({ received }: Receiver): Body[] => received.map(({ body }) => JSON.parse(body) as Body);
const gone: Responding = (_req, res) => void res.writeHead(410).end();

describe('a tenant chooses', () => {
  test('which events of a type an endpoint gets', async () => {
    const h = await start();
    const r = await receiver();
    await h.register(r.url, { event_types: ['tracking.changed'], filter: { is_terminal: true } });
    await h.track();
    const terminal = await h.track({ isTerminal: true });
    await h.track();
    // The one in the middle may be sent before the last has been accepted.
    await until(
      async () => {
        const feed = await h.call('GET', '/open/v1/events');
        return (feed.data as unknown as { events: unknown[] }).events.length === 3;
      },
      { what: 'all three' },
    );
    await until(() => r.received.length === 1, { what: 'it' });
    expect(bodiesOf(r)).toEqual([expect.objectContaining({ data: expect.objectContaining({ event_id: terminal, is_terminal: true }) })]);
  });

  test('headers, which are sent and shown to nobody', async () => {
    const h = await start();
    const r = await receiver();
    const { endpoint_id } = await h.register(r.url, {
      headers: { Authorization: 'Bearer s3cret', 'X-Team': 'a b' },
      metadata: { team: 'ops' },
    });
    await h.weigh();
    await until(() => r.received.length === 1, { what: 'it' });
    expect(r.received[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-team': 'a b', 'content-type': 'application/json' });
    const read = await h.call('GET', `/${endpoint_id}`);
    expect(read.data).toMatchObject({ headers: { Authorization: '***', 'X-Team': '***' }, metadata: { team: 'ops' } });
    expect(JSON.stringify(await h.call('GET', ''))).not.toContain('s3cret');
    // Read and sent back as it is, the real values would be lost.
    const back = await h.call('PATCH', `/${endpoint_id}`, { headers: { Authorization: '***' } });
    expect(back).toMatchObject({ code: '42201', data: { errors: [{ field: 'headers.Authorization', rule: 'hidden' }] } });
    expect((await h.call('PATCH', `/${endpoint_id}`, { headers: {} })).data).toMatchObject({ headers: {} });
  });

  test('only what is allowed, and hears of every fault at once', async () => {
    const h = await start();
    const response = await h.call('POST', '', {
      url: 'https://10.0.0.1/',
      headers: { 'webhook-id': 'x', 'A B': 'x' },
      metadata: { '': 'x' },
    });
    expect(response).toMatchObject({
      code: '42201',
      data: {
        errors: [
          { field: 'url' },
          { field: 'headers.webhook-id' },
          { field: 'headers.A B' },
          { field: expect.stringMatching(/^metadata/) },
        ],
      },
    });
    const wrong = { url: 'https://10.0.0.1/', filter: { is_terminal: 'yes', colour: 1 }, rate_limit: 0, headers: { 'X-A': 'a\nb' } };
    const fields = (await h.call('POST', '', wrong)).data as unknown as { errors: { field: string }[] };
    expect(new Set(fields.errors.map(({ field }) => field))).toEqual(
      new Set(['url', 'filter.is_terminal', 'filter.colour', 'rate_limit', 'headers.X-A']),
    );
  });

  test('wrong things of both kinds at once, and is warned of what is not known', async () => {
    const h = await start();
    const both = await h.call('POST', '', { url: 'http://127.0.0.1:9/', headers: { Host: 'x' }, filter: { status: 'SHIPPED' } });
    const { errors } = both.data as unknown as { errors: { field: string }[] };
    expect(new Set(errors.map(({ field }) => field))).toEqual(new Set(['headers.Host', 'filter.status']));
    const created = await h.call('POST', '', { url: 'http://127.0.0.1:9/', filters: { is_terminal: true }, rate_limits: 1 });
    expect(created.data).toMatchObject({ filter: {}, warnings: [{ field: 'filters' }, { field: 'rate_limits' }] });
    const { endpoint_id } = created.data as unknown as { endpoint_id: string };
    const changed = await h.call('PATCH', `/${endpoint_id}`, { state: 'paused' });
    expect(changed.data).toMatchObject({ status: 'enabled', warnings: [{ field: 'state', message: expect.stringContaining('status') }] });
    expect((await h.call('PATCH', `/${endpoint_id}`, { description: 'x' })).data).toMatchObject({ warnings: [] });
  });

  test('a test event of any type, whatever the endpoint subscribes to', async () => {
    const h = await start();
    const r = await receiver((_req, res) => void res.writeHead(500).end());
    const { endpoint_id } = await h.register(r.url, { event_types: ['parcel.weighed'], filter: { status: 7 } });
    await receiver();
    for (const event_type of ['tracking.changed', 'parcel.weighed', 'endpoint.test']) {
      expect((await h.call('POST', `/${endpoint_id}/test`, { event_type })).data).toMatchObject({ event_type, test: true });
    }
    await until(() => r.received.length === 3, { what: 'all' });
    expect(bodiesOf(r).map(({ type, data }) => [type, data['test']])).toEqual([
      ['tracking.changed', true],
      ['parcel.weighed', true],
      ['endpoint.test', undefined],
    ]);
    const list = (status: string) => h.call('GET', `/${endpoint_id}/deliveries?status=${status}`);
    // Tried once; no part of the health, of the feed, nor of a replay.
    await until(async () => ((await list('failed')).data as unknown as { deliveries: unknown[] }).deliveries.length === 3, {
      what: 'all to have failed',
    });
    expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ health: { state: 'ok', failing_since: null } });
    expect((await h.call('GET', '/open/v1/events')).data).toMatchObject({ events: [] });
    expect((await h.call('POST', `/${endpoint_id}/replay`, { since: '2020-01-01T00:00:00Z' })).data).toEqual({
      scheduled: 0,
      next_cursor: null,
      warnings: [],
    });
    expect(await h.call('POST', `/${endpoint_id}/test`, { event_type: 'endpoint.disabled' })).toMatchObject({ code: '42201' });
  });

  test('a pause, during which everything waits and says so, and its end, which sends it', async () => {
    const h = await start();
    const r = await receiver();
    const { endpoint_id } = await h.register(r.url);
    const paused = await h.call('PATCH', `/${endpoint_id}`, { status: 'paused' });
    expect(paused.data).toMatchObject({ status: 'paused', disabled_reason: null, pause_end_time: expect.any(String) });
    await h.weigh();
    const waiting = await until(
      async () => {
        const { data } = await h.call('GET', `/${endpoint_id}/deliveries`);
        return (data as unknown as { deliveries: Record<string, unknown>[] }).deliveries[0];
      },
      { what: 'the delivery' },
    );
    expect(waiting).toMatchObject({ status: 'pending', next_attempt_reason: 'paused', attempt_count: 0 });
    expect(await h.call('POST', `/${endpoint_id}/test`)).toMatchObject({ code: '40902', message: expect.stringContaining('paused') });
    expect(r.received).toHaveLength(0);
    await h.call('PATCH', `/${endpoint_id}`, { status: 'enabled' });
    await until(() => r.received.length === 1, { what: 'it' });
  });
});

describe('a disabled endpoint', () => {
  test('is published to the others, whatever they subscribe to, and in the feed', async () => {
    const h = await start();
    const [bad, other] = [await receiver(gone), await receiver()];
    const { endpoint_id } = await h.register(bad.url);
    const { secret } = await h.register(other.url, { event_types: ['tracking.changed'] });
    await h.weigh();
    await until(() => other.received.length === 1, { what: 'the news' });
    expect(bodiesOf(other)[0]).toMatchObject({ type: 'endpoint.disabled', data: { endpoint_id, reason: 'gone', environment: 'sandbox' } });
    const [news] = other.received;
    expect(new Webhook(secret).verify(news?.body ?? '', news?.headers as Record<string, string>)).toMatchObject({
      type: 'endpoint.disabled',
    });
    const feed = await h.call('GET', '/open/v1/events?event_types=endpoint.disabled');
    expect(feed.data).toMatchObject({ events: [{ type: 'endpoint.disabled', data: { endpoint_id } }] });
    expect(bad.received).toHaveLength(1);
  });

  test('by the tenant itself is no news', async () => {
    const h = await start();
    const [one, other] = [await receiver(), await receiver()];
    const { endpoint_id } = await h.register(one.url);
    await h.register(other.url);
    await h.call('PATCH', `/${endpoint_id}`, { status: 'disabled' });
    await h.weigh();
    await until(() => other.received.length === 1, { what: 'an event' });
    expect(bodiesOf(other).map(({ type }) => type)).toEqual(['parcel.weighed']);
  });
});

describe('a delivery', () => {
  test('shows what was sent where, what came back, and why the next attempt is when it is', async () => {
    const h = await start({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
    const r = await receiver((_req, res) => void res.writeHead(503, { 'retry-after': '7200' }).end('too busy'));
    const { endpoint_id } = await h.register(r.url);
    await h.weigh();
    const path = await until(
      async () => {
        const { data } = await h.call('GET', `/${endpoint_id}/deliveries`);
        const [first] = (data as unknown as { deliveries: { delivery_id: string; attempt_count: number }[] }).deliveries;
        return first?.attempt_count === 1 && `/${endpoint_id}/deliveries/${first.delivery_id}`;
      },
      { what: 'the failure' },
    );
    const { data } = await h.call('GET', path);
    expect(data).toMatchObject({ status: 'pending', next_attempt_reason: 'retry_after', last_status_code: 503, body: r.received[0]?.body });
    expect((await h.call('GET', `${path}/attempts`)).data).toMatchObject({
      attempts: [{ url: r.url, status_code: 503, error_code: 'status', retry_after: '7200', response_body: 'too busy', outcome: 'failed' }],
    });
    expect(await h.call('GET', path, undefined, 'tnt_other')).toMatchObject({ code: '40403' });
  });

  test('waits while its endpoint is slowed down, and says until when', async () => {
    const h = await start({ WEBHOOK_RETRY_SCHEDULE: '0s,1s' });
    const r = await receiver((_req, res) => void res.writeHead(429, { 'retry-after': '40' }).end());
    const { endpoint_id } = await h.register(r.url);
    await h.weigh();
    const health = async () => (await h.call('GET', `/${endpoint_id}`)).data as unknown as { health: { slowdown_end_time: string | null } };
    const end = await until(async () => (await health()).health.slowdown_end_time ?? undefined, { what: 'the slow-down' });
    expect(Date.parse(end) - Date.now()).toBeGreaterThan(30_000);
    expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(40_000);
    await h.weigh();
    const waiting = await until(
      async () => {
        const { data } = await h.call('GET', `/${endpoint_id}/deliveries`);
        const { deliveries } = data as unknown as { deliveries: { attempt_count: number }[] };
        return deliveries.find(({ attempt_count }) => attempt_count === 0);
      },
      { what: 'the second one' },
    );
    expect(waiting).toMatchObject({ status: 'pending', next_attempt_reason: 'queued', next_attempt_time: end });
    expect(r.received).toHaveLength(1);
  });

  test('is resent and replayed only to an endpoint that is enabled', async () => {
    const h = await start();
    const r = await receiver();
    const { endpoint_id } = await h.register(r.url);
    await h.call('PATCH', `/${endpoint_id}`, { status: 'paused' });
    const replay = await h.call('POST', `/${endpoint_id}/replay`, { since: '2026-01-01T00:00:00Z', only: 'failed' });
    expect(replay).toMatchObject({ code: '40902', message: expect.stringContaining('paused') });
    expect(await h.call('POST', `/${endpoint_id}/replay`, { since: '2026-01-01T00:00:00Z', only: 'some' })).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'only', message: expect.stringContaining('undelivered, failed, all') }] },
    });
  });
});

describe('another tenant', () => {
  test('sees nothing of feed and listening', async () => {
    const h = await start();
    const r = await receiver();
    const { endpoint_id } = await h.register(r.url);
    const begin = await h.call('GET', '/sandbox/v1/listen', undefined, 'tnt_other');
    await h.weigh({ tenantId: TENANT });
    await until(() => r.received.length === 1, { what: 'it' });
    expect((await h.call('GET', '/open/v1/events', undefined, 'tnt_other')).data).toMatchObject({ events: [] });
    const { next_cursor } = begin.data as unknown as { next_cursor: string };
    expect((await h.call('GET', `/sandbox/v1/listen?wait=1&after=${next_cursor}`, undefined, 'tnt_other')).data).toMatchObject({
      messages: [],
    });
    expect(await h.call('GET', `/sandbox/v1/listen?endpoint_id=${endpoint_id}`, undefined, 'tnt_other')).toMatchObject({ code: '40403' });
  });
});
