import { describe, expect, test } from '@jest/globals';
import { standardEventTypes } from '@parcelway/contracts/webhook-event-types';
import { ManualClock } from '@parcelway/kernel/clock';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { createEndpointManager } from './manage-endpoints.ts';

const URL = 'https://receiver.example/';
const refusal = { field: 'url', rule: 'address', message: 'no' };

/** The management of one endpoint, `ep_1`, in a store that keeps it in memory. */
function world({ isFull = false } = {}) {
  let stored: Endpoint | undefined = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const inserted: [Endpoint, number][] = [];
  const notified: unknown[] = [];
  const is = (tenantId: string, id: string): boolean => stored?.tenantId === tenantId && stored.endpointId === id;
  const manager = createEndpointManager({
    endpoints: {
      async insert(endpoint, max) {
        inserted.push([endpoint, max]);
        return !isFull;
      },
      list: async () => (stored ? [stored] : []),
      get: async (tenantId, id) => (is(tenantId, id) ? stored : undefined),
      present: async () => [],
      async update(tenantId, id, change) {
        if (!stored || !is(tenantId, id)) return undefined;
        stored = change(stored);
        return stored;
      },
      async remove(tenantId, id) {
        if (!is(tenantId, id)) return false;
        stored = undefined;
        return true;
      },
    },
    guard: { refusalOf: async (url) => (url.includes('private') ? refusal : undefined) },
    runner: {
      endpointChanged: ({ endpointId, status }) => void notified.push(['changed', endpointId, status]),
      endpointRemoved: (endpointId) => void notified.push(['removed', endpointId]),
    },
    clock: new ManualClock(T0 + 1000),
    onMaintenanceNeeded: () => void notified.push('maintenance'),
  });
  return { manager, inserted, notified };
}

const missing = { code: '40403', message: 'The endpoint does not exist' };

describe('a new endpoint', () => {
  test('gets the standard events, default settings and a new secret', async () => {
    const { manager, inserted } = world();
    const endpoint = await manager.create('tnt_one', { url: URL });
    const made = { endpointId: expect.stringMatching(/^ep_/), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) } as object;
    const times = { createdAt: T0 + 1000, updatedAt: T0 + 1000 };
    expect(endpoint).toEqual(endpointFor('tnt_one', { url: URL, eventTypes: standardEventTypes, description: '', ...times, ...made }));
    expect(inserted).toEqual([[endpoint, 10]]);
    expect((await manager.create('tnt_one', { url: URL })).secret).not.toBe(endpoint.secret);
  });

  test('is refused when the tenant has as many as it may', async () => {
    await expect(world({ isFull: true }).manager.create('tnt_one', { url: URL })).rejects.toMatchObject({
      code: '40902',
      message: 'A tenant has at most 10 endpoints; delete one first',
    });
  });

  test('is refused for its URL and its headers at once, and not stored', async () => {
    const { manager, inserted } = world();
    const headers = { 'webhook-id': '1' };
    await expect(manager.create('tnt_one', { url: 'https://private.example/', headers })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [refusal, expect.objectContaining({ field: expect.stringContaining('headers') })] },
    });
    await expect(manager.create('tnt_one', { url: URL, headers })).rejects.toMatchObject({ code: '42201' });
    expect(inserted).toEqual([]);
  });
});

describe('a change', () => {
  test('notifies the dispatcher; no delivery is to be held', async () => {
    const { manager, notified } = world();
    const changed = await manager.update('tnt_one', 'ep_1', { description: 'new' });
    expect(changed).toMatchObject({ description: 'new', updatedAt: T0 + 1000 });
    expect(notified).toEqual([['changed', 'ep_1', 'enabled']]);
  });

  test('that disables starts the maintenance, which holds what is pending', async () => {
    const { manager, notified } = world();
    await manager.update('tnt_one', 'ep_1', { status: 'disabled' });
    expect(notified).toEqual([['changed', 'ep_1', 'disabled'], 'maintenance']);
  });

  test('is refused for a URL that is not allowed, and changes nothing', async () => {
    const { manager, notified } = world();
    await expect(manager.update('tnt_one', 'ep_1', { url: 'https://private.example/' })).rejects.toMatchObject({ code: '42201' });
    expect(notified).toEqual([]);
    expect((await manager.get('tnt_one', 'ep_1')).url).toBe(URL);
  });

  test("of another tenant's endpoint says that there is none, whatever else is wrong", async () => {
    const { manager } = world();
    await expect(manager.update('tnt_two', 'ep_1', { url: 'https://private.example/' })).rejects.toMatchObject(missing);
    await expect(manager.get('tnt_two', 'ep_1')).rejects.toMatchObject(missing);
    await expect(manager.rotateSecret('tnt_two', 'ep_1', false)).rejects.toMatchObject(missing);
  });

  test('of the secret keeps the former one for a while, or ends it', async () => {
    const { manager, notified } = world();
    const rotated = await manager.rotateSecret('tnt_one', 'ep_1', false);
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_.{44}$/), formerSecret: 'whsec_a' });
    const ended = await manager.rotateSecret('tnt_one', 'ep_1', true);
    expect(ended.formerSecret).toBeNull();
    expect(ended.secret).not.toBe(rotated.secret);
    expect(notified).toHaveLength(2);
  });
});

test('a removal stops what runs and starts the maintenance; the second finds nothing', async () => {
  const { manager, notified } = world();
  await manager.remove('tnt_one', 'ep_1');
  expect(notified).toEqual([['removed', 'ep_1'], 'maintenance']);
  await expect(manager.remove('tnt_one', 'ep_1')).rejects.toMatchObject(missing);
  expect(notified).toHaveLength(2);
  expect(await manager.list('tnt_one')).toEqual([]);
});
