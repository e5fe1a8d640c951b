import { beforeEach, describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { sourceDhl } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcelOf = (trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel => ({
  trackingNumber,
  dispatchedAt: 0,
  carrierCode: 'dhl',
  reference: null,
  ...more,
});

const vendor = new MockVendor(sourceDhl, { key: 'secret-key' });
const { sent } = vendor;
let response: [status: number, body: string];
beforeEach(() => {
  response = [200, '{"shipments":[]}'];
  vendor.respond = () => response;
});

describe('what is sent', () => {
  test('one number, in English, with the postcode where it is known, and the key in a header', async () => {
    expect(await vendor.client.query([parcelOf('JD 01&x=1', { destinationPostcode: '81-001' })], signal)).toEqual([{ kind: 'no news' }]);
    await vendor.client.test(signal);
    expect(sent.map(({ line }) => line)).toEqual([
      'GET /track/shipments?trackingNumber=JD+01%26x%3D1&language=en&recipientPostalCode=81-001',
      'GET /track/shipments?trackingNumber=7777777770&language=en',
    ]);
    expect(sent[0]?.headers).toEqual({ 'DHL-API-Key': 'secret-key', accept: 'application/json', 'accept-encoding': 'identity' });
  });

  test("the division in DHL's own words alone", async () => {
    await vendor.client.query(
      ['express', 'Express worldwide'].map((carrierService) => parcelOf('JD1', { carrierService })),
      signal,
    );
    expect(sent.map(({ line }) => line.includes('service=express'))).toEqual([true, false]);
  });

  test('nothing for a registration and its end', async () => {
    const parcels = [parcelOf('1'), parcelOf('2')];
    expect(await vendor.client.register(parcels, signal)).toEqual(parcels.map(() => ({ kind: 'registered', reference: null })));
    await vendor.client.unregister(parcels, signal);
    expect(sent).toEqual([]);
  });
});

const problem = (status: number, title: string): string => JSON.stringify({ status, title });

test.each<[number, string, object]>([
  [404, problem(404, 'No result found'), { kind: 'no news' }],
  [400, problem(400, 'Bad Request'), { kind: 'rejected', reason: '400, Bad Request' }],
  [200, problem(400, 'The key secret-key is bad'), { kind: 'rejected', reason: '400, The key … is bad' }],
])('%d %s is of the number', async (status, body, result) => {
  response = [status, body];
  expect(await vendor.client.query([parcelOf('1')], signal)).toEqual([result]);
});

test.each<[number, string, string]>([
  [404, '', 'wrong response'],
  [400, '', 'wrong response'],
  [302, '', 'wrong response'],
  [402, '', 'quota used up'],
  [200, '{"shipment":{}}', 'wrong response'],
  [200, problem(401, 'The key secret-key is bad'), 'access denied'],
  [200, problem(429, 'Too Many Requests'), 'throttled'],
])('%d %s refuses the call: %s', async (status, body, reason) => {
  response = [status, body];
  for (const call of [vendor.client.query([parcelOf('1')], signal), vendor.client.test(signal)])
    await expect(call).rejects.toMatchObject({ reason, message: expect.not.stringContaining('secret-key') });
});

describe('the activation of a subscription', () => {
  const asks = { scope: 'subscription.validate', self: 'https://evil.example/subscription/5d9f6a1e', secret: 'k3yOfTheHook' };
  const confirm = async (body: object): Promise<void> => {
    const call = sourceDhl.pushes?.confirmation?.(Buffer.from(JSON.stringify(body)));
    await call?.(vendor.options, signal);
  };

  test.each([200, 204])(
    'goes to DHL with the secret, whatever address the push names (%d), and to nobody for another push',
    async (status) => {
      response = [status, ''];
      await confirm(asks);
      await confirm({ ...asks, scope: 'subscription.ready' });
      expect(sent.map(({ line }) => line)).toEqual(['POST /tracking/push/v1/subscription/5d9f6a1e']);
      expect(sent[0]?.headers).toMatchObject({ 'DHL-API-Key': 'secret-key', 'DHL-API-Hook-Secret': 'k3yOfTheHook' });
    },
  );

  test.each([
    [401, 'access denied'],
    [404, 'wrong response'],
    [429, 'throttled'],
    [500, 'unavailable'],
  ])('that gets %d is %s, and its message shows neither key nor secret', async (status, reason) => {
    response = [status, '{}'];
    const error = await confirm(asks).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ reason });
    expect(String(error)).not.toMatch(/secret-key|k3yOfTheHook/);
  });
});
