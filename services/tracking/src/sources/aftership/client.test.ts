import { describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { sourceAfterShip } from './source.ts';

const KNOWN = 'YT2631200700012345';
const signal = AbortSignal.timeout(30_000);
const parcel = (trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel => ({
  trackingNumber,
  dispatchedAt: Date.parse('2026-11-20T00:00:00Z'),
  carrierCode: 'YunExpress',
  reference: null,
  ...more,
});
const page = (trackings: unknown[], next_cursor: string | null = null) => ({
  meta: { code: 200 },
  data: { trackings, pagination: { next_cursor } },
});
const created = { meta: { code: 201 }, data: { id: 't1' } };
const error = (code: number) => ({ meta: { code, type: 'BadRequest' }, data: {} });

const vendor = new MockVendor(sourceAfterShip, { key: 'KEY' });
const { sent } = vendor;

describe('a registration', () => {
  test('holds what helps the carrier, and no slug that is unknown', async () => {
    vendor.respond = () => [201, created];
    const more = { carrierCode: 'yun_express', destinationCountry: 'US', destinationPostcode: '37209', shipDate: '2026-11-20' };
    await vendor.client.register([parcel(KNOWN, more), parcel('x-1.2/3', { carrierCode: 'nobody', destinationCountry: 'XX' })], signal);
    expect(sent[0]).toMatchObject({
      line: 'POST /tracking/2026-07/trackings',
      headers: { 'as-api-key': 'KEY', 'content-type': 'application/json' },
    });
    const help = { destination_country_region: 'USA', destination_postal_code: '37209', tracking_ship_date: '2026-11-20' };
    expect(sent.map(({ json }) => json)).toEqual([{ tracking_number: KNOWN, slug: 'yunexpress', ...help }, { tracking_number: 'X-1.2/3' }]);
  });

  test('leaves out a slug that AfterShip no longer has', async () => {
    vendor.respond = () => [400, error(4010)];
    expect(await vendor.client.register([parcel(KNOWN)], signal)).toMatchObject([{ kind: 'rejected' }]);
    expect(sent.map(({ json }) => json)).toEqual([{ tracking_number: KNOWN, slug: 'yunexpress' }, { tracking_number: KNOWN }]);
    expect(vendor.further).toBe(1);
  });

  test.each<[number, unknown, object]>([
    [201, created, { kind: 'registered', reference: 't1' }],
    // Another program of the account may have made it: it is not ours to delete.
    [400, error(4003), { kind: 'registered', reference: null }],
    [400, error(4012), { kind: 'rejected', reason: expect.stringContaining('4012') }],
  ])('%d %j', async (status, body, result) => {
    vendor.respond = () => [status, body];
    expect(await vendor.client.register([parcel(KNOWN)], signal)).toEqual([result]);
  });

  test('is ended by its reference alone; one that is gone is no error', async () => {
    vendor.respond = () => [404, error(4004)];
    await vendor.client.unregister([parcel(KNOWN), parcel(KNOWN, { reference: 'a/b' })], signal);
    expect(sent).toMatchObject([{ line: 'DELETE /tracking/2026-07/trackings/a%2Fb' }]);
  });
});

describe('a query', () => {
  test('of numbers that are none makes no call', async () => {
    for (const results of [
      await vendor.client.register([parcel('a,b'), parcel('123')], signal),
      await vendor.client.query([parcel('a b')], signal),
    ])
      expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    expect(sent).toEqual([]);
  });

  test('follows the pages to an end, and concludes nothing from a list that is cut', async () => {
    const row = {
      tracking_number: KNOWN.toLowerCase(),
      id: 't1',
      checkpoints: [{ message: 'Scan', checkpoint_time: '2026-11-21T08:00:00Z' }],
    };
    vendor.respond = ({ line }) => [200, page(line.includes('cursor=c') ? [row] : [], line.includes('X') ? 'c' : null)];
    expect((await vendor.client.query([parcel(KNOWN)], signal))[0]).toEqual({ kind: 'not registered' });
    const results = await vendor.client.query([parcel(KNOWN), parcel('x-12')], signal);
    expect(results).toMatchObject([{ kind: 'trace', raw: { id: 't1' } }, { kind: 'no news' }]);
    // Of the second query alone: the first has one page.
    expect([sent.length, vendor.further]).toEqual([4, 2]);
    expect(sent[0]).toMatchObject({ line: `GET /tracking/2026-07/trackings?tracking_numbers=${KNOWN}&limit=200` });
  });

  test('finds an entry that is none: it costs no other, and nothing is concluded', async () => {
    vendor.respond = () => [200, page([null, 5, { tracking_number: 'YT2631200700099999' }])];
    const results = await vendor.client.query([parcel(KNOWN), parcel('YT2631200700099999')], signal);
    expect(results).toMatchObject([{ kind: 'no news' }, { kind: 'trace' }]);
  });
});

test.each<[number, unknown, Record<string, string>, object]>([
  [200, error(403), {}, { reason: 'access denied' }],
  [429, {}, { 'x-ratelimit-reset': '1' }, { reason: 'throttled', retryAfterMs: 1000 }],
  [429, {}, { 'x-ratelimit-reset': '99999999999' }, { reason: 'throttled', retryAfterMs: 60_000 }],
  [404, {}, {}, { reason: 'wrong response' }],
])('%d %j %j refuses the call: %j', async (status, body, headers, refusal) => {
  vendor.respond = () => [status, body, headers];
  for (const call of [vendor.client.query([parcel(KNOWN)], signal), vendor.client.test(signal)])
    await expect(call).rejects.toMatchObject(refusal);
});
