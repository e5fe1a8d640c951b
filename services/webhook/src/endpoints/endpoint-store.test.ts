import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WebhookStores } from '../ports.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { endpointFor, keep, T0 } from '../testing/webhook-fixtures.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { endpoints } from './endpoints-collection.ts';

const under = useStores();

describe('endpoints', () => {
  let stores: WebhookStores;
  let endpoint: Endpoint;
  beforeEach(() => {
    ({ stores, endpoint } = under);
  });

  test('come back as they were written, to their tenant alone', async () => {
    expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toEqual(endpoint);
    expect(await stores.endpoints.list('tnt_one')).toEqual([endpoint]);
    expect(await stores.endpoints.get('tnt_two', endpoint.endpointId)).toBeUndefined();
    expect(await stores.endpoints.list('tnt_two')).toEqual([]);
    expect(await stores.endpoints.update('tnt_two', endpoint.endpointId, keep)).toBeUndefined();
    expect(await stores.endpoints.remove('tnt_two', endpoint.endpointId)).toBe(false);
  });

  test('keep everything that a tenant or the platform sets', async () => {
    const full = endpointFor('tnt_one', {
      filter: { admin_status: ['Available for Pickup', 'Customs Clearance'], is_terminal: true, status: 3 },
      headers: { 'X-Api.Key$': 'a "b" ü' },
      metadata: { 'a.b': 'c', $d: '' },
      rateLimit: 20,
      status: 'paused',
      disabledReason: 'pause_expired',
      pausedAt: T0 + 1,
      disablingToPublish: T0 + 2,
      circuit: { openUntil: T0 + 3, cooldownMs: 4000 },
      slowedUntil: T0 + 4,
      formerSecret: 'whsec_b',
      formerSecretUntil: T0 + 5,
      failingSince: T0 + 6,
    });
    await stores.endpoints.insert(full, 10);
    expect(await stores.endpoints.get('tnt_one', full.endpointId)).toEqual(full);
    const plain = { ...endpoint, endpointId: full.endpointId };
    await stores.endpoints.update('tnt_one', full.endpointId, () => plain);
    expect(await stores.endpoints.get('tnt_one', full.endpointId)).toEqual(plain);
  });

  test('are never more than allowed, however many come at once', async () => {
    const tries = Array.from({ length: 8 }, () => stores.endpoints.insert(endpointFor('tnt_two'), 3));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3);
    expect(await stores.endpoints.list('tnt_two')).toHaveLength(3);
  });

  test('have an id of their own; one that is removed gives it free with its last delivery', async () => {
    const { endpointId } = endpoint;
    const again = endpointFor('tnt_one', { endpointId, createdAt: T0 + 9, updatedAt: T0 + 9 });
    await expect(stores.endpoints.insert(again, 10)).rejects.toMatchObject({ code: '50301' });
    await stores.endpoints.remove('tnt_one', endpointId);
    await expect(stores.endpoints.insert(again, 10)).rejects.toMatchObject({ code: '50301' });
    while (await stores.maintenance.purgeDeleted(10)) {}
    expect(await stores.endpoints.insert(again, 10)).toBe(true);
    expect(await stores.endpoints.get('tnt_one', endpointId)).toEqual(again);
  });

  test('that are removed keep no secret while their deliveries are left', async () => {
    const headers = { authorization: 'Bearer secret' };
    const other = endpointFor('tnt_one', { headers, metadata: { owner: 'somebody' } });
    await stores.endpoints.insert(other, 10);
    await stores.endpoints.remove('tnt_one', other.endpointId);
    const left = await under.documents.get(endpoints, [other.endpointId]);
    expect(left?.value).toMatchObject({ secret: '', formerSecret: null, headers: {}, metadata: {} });
  });

  test('changes at once do not undo each other', async () => {
    const append = (text: string) => (one: Endpoint) => ({ ...one, description: `${one.description}${text}` });
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => stores.endpoints.update('tnt_one', endpoint.endpointId, append(text))));
    const { description } = (await stores.endpoints.get('tnt_one', endpoint.endpointId)) as Endpoint;
    expect([...description].sort().join('')).toBe('abcdü');
  });
});
