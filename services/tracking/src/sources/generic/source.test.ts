import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../../testing/carrier-server.ts';
import { MAX_NODES } from '../../watch/domain/node.ts';
import type { Credentials, QueryResult } from '../source.ts';
import { sourceGeneric } from './source.ts';

const good = { status: 'Departed', create_time: '2026-11-21 10:00:00', times: '(GMT+08:00)' };
const parcel = { trackingNumber: 'A/B 1', dispatchedAt: 0, carrierCode: 'own', reference: null };
const translate = (raw: unknown) => sourceGeneric.translate(raw, parcel);

describe('a query', () => {
  let carrier: CarrierServer;
  let dispatcher: Agent;
  beforeEach(async () => {
    carrier = await startCarrier();
    dispatcher = new Agent();
  });
  afterEach(async () => {
    await dispatcher.destroy();
    await carrier.close();
  });
  const query = async (more: Credentials = {}): Promise<QueryResult | undefined> => {
    const client = sourceGeneric.connect({ baseUrl: '', credentials: { url: carrier.url, ...more }, dispatcher });
    return (await client.query([parcel], AbortSignal.timeout(10_000)))[0];
  };

  test('asks for the number in its place, with the token', async () => {
    expect(await query({ token: 'secret-token' })).toEqual({ kind: 'trace', raw: { nodes: [] } });
    await query();
    expect(carrier.requests.map(({ url }) => url)).toEqual(Array(2).fill('/track/A%2FB%201?lang=en'));
    expect(carrier.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token', undefined]);
  });

  test('of a number that is not known yet has no news; a missing page means a wrong address', async () => {
    carrier.respondWith((_req, res) => res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}'));
    expect(await query()).toEqual({ kind: 'no news' });
    for (const [status, body] of [
      [404, '<html>No such page</html>'],
      [500, '{"nodes":[]}'],
      [302, '{"nodes":[]}'],
    ] as const) {
      carrier.respondWith((_req, res) => res.writeHead(status).end(body));
      await expect(query()).rejects.toMatchObject({ name: 'SourceRefusal', message: expect.not.stringContaining('secret-token') });
    }
  });

  test.each(['', 'https://carrier.example/', 'ftp://carrier.example/{tracking_number}', 'https://{tracking_number}', 'x y'])(
    'of the address %j is not made',
    (url) => {
      expect(sourceGeneric.faultOf?.({ url })).toMatchObject({ field: 'credentials.url', message: expect.not.stringContaining('example') });
      expect(sourceGeneric.faultOf?.({ url: 'https://carrier.example/{tracking_number}' })).toBeUndefined();
    },
  );
});

describe('the nodes', () => {
  test('are cleaned, and have an unknown status named', () => {
    const said = { ...good, order_no: 'O1', address: 'Hong\u0007Kong', content: ' Departed\nhub ' };
    const { nodes, unknownCodes } = translate({ nodes: [said, { ...good, status: 'Teleported' }], more: 'is ignored' });
    expect(nodes).toMatchObject([
      { orderNo: 'O1', address: 'Hong Kong', content: 'Departed hub', status: 'Departed', adminStatus: 'In Transit' },
      { orderNo: 'A/B 1', address: '', status: 'Teleported', adminStatus: 'In Transit', zoneBasis: 'given' },
    ]);
    expect(unknownCodes).toEqual(['Teleported']);
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['nodes that are none', { nodes: [{ status: 7 }] }],
    ['a node without a status', { nodes: [{ ...good, status: '' }] }],
    ['a node with a date that does not exist', { nodes: [good, { ...good, create_time: '2026-02-30 10:00:00' }] }],
    ['a node with a zone that does not exist', { nodes: [{ ...good, times: '(GMT+99:00)' }] }],
    ['too many nodes', { nodes: Array.from({ length: MAX_NODES + 1 }, () => good) }],
    ['a text that is too long', { nodes: [{ ...good, content: 'x'.repeat(2001) }] }],
  ])('are believed as a whole or not at all: %s', (_what, raw) => {
    expect(() => translate(raw)).toThrow('The response');
  });
});
