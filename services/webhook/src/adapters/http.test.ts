import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { until } from '@parcelway/kernel/testing/until';
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

  test("responds with 40403 for another tenant's endpoint or delivery as for none", async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_owner');
    await h.call('POST', `/${endpoint_id}/test`, undefined, 'tnt_owner');
    const { delivery_id } = await deliveryOf('tnt_owner', endpoint_id);
    const bodies: Record<string, unknown> = { updateEndpoint: { description: 'x' }, replayDeliveries: { since: '2026-01-01T00:00:00Z' } };
    for (const route of webhookRoutes.filter(({ path }) => path.includes('{endpoint_id}'))) {
      const path = route.path.replace('/open/v1/webhook-endpoints', '').replace('{delivery_id}', delivery_id);
      const foreign = await h.call(route.method, path.replace('{endpoint_id}', endpoint_id), bodies[route.id], 'tnt_other');
      const missing = await h.call(route.method, path.replace('{endpoint_id}', 'we_none'), bodies[route.id], 'tnt_other');
      expect({ id: route.id, ...foreign }).toEqual({ id: route.id, ...missing });
      expect(foreign.code).toBe('40403');
    }
    const own = await h.call('GET', `/${endpoint_id}/deliveries/dlv_none/attempts`, undefined, 'tnt_owner');
    expect(own).toMatchObject({ code: '40403', message: 'The delivery does not exist' });
  });
});

describe('refusals', () => {
  test.each([
    ['no url', {}, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['an unknown type', { url: 'https://receiver.example/', event_types: ['parcel.lost'] }, 'event_types[0]'],
    ['no type', { url: 'https://receiver.example/', event_types: [] }, 'event_types'],
  ])('%s is 42201 on its field', async (_what, body, field) => {
    expect(await h.call('POST', '', body)).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field }] } });
  });

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
    await h.weigh({ tenantId: 'tnt_event' });
    const [first, second] = [await h.weigh({ tenantId: 'tnt_event' }), await h.weigh({ tenantId: 'tnt_event' })];
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
  });

  test('a typo in a query is ignored and named, beside the errors of a body', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_typos');
    const typos = { '/deliveries?stauts=failed': 'stauts', '?limit=1': 'limit' };
    for (const [path, field] of Object.entries(typos)) {
      const { code, data } = await h.call('GET', `/${endpoint_id}${path}`, undefined, 'tnt_typos');
      expect({ code, data }).toMatchObject({ code: '0', data: { warnings: [{ field }] } });
    }
    for (const path of ['/open/v1/events?typ=x', '/sandbox/v1/listen?typ=x']) {
      expect((await h.call('GET', path, undefined, 'tnt_typos')).data).toMatchObject({ warnings: [{ field: 'typ' }] });
    }
    const changed = await h.call('PATCH', `/${endpoint_id}?state=paused`, { rate_limits: 5 }, 'tnt_typos');
    expect(changed.data).toMatchObject({ status: 'enabled', warnings: [{ field: 'rate_limits' }, { field: 'state' }] });
  });

  test('a typo in the body of a replay or a test is named', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_bodies');
    const replayed = await h.call('POST', `/${endpoint_id}/replay`, { since: '2026-11-01T00:00:00Z', onyl: 'failed' }, 'tnt_bodies');
    const message = 'onyl is not a field here and was ignored; known are since, until, only, cursor; did you mean only?';
    expect(replayed.data).toMatchObject({ scheduled: 0, warnings: [{ field: 'onyl', message }] });
    const tested = await h.call('POST', `/${endpoint_id}/test`, { type: 'parcel.weighed' }, 'tnt_bodies');
    expect(tested.data).toMatchObject({ event_type: 'endpoint.test', warnings: [{ field: 'type' }] });
  });

  test('a change to an address that is not allowed leaves the endpoint as it was', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_change');
    expect((await h.call('PATCH', `/${endpoint_id}`, { url: 'https://192.168.0.1/' }, 'tnt_change')).code).toBe('42201');
    expect((await h.call('GET', `/${endpoint_id}`, undefined, 'tnt_change')).data).toMatchObject({ url: hook.url });
  });

  test('a cursor of nobody and a range that ends before it begins are 42201', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_cursor');
    expect((await h.call('GET', `/${endpoint_id}/deliveries?cursor=zzz`, undefined, 'tnt_cursor')).code).toBe('42201');
    expect((await h.call('GET', `/${endpoint_id}/deliveries?limit=101`, undefined, 'tnt_cursor')).code).toBe('42201');
    const range = { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    expect((await h.call('POST', `/${endpoint_id}/replay`, range, 'tnt_cursor')).code).toBe('42201');
  });

  test('of many registrations at once ten succeed, and one more is free after a deletion', async () => {
    const tries = Array.from({ length: 25 }, () => h.call('POST', '', { url: hook.url }, 'tnt_many'));
    const responses = await Promise.all(tries);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(responses.filter(({ code }) => code === '40902')).toHaveLength(15);
    const first = responses.find(({ status }) => status === 200);
    await h.call('DELETE', `/${first?.data.endpoint_id}`, undefined, 'tnt_many');
    await h.register(hook.url, {}, 'tnt_many');
  });

  test('a disabled endpoint is sent nothing, and says so', async () => {
    const { endpoint_id } = await h.register(hook.url, { description: 'off' }, 'tnt_off');
    const call = (path: string): Promise<ApiResponse> => h.call('POST', `/${endpoint_id}${path}`, undefined, 'tnt_off');
    await call('/test');
    const { delivery_id } = await deliveryOf('tnt_off', endpoint_id);
    const disabled = await h.call('PATCH', `/${endpoint_id}`, { status: 'disabled' }, 'tnt_off');
    expect(disabled.data).toMatchObject({ status: 'disabled', disabled_reason: 'tenant' });
    for (const path of ['/test', `/deliveries/${delivery_id}/resend`]) {
      expect(await call(path)).toMatchObject({ status: 409, code: '40902', message: expect.stringContaining('enable it first') });
    }
  });
});

