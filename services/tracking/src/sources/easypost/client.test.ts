import { describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { sourceEasyPost } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcel: AskedParcel = { trackingNumber: '9400 1001/1036', dispatchedAt: 0, carrierCode: 'DHL-Express', reference: null };

const vendor = new MockVendor(sourceEasyPost, { key: 'EZAK-SECRET' });
const { sent } = vendor;

const tracker = (id: string, more: object = {}) => ({
  id,
  object: 'Tracker',
  tracking_code: parcel.trackingNumber,
  tracking_details: [],
  ...more,
});
const error = (code: string) => ({ error: { code, message: 'Not with EZAK-SECRET.', errors: [] } });

describe('what is sent', () => {
  // Computed with base64 of coreutils from the text `EZAK-SECRET:`.
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', authorization: 'Basic RVpBSy1TRUNSRVQ6' };

  test('for a registration: a carrier that is in the table, and no other', async () => {
    vendor.respond = () => [201, tracker('trk_1')];
    expect(await vendor.client.register([parcel], signal)).toEqual([{ kind: 'registered', reference: 'trk_1' }]);
    await vendor.client.register([{ ...parcel, carrierCode: 'yunexpress' }], signal);
    expect(sent[0]).toMatchObject({ line: 'POST /v2/trackers', headers: { ...headers, 'content-type': 'application/json' } });
    expect(sent.map(({ json }) => json)).toEqual([
      { tracker: { tracking_code: '9400 1001/1036', carrier: 'DHLExpress' } },
      { tracker: { tracking_code: '9400 1001/1036' } },
    ]);
  });

  test('for a query by id or by number, to undo a registration, and to test the credentials', async () => {
    vendor.respond = () => [200, { ...tracker('trk_1'), trackers: [] }];
    await vendor.client.query([{ ...parcel, reference: 'trk_1' }, parcel, { ...parcel, reference: '../x' }], signal);
    await vendor.client.unregister([{ ...parcel, reference: 'trk_1' }, parcel, { ...parcel, reference: 'trk_/../x' }], signal);
    await vendor.client.test(signal);
    const byNumber = '/v2/trackers?tracking_code=9400+1001%2F1036&page_size=100';
    expect(sent.map(({ line }) => line)).toEqual([
      'GET /v2/trackers/trk_1',
      `GET ${byNumber}`,
      `GET ${byNumber}`,
      'DELETE /v2/trackers/trk_1',
      'GET /v2/trackers?page_size=1',
    ]);
    for (const call of sent) expect(call.headers).toEqual(headers);
    expect(vendor.further).toBe(2);
  });
});

test('of several Trackers the one of the carrier counts, then the one with the newest row', async () => {
  const row = (datetime: unknown) => ({ tracking_details: [{ datetime }, null] });
  const old = tracker('trk_1', { carrier: 'USPS', ...row('2025-01-01T00:00:00Z') });
  const next = tracker('trk_2', { carrier: 'UPS', ...row('2026-01-01T00:00:00Z') });
  const own = tracker('trk_3', { carrier: 'DHLExpress', ...row(5) });
  const other = { ...tracker('trk_4', row('2026-11-01T00:00:00Z')), tracking_code: '1' };
  for (const [trackers, result] of [
    [[other, old, next, own, null, { id: 'x' }], { kind: 'trace', raw: own }],
    [[other, old, next, old], { kind: 'trace', raw: next }],
    [[other], { kind: 'not registered' }],
  ]) {
    vendor.respond = () => [200, { trackers }];
    expect(await vendor.client.query([parcel], signal)).toEqual([result]);
  }
});

test('a Tracker that is gone is not registered, and its end is no error', async () => {
  vendor.respond = () => [404, {}];
  const known = { ...parcel, reference: 'trk_1' };
  expect(await vendor.client.query([known], signal)).toEqual([{ kind: 'not registered' }]);
  await vendor.client.unregister([known], signal);
});

test.each([
  [422, 'BILLING.INVALID_PAYMENT_GATEWAY_REFERENCE', 'quota used up'],
  [422, 'APIKEY.INACTIVE', 'access denied'],
  [400, 'RATE_LIMITED', 'throttled'],
  [401, 'X', 'access denied'],
  [409, 'X', 'unavailable'],
  [500, 'APIKEY.INACTIVE', 'unavailable'],
])('%d %s refuses the call: %s', async (status, code, reason) => {
  vendor.respond = () => [status, error(code)];
  const refused = await vendor.client.register([parcel], signal).catch((cause: unknown) => cause as Error);
  expect(refused).toMatchObject({ name: 'SourceRefusal', reason, message: expect.not.stringContaining('EZAK-SECRET') });
});

test('words of EasyPost that hold the key do not go into a reason', async () => {
  vendor.respond = () => [422, error('UNPROCESSABLE_ENTITY')];
  for (const call of [vendor.client.register([parcel], signal), vendor.client.query([parcel], signal)])
    expect(await call).toEqual([{ kind: 'rejected', reason: 'UNPROCESSABLE_ENTITY: Not with ….' }]);
});

test.each([{ id: 'trk_1' }, { id: 'x', tracking_code: '1' }, { trackers: 5 }, tracker('trk_1', { tracking_details: {} })])(
  '%j is no Tracker',
  async (json) => {
    vendor.respond = () => [200, json];
    for (const call of [
      vendor.client.register([parcel], signal),
      vendor.client.query([{ ...parcel, reference: 'trk_1' }], signal),
      vendor.client.test(signal),
    ])
      await expect(call).rejects.toMatchObject({ reason: 'wrong response' });
  },
);
