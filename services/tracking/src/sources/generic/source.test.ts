import { describe, expect, test } from '@jest/globals';
import { askedParcel, type MockResponse, MockVendor, OWN_ADDRESS } from '../../testing/mock-vendor.ts';
import { MAX_NODES } from '../../watch/domain/node.ts';
import type { Credentials } from '../source.ts';
import { sourceGeneric } from './source.ts';

const good = { status: 'Departed', create_time: '2026-11-21 10:00:00', times: '(GMT+08:00)' };
const parcel = askedParcel('A/B 1');
const translate = (raw: unknown) => sourceGeneric.translate(raw, parcel);

describe('a query', () => {
  const query = async (response: MockResponse, more: Credentials = {}) => {
    const url = `${OWN_ADDRESS}/track/{tracking_number}?lang=en`;
    const vendor = new MockVendor(sourceGeneric, [response], undefined, { url, ...more });
    const [result] = await sourceGeneric.query(vendor.run, [parcel]).finally(() => vendor.close());
    return { result, sent: vendor.sent };
  };

  test('asks for the number in its place, with the token', async () => {
    for (const token of ['secret-token', undefined]) {
      const { result, sent } = await query([200, { nodes: [] }], token === undefined ? {} : { token });
      expect(result).toEqual({ kind: 'trace', raw: { nodes: [] } });
      expect(sent).toMatchObject([{ line: 'GET /track/A%2FB%201?lang=en' }]);
      expect(sent[0]?.headers['authorization']).toBe(token && 'Bearer secret-token');
    }
  });

  test('of a number that is not known yet has no news; a missing page means a wrong address', async () => {
    expect((await query([404, { error: 'not found' }])).result).toEqual({ kind: 'no news' });
    for (const response of [
      [404, '<html>No such page</html>'],
      [500, '{"nodes":[]}'],
      [302, '{"nodes":[]}'],
    ] as const)
      await expect(query(response, { token: 'secret-token' })).rejects.toMatchObject({
        name: 'SourceRefusal',
        message: expect.not.stringContaining('secret-token'),
      });
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