describe('lists and resends', () => {
  test('pages lead through all deliveries, newest first, without repeats', async () => {
    const { endpoint_id } = await h.register(hook.url, {}, 'tnt_pages');
    for (let count = 0; count < 7; count += 1) await h.call('POST', `/${endpoint_id}/test`, undefined, 'tnt_pages');
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data } = await h.call('GET', `/${endpoint_id}/deliveries?limit=3${cursor}`, undefined, 'tnt_pages');
      const page = data as unknown as { deliveries: { delivery_id: string }[]; next_cursor: string | null };
      seen.push(...page.deliveries.map((one) => one.delivery_id));
      expect(seen.length).toBeLessThanOrEqual(7);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(7);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test('a resend sends the same bytes under the same id, and counts on', async () => {
    const own = await startReceiver();
    const { endpoint_id } = await h.register(own.url, {}, 'tnt_resend');
    const eventId = await h.weigh({ tenantId: 'tnt_resend' });
    const { delivery_id } = await deliveryOf('tnt_resend', endpoint_id);
    const response = await h.call('POST', `/${endpoint_id}/deliveries/${delivery_id}/resend`, undefined, 'tnt_resend');
    expect(response.data).toMatchObject({ status: 'pending', event_id: eventId, attempt_count: 1 });
    await until(() => own.received.length === 2, { what: 'the second attempt' });
    expect(own.received[1]?.body).toBe(own.received[0]?.body);
    expect(own.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    await until(
      async () => {
        const { data } = await h.call('GET', `/${endpoint_id}/deliveries/${delivery_id}/attempts`, undefined, 'tnt_resend');
        return (data as unknown as { attempts: unknown[] }).attempts.length === 2;
      },
      { what: 'both attempts in the log' },
    );
    await own.close();
  });

  test('a replay brings events from before the endpoint was there', async () => {
    const own = await startReceiver();
    const first = await h.register(hook.url, {}, 'tnt_before');
    const since = new Date(Date.now() - 1000).toISOString();
    const eventId = await h.weigh({ tenantId: 'tnt_before' });
    await deliveryOf('tnt_before', first.endpoint_id);
    const late = await h.register(own.url, {}, 'tnt_before');
    const replayed = await h.call('POST', `/${late.endpoint_id}/replay`, { since }, 'tnt_before');
    expect(replayed.data).toEqual({ scheduled: 1, next_cursor: null, warnings: [] });
    const [got] = await until(() => own.received.length > 0 && own.received, { what: 'the event' });
    expect(got?.headers['webhook-id']).toBe(eventId);
    await own.close();
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
