import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { type ApiResponse, type Harness, openHarness } from '../testing/webhook-harness.ts';

let h: Harness;
let hook: Receiver;
beforeAll(async () => {
  hook = await startReceiver();
  h = await openHarness();
});
afterAll(async () => {
  await h.stop();
  await hook.close();
});

/** Expects the success of a route: its status, and `data` of its schema. */
function expectResponse(id: string, response: ApiResponse): void {
  const route = webhookRoutes.find((one) => one.id === id);
  expect({ status: response.status, code: response.code }).toEqual({ status: route?.success, code: '0' });
  expect(compileValidator(route?.data as Parameters<typeof compileValidator>[0]).errors(response.data)).toEqual([]);
}

async function deliveryOf(tenant: string, endpointId: string): Promise<{ delivery_id: string; status: string }> {
  return until(
    async () => {
      const { data } = await h.call('GET', `/${endpointId}/deliveries?status=succeeded`, undefined, tenant);
      return (data as unknown as { deliveries: { delivery_id: string; status: string }[] }).deliveries[0];
    },
    { what: 'a delivery' },
  );
}

describe('every route', () => {
  test('responds as the contract says', async () => {
    const tenant = 'tnt_routes';
    const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> => h.call(method, path, body, tenant);
    const created = await call('POST', '', { url: hook.url, description: 'Main' });
    expectResponse('createEndpoint', created);
    expect(created.data).toMatchObject({ event_types: ['parcel.weighed', 'tracking.changed'], status: 'enabled', description: 'Main' });
    expect(created.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const path = `/${created.data.endpoint_id}`;
    const listed = await call('GET', '');
    expectResponse('listEndpoints', listed);
    const read = await call('GET', path);
    expectResponse('getEndpoint', read);
    for (const response of [listed, read]) expect(JSON.stringify(response)).not.toContain('whsec_');
    const updated = await call('PATCH', path, { event_types: ['parcel.weighed'], description: '' });
    expectResponse('updateEndpoint', updated);
    expect(updated.data).toMatchObject({ event_types: ['parcel.weighed'], description: '', url: hook.url });
    expectResponse('rotateSecret', await call('POST', `${path}/rotate-secret`));
    const ended = await call('POST', `${path}/rotate-secret`, { end_former_secret: true, grace: 0 });
    expectResponse('rotateSecret', ended);
    expect(ended.data).toMatchObject({ former_secret_end_time: null, warnings: [{ field: 'grace' }] });
    expectResponse('sendTestEvent', await call('POST', `${path}/test`));
    const { delivery_id } = await deliveryOf(tenant, String(created.data.endpoint_id));
    expectResponse('listDeliveries', await call('GET', `${path}/deliveries`));
    expectResponse('getEndpointFigures', await call('GET', `${path}/figures`));
    const wrong = await call('GET', `${path}/figures?from_date=2026-02-01&to_date=2026-01-01`);
    expect(wrong).toMatchObject({ code: '42201', data: { errors: [{ field: 'from_date' }] } });
    expectResponse('listAttempts', await call('GET', `${path}/deliveries/${delivery_id}/attempts`));
    expectResponse('resendDelivery', await call('POST', `${path}/deliveries/${delivery_id}/resend`));
    expectResponse('replayDeliveries', await call('POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' }));
    expectResponse('deleteEndpoint', await call('DELETE', path));
    expect((await call('GET', path)).code).toBe('40403');
  });
});

