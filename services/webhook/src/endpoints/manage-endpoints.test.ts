import { beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { standardEventTypes } from '@parcelway/contracts/webhook-event-types';
import { ManualClock } from '@parcelway/kernel/clock';
import { purgeDeleted } from '../retention/maintenance.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { endpoints } from './endpoints-collection.ts';
import { createEndpointManager, type EndpointManager } from './manage-endpoints.ts';

const URL = 'https://receiver.example/';
const refusal = { field: 'url', rule: 'address', message: 'no' };
const missing = { code: '40403', message: 'The endpoint does not exist' };

const under = useStores();
let manager: EndpointManager;
let notified: unknown[];
/** Of the endpoint that there is. */
let id: string;
beforeEach(() => {
  notified = [];
  id = under.endpoint.endpointId;
  manager = createEndpointManager({
    endpoints: under.stores.endpoints,
    refusalOfUrl: async (url) => (url.includes('private') ? refusal : undefined),
    runner: {
      endpointChanged: ({ status }) => void notified.push(['changed', status]),
      endpointRemoved: () => void notified.push('removed'),
    },
    clock: new ManualClock(T0 + 1000),
    onMaintenanceNeeded: () => void notified.push('maintenance'),
  });
});

describe('a new endpoint', () => {
  test('gets the standard events, default settings and a new secret', async () => {
    const endpoint = await manager.create('tnt_one', { url: URL });
    const made = { endpointId: expect.stringMatching(/^ep_/), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) } as object;
    const times = { createdAt: T0 + 1000, updatedAt: T0 + 1000 };
    expect(endpoint).toEqual(endpointFor('tnt_one', { url: URL, eventTypes: standardEventTypes, description: '', ...times, ...made }));
    expect(await manager.list('tnt_one')).toEqual([under.endpoint, endpoint]);
    expect((await manager.create('tnt_one', { url: URL })).secret).not.toBe(endpoint.secret);
  });

  test('of one request is made once, and its secret rotated once, though the URL is not allowed any more', async () => {
    const made = await manager.create('tnt_two', { url: URL }, 'request 1');
    expect(await manager.create('tnt_two', { url: 'https://private.example/' }, 'request 1')).toEqual(made);
    const rotated = await manager.rotateSecret('tnt_two', made.endpointId, false, 'request 2');
    expect(rotated).toMatchObject({ formerSecret: made.secret });
    expect(await manager.rotateSecret('tnt_two', made.endpointId, false, 'request 2')).toEqual(rotated);
  });

  test('is refused when the tenant has as many as it may, however many come at once', async () => {
    const tries = Array.from({ length: 2 * MAX_ENDPOINTS_PER_TENANT }, () => manager.create('tnt_two', { url: URL }));
    const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(await manager.list('tnt_two')).toHaveLength(MAX_ENDPOINTS_PER_TENANT);
    expect(refused).toHaveLength(MAX_ENDPOINTS_PER_TENANT);
    expect(refused[0]?.reason).toMatchObject({ code: '40902', message: 'A tenant has at most 10 endpoints; delete one first' });
  });

  test('is refused for its URL and its headers at once, and not stored', async () => {
    const headers = { 'webhook-id': '1' };
    await expect(manager.create('tnt_two', { url: 'https://private.example/', headers })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [refusal, expect.objectContaining({ field: expect.stringContaining('headers') })] },
    });
    expect(await manager.list('tnt_two')).toEqual([]);
  });
});

describe('a change', () => {
  test('notifies the dispatcher; one that disables starts the maintenance, too, which holds what is pending', async () => {
    expect(await manager.update('tnt_one', id, { description: 'new' })).toMatchObject({ description: 'new', updatedAt: T0 + 1000 });
    expect(notified.splice(0)).toEqual([['changed', 'enabled']]);
    await manager.update('tnt_one', id, { status: 'disabled' });
    expect(notified).toEqual([['changed', 'disabled'], 'maintenance']);
  });

  test('is refused for a URL that is not allowed, and changes nothing', async () => {
    await expect(manager.update('tnt_one', id, { url: 'https://private.example/' })).rejects.toMatchObject({ code: '42201' });
    expect([notified, await manager.get('tnt_one', id)]).toEqual([[], under.endpoint]);
  });

  test("of another tenant's endpoint says that there is none, whatever else is wrong", async () => {
    const calls = [
      manager.update('tnt_two', id, { url: 'https://private.example/' }),
      manager.get('tnt_two', id),
      manager.rotateSecret('tnt_two', id, false),
      manager.remove('tnt_two', id),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject(missing);
    expect(await manager.list('tnt_one')).toEqual([under.endpoint]);
  });
});

describe('a removal', () => {
  test('stops what runs and starts the maintenance; the second finds nothing', async () => {
    await manager.remove('tnt_one', id);
    expect(notified).toEqual(['removed', 'maintenance']);
    await expect(manager.remove('tnt_one', id)).rejects.toMatchObject(missing);
    expect([notified.length, await manager.list('tnt_one')]).toEqual([2, []]);
  });

  test('leaves no secret, and gives the id free with the last delivery', async () => {
    const { endpoints: store } = under.stores;
    await store.update('tnt_one', id, (one) => ({ ...one, headers: { authorization: 'Bearer secret' }, metadata: { owner: 'somebody' } }));
    const again = endpointFor('tnt_one', { endpointId: id, createdAt: T0 + 9, updatedAt: T0 + 9 });
    await expect(store.insert(again, 10)).rejects.toMatchObject({ code: '50301' });
    await manager.remove('tnt_one', id);
    const left = await under.documents.get(endpoints, [id]);
    expect(left?.value).toMatchObject({ secret: '', formerSecret: null, headers: {}, metadata: {} });
    await expect(store.insert(again, 10)).rejects.toMatchObject({ code: '50301' });
    while (await purgeDeleted(under.documents, 10)) {}
    expect([await store.insert(again, 10), await store.get('tnt_one', id)]).toEqual([true, again]);
  });
});

test('a store keeps everything that a tenant or the platform sets', async () => {
  const full = endpointFor('tnt_one', {
    filter: { admin_status: ['Available for Pickup', 'Customs Clearance'], is_terminal: true, status: 3 },
    headers: { 'X-Api.Key$': 'a "b" ü' },
    metadata: { 'a.b': 'c', $d: '' },
    rateLimit: 20,
    status: 'paused',
    disabledReason: 'pause_expired',
    pausedAt: T0 + 1,
    disablingToPublish: T0 + 2,
    slowedUntil: T0 + 4,
    formerSecret: 'whsec_bbbb',
    formerSecretUntil: T0 + 5,
    failingSince: T0 + 6,
  });
  const { endpoints: store } = under.stores;
  await store.insert(full, 10);
  expect(await store.get('tnt_one', full.endpointId)).toEqual(full);
  const plain = { ...under.endpoint, endpointId: full.endpointId };
  await store.update('tnt_one', full.endpointId, () => plain);
  expect(await store.get('tnt_one', full.endpointId)).toEqual(plain);
});
