import { expect } from '@jest/globals';
import { expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import type { Cases, Neighbours } from './neighbours.ts';

interface Connection {
  readonly connection_id: string;
}

/** Accounts with carriers of another tenant. */
export function connectionCases({ owner, stranger, likeMissing }: Neighbours): Cases {
  const connect = (carriers: readonly string[]): Promise<Connection> =>
    expectRoute<Connection>(owner.client, 'createConnection', {
      body: { source: 'dhl', carriers, credentials: { key: 'of-the-owner', push_token: 't' } },
    });

  function onConnection(id: string, body?: unknown): () => Promise<void> {
    const call = (connection_id: string): RouteCall => ({ path: { connection_id }, ...(body === undefined ? {} : { body }) });
    return async () => {
      const { connection_id } = await connect(['not-used']);
      const before = await expectRoute(owner.client, 'getConnection', { path: { connection_id } });
      await likeMissing(id, call(connection_id), call(`${connection_id.slice(0, -6)}000000`), '40403');
      expect(await expectRoute(owner.client, 'getConnection', { path: { connection_id } })).toEqual(before);
    };
  }

  /** Route id → what is tried. */
  return {
    listCarriers: async () => {
      await connect(['carrier-of-the-owner']);
      const carriersOf = async ({ client }: typeof owner) =>
        (await expectRoute<{ carriers: Array<{ carrier_code: string }> }>(client, 'listCarriers')).carriers.map((one) => one.carrier_code);
      expect(await carriersOf(owner)).toContain('carrier-of-the-owner');
      expect(await carriersOf(stranger)).not.toContain('carrier-of-the-owner');
    },
    createConnection: async () => {
      // The same account may be connected by both; neither learns of the other.
      const body = { source: 'dhl', carriers: ['not-used'], credentials: { key: 'of-the-owner', push_token: 't' } };
      const { connection_id } = await connect(['not-used']);
      const theirs = await expectRoute<Connection>(stranger.client, 'createConnection', { body });
      expect(theirs.connection_id).not.toBe(connection_id);
      await expectRoute(stranger.client, 'deleteConnection', { path: { connection_id: theirs.connection_id } });
      await expectRoute(owner.client, 'getConnection', { path: { connection_id } });
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
