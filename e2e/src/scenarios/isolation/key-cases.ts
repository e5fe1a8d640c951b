import { expect } from '@jest/globals';
import type { KeyCreated, OwnAccess, TenantKey, TenantKeyList } from '@parcelway/contracts/key-api';
import { expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import type { Cases, Neighbours } from './neighbours.ts';

/** Keys of another tenant. */
export function keyCases({ owner, stranger, likeMissing }: Neighbours): Cases {
  const create = (): Promise<KeyCreated> => expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'of the owner' } });

  function onKey(id: string, body?: unknown): () => Promise<void> {
    const call = (key_id: string): RouteCall => ({ path: { key_id }, ...(body === undefined ? {} : { body }) });
    return async () => {
      const { key_id } = await create();
      const before = await expectRoute<TenantKey>(owner.client, 'getKey', { path: { key_id } });
      await likeMissing(id, call(key_id), call(`${key_id.slice(0, -6)}000000`), '40403');
      expect(await expectRoute(owner.client, 'getKey', { path: { key_id } })).toEqual(before);
    };
  }

  /** Route id → what is tried. */
  return {
    getOwnAccess: async () => {
      const { tenant, key } = await expectRoute<OwnAccess>(stranger.client, 'getOwnAccess');
      expect([tenant.id, key.key_id]).toEqual([stranger.identity.tenantId, stranger.identity.keyId]);
    },
    listKeys: async () => {
      const { key_id } = await create();
      const idsOf = async ({ client }: typeof owner) =>
        (await expectRoute<TenantKeyList>(client, 'listKeys')).keys.map((key: TenantKey) => key.key_id);
      expect(await idsOf(owner)).toContain(key_id);
      expect(await idsOf(stranger)).not.toContain(key_id);
    },
    createKey: async () => {
      const { key_id } = await expectRoute<KeyCreated>(stranger.client, 'createKey', { body: { description: 'of the stranger' } });
      await likeMissing('getKey', { path: { key_id } }, { path: { key_id: 'key_0' } }, '40403', owner.client);
    },
    getKey: onKey('getKey'),
    updateKey: onKey('updateKey', { description: 'taken over' }),
    rotateKey: onKey('rotateKey', {}),
    revokeKey: onKey('revokeKey'),
  };
}
