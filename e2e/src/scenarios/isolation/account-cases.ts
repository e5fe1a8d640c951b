import { expect } from '@jest/globals';
import type { AuditLog, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyCreated, OwnAccess, TenantKeyList } from '@parcelway/contracts/key-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import type { Cases, Neighbours, Paths } from './neighbours.ts';

interface Connection {
  readonly connection_id: string;
}

/** Keys of another tenant, what they did, sessions and links to the console, and accounts with carriers. */
export function accountCases({ stage, owner, owned, stranger, likeMissing, outOfReach }: Neighbours): Cases {
  type Client = typeof owner;
  const createKey = (): Promise<KeyCreated> =>
    expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'of the owner' } });
  const aKey: Paths = async () => {
    const { key_id } = await createKey();
    return [{ key_id }, { key_id: `${key_id.slice(0, -6)}000000` }];
  };
  const credentials = { key: 'of-the-owner', push_token: 't' };
  const connect = (carriers: readonly string[], { client }: Client = owner): Promise<Connection> =>
    expectRoute<Connection>(client, 'createConnection', { body: { source: 'dhl', carriers, credentials } });
  const aConnection: Paths = async () => {
    const { connection_id } = await connect(['not-used']);
    return [{ connection_id }, { connection_id: `${connection_id.slice(0, -6)}000000` }];
  };
  const onKey = (id: string, body?: unknown) => outOfReach(id, 'getKey', aKey, body);
  const onConnection = (id: string, body?: unknown) => outOfReach(id, 'getConnection', aConnection, body);

  /** What belongs to another tenant is as far away from a session as from the key that it acts for. */
  async function opensNothingOfTheOwner(client: ApiClient): Promise<void> {
    expect((await expectRoute<OwnAccess>(client, 'getOwnAccess')).tenant.id).toBe(stranger.identity.tenantId);
    await likeMissing('getForecast', { path: { po_number: owned.po_number } }, { path: { po_number: 'none' } }, '40401', client);
  }

  return {
    getOwnAccess: async () => {
      const { tenant, key } = await expectRoute<OwnAccess>(stranger.client, 'getOwnAccess');
      expect([tenant.id, key.key_id]).toEqual([stranger.identity.tenantId, stranger.identity.keyId]);
    },
    listKeys: async () => {
      const { key_id } = await createKey();
      const idsOf = async ({ client }: Client) => (await expectRoute<TenantKeyList>(client, 'listKeys')).keys.map((key) => key.key_id);
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
    listAuditLog: async () => {
      const { key_id } = await createKey();
      const idsOf = async ({ client }: Client) =>
        (await expectRoute<AuditLog>(client, 'listAuditLog')).entries.map(({ resource }) => resource.id);
      await until(async () => (await idsOf(owner)).includes(key_id), { what: 'the entry' });
      expect(await idsOf(stranger)).not.toContain(key_id);
    },
    listFailedCalls: async () => {
      const requestId = `isolated-${Date.now()}`;
      const { status } = await owner.client.call('/open/v1/forecasts/NONE', { headers: { 'x-request-id': requestId } });
      expect(status).toBe(404);
      const found = async ({ client }: Client) =>
        (await expectRoute<FailedCallList>(client, 'listFailedCalls', { query: { request_id: requestId } })).requests.length;
      await until(async () => (await found(owner)) === 1, { what: 'the call' });
      expect(await found(stranger)).toBe(0);
    },
    getUsage: async () => {
      // More than all that the other cases upload.
      const large = samplePdf('x'.repeat(500_000));
      const bytesOf = async ({ client }: Client) => (await expectRoute<Usage>(client, 'getUsage')).total.stored_bytes;
      const before = await bytesOf(stranger);
      expect((await owner.upload('large.pdf', large)).code).toBe('0');
      await until(async () => (await bytesOf(owner)) >= large.length, { within: 15_000, everyMs: 500, what: 'the usage' });
      expect((await bytesOf(stranger)) - before).toBeLessThan(large.length);
    },
    createConsoleSession: async () => {
      const { token } = await expectRoute<ConsoleSession>(stranger.client, 'createConsoleSession');
      const client = stage.platform.client(token);
      await opensNothingOfTheOwner(client);
      const { key_id } = await createKey();
      await likeMissing('getKey', { path: { key_id } }, { path: { key_id: 'key_0' } }, '40403', client);
    },
    createConsoleLink: async () => {
      const scopes = ['forecasts:write', 'weighing:read'] as const;
      const link = await expectRoute<ConsoleLink>(stranger.client, 'createConsoleLink', { body: { scopes } });
      expect(link.key_id).toBe(stranger.identity.keyId);
      await opensNothingOfTheOwner(stage.platform.client(link.url.split('#link=')[1] ?? ''));
    },
    listCarriers: async () => {
      await connect(['carrier-of-the-owner']);
      const carriersOf = async ({ client }: Client) =>
        (await expectRoute<{ carriers: Array<{ carrier_code: string }> }>(client, 'listCarriers')).carriers.map((one) => one.carrier_code);
      expect(await carriersOf(owner)).toContain('carrier-of-the-owner');
      expect(await carriersOf(stranger)).not.toContain('carrier-of-the-owner');
    },
    createConnection: async () => {
      // The same account may be connected by both; neither learns of the other.
      const [mine, theirs] = [await connect(['not-used']), await connect(['not-used'], stranger)];
      expect(theirs.connection_id).not.toBe(mine.connection_id);
      await expectRoute(stranger.client, 'deleteConnection', { path: { connection_id: theirs.connection_id } });
      await expectRoute(owner.client, 'getConnection', { path: { connection_id: mine.connection_id } });
    },
    listConnections: async () => {
      await connect(['not-used']);
      expect(await expectRoute(stranger.client, 'listConnections')).toEqual({ connections: [] });
    },
    getConnection: onConnection('getConnection'),
    updateConnection: onConnection('updateConnection', { carriers: ['*'] }),
    deleteConnection: onConnection('deleteConnection'),
    testConnection: onConnection('testConnection'),
  };
}