describe('refusals', () => {
  test('a refused address is named together with the other faults, at creation and at a change', async () => {
    const body = { url: 'https://10.0.0.1/', event_types: ['parcel.weighd'] };
    const errors = [{ field: 'url', rule: 'public_address' }, { field: 'event_types[0]' }];
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_faults');
    for (const response of [await h.call('POST', '', body, 'tnt_faults'), await h.call('PATCH', `/${endpoint_id}`, body, 'tnt_faults')]) {
      expect(response).toMatchObject({ status: 422, code: '42201', data: { errors } });
    }
    const other = await h.call('POST', '', { url: hook.url, event_types: ['parcel.weighd'] }, 'tnt_faults');
    expect(other.data.errors).toMatchObject([{ field: 'event_types[0]' }]);
    expect((await h.call('POST', '', { url: 7, event_types: [] }, 'tnt_faults')).data.errors).toMatchObject([
      { field: 'url', rule: 'type' },
      { field: 'event_types' },
    ]);
  });

  test('the delivery of one event is found by its id, which is the webhook-id', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_event');
    await h.weigh('tnt_event');
    const [first, second] = [await h.weigh('tnt_event'), await h.weigh('tnt_event')];
    const list = async (query: string) => {
      const response = await h.call('GET', `/${endpoint_id}/deliveries?${query}`, undefined, 'tnt_event');
      expectResponse('listDeliveries', response);
      return (response.data.deliveries as unknown as { event_id: string }[]).map(({ event_id }) => event_id);
    };
    await until(async () => (await list('status=succeeded')).length === 3, { what: 'all to be delivered' });
    expect(await list(`event_id=${first}`)).toEqual([first]);
    expect(await list(`event_id=${second}&status=succeeded`)).toEqual([second]);
    expect(await list(`event_id=${second}&status=failed`)).toEqual([]);
    expect(await list('event_id=evt_none')).toEqual([]);
  });

  test('a bad cursor is named together with the other bad filters', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_filters');
    const { code, data } = await h.call('GET', `/${endpoint_id}/deliveries?cursor=zzz&limit=0&status=lost`, undefined, 'tnt_filters');
    expect(code).toBe('42201');
    expect((data.errors as unknown as { field: string }[]).map(({ field }) => field).sort()).toEqual(['cursor', 'limit', 'status']);
    const feed = await h.call('GET', '/open/v1/events', undefined, 'tnt_filters');
    const replay = { since: '2026-01-01T00:00:00Z', cursor: feed.data['next_cursor'] };
    const foreign = await h.call('POST', `/${endpoint_id}/replay`, replay, 'tnt_filters');
    expect(foreign).toMatchObject({ code: '42201', data: { errors: [{ field: 'cursor', rule: 'format' }] } });
  });
});

describe('what a tenant chooses and sees', () => {
  test('headers are sent, and shown to nobody', async () => {
    const own = await startReceiver();
    const given = { headers: { Authorization: 'Bearer s3cret', 'X-Team': 'a b' }, metadata: { team: 'ops' } };
    const { endpoint_id } = await h.register(own.url, given, 'tnt_headers');
    await h.weigh('tnt_headers');
    await until(() => own.received.length === 1, { what: 'it' });
    expect(own.received[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-team': 'a b', 'content-type': 'application/json' });
    const read = await h.call('GET', `/${endpoint_id}`, undefined, 'tnt_headers');
    expect(read.data).toMatchObject({ headers: { Authorization: '***', 'X-Team': '***' }, metadata: { team: 'ops' } });
    expect(JSON.stringify(await h.call('GET', '', undefined, 'tnt_headers'))).not.toContain('s3cret');
    // Read and sent back as it is, the real values would be lost.
    const back = await h.call('PATCH', `/${endpoint_id}`, { headers: { Authorization: '***' } }, 'tnt_headers');
    expect(back).toMatchObject({ code: '42201', data: { errors: [{ field: 'headers.Authorization', rule: 'hidden' }] } });
    expect((await h.call('PATCH', `/${endpoint_id}`, { headers: {} }, 'tnt_headers')).data).toMatchObject({ headers: {} });
    await own.close();
  });

  test('a disabling is published to the other endpoints, whatever they subscribe to, and in the feed', async () => {
    const [bad, other] = [await startReceiver((_req, res) => void res.writeHead(410).end()), await startReceiver()];
    const { endpoint_id } = await h.register(bad.url, {}, 'tnt_gone');
    const { secret } = await h.register(other.url, { event_types: ['tracking.changed'] }, 'tnt_gone');
    await h.weigh('tnt_gone');
    const [news] = await until(() => other.received.length > 0 && other.received, { what: 'the news' });
    expect(new Webhook(secret).verify(news?.body ?? '', news?.headers as Record<string, string>)).toMatchObject({
      type: 'endpoint.disabled',
      data: { endpoint_id, reason: 'gone', environment: 'sandbox' },
    });
    const feed = await h.call('GET', '/open/v1/events?event_types=endpoint.disabled', undefined, 'tnt_gone');
    expect(feed.data).toMatchObject({ events: [{ type: 'endpoint.disabled', data: { endpoint_id } }] });
    expect(bad.received).toHaveLength(1);
    for (const one of [bad, other]) await one.close();
  });
});

describe('the feed and listening', () => {
  test.each([
    ['?after=nonsense', 'after'],
    ['?since=yesterday', 'since'],
    ['?event_types=parcel.weighed,none', 'event_types'],
    ['?limit=0', 'limit'],
  ])('refuse %s on its field', async (query, field) => {
    expect(await h.call('GET', `/open/v1/events${query}`)).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field }] } });
  });
});

test('what exists in the sandbox alone does not exist in production, for whoever calls', async () => {
  const production = await openHarness({ ENVIRONMENT: 'production' });
  try {
    expect(await production.call('GET', '/sandbox/v1/listen?wait=1')).toMatchObject({ status: 404, code: '40402' });
    expect(await production.call('GET', '/open/v1/events')).toMatchObject({ status: 200, code: '0' });
  } finally {
    await production.stop();
  }
});
