import { beforeEach, describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { sourceUps } from './source.ts';

const KNOWN = '1Z999AA10123456784';
const REFUSED = '1Z999AA10000000000';
const signal = AbortSignal.timeout(30_000);
const parcel = (trackingNumber: string): AskedParcel => ({ trackingNumber, dispatchedAt: 0, carrierCode: 'UPS', reference: null });
const errors = (code: string, message = 'x') => ({ response: { errors: [{ code, message }] } });

const vendor = new MockVendor(sourceUps, { client_id: 'ups-client', client_secret: 'ups-client-secret' });
const { sent } = vendor;
let token: unknown;
/** Status and body of the response to anything but a call for a token. */
let response: [status: number, body: unknown];
beforeEach(() => {
  token = { access_token: 't', expires_in: '14399' };
  vendor.respond = ({ line }) => (line.includes('oauth') ? [200, token] : response);
});

describe('a query', () => {
  test('is sent as UPS documents it, behind one call for a token', async () => {
    response = [404, errors('TW0001', 'Not Found')];
    expect(await vendor.client.query([parcel(' 1z999 aa10123456784'), parcel(KNOWN)], signal)).toEqual([
      { kind: 'no news' },
      { kind: 'no news' },
    ]);
    const [oauth, first, second] = sent;
    expect(oauth).toMatchObject({ line: 'POST /security/v1/oauth/token', text: 'grant_type=client_credentials' });
    const basic = Buffer.from('ups-client:ups-client-secret').toString('base64');
    expect(oauth?.headers).toMatchObject({ authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' });
    expect(first).toMatchObject({ line: `GET /api/track/v1/details/${KNOWN}?locale=en_US` });
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer t',
      transactionSrc: 'parcelway',
      transId: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(first?.headers['transId']).not.toBe(second?.headers['transId']);
  });

  test('of numbers that are none makes no call', async () => {
    const odd = ['../../security', '123456', ''].map(parcel);
    expect(new Set((await vendor.client.query(odd, signal)).map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    expect(sent).toEqual([]);
  });

  test.each<[number, unknown, string]>([
    [404, '', 'wrong response'],
    [404, errors('404', 'The requested resource was not found.'), 'wrong response'],
    [400, errors('VSS002', 'Missing transId'), 'wrong response'],
    [403, errors('1', 'Blocked Merchant'), 'access denied'],
    [429, errors('250003', 'Invalid Access'), 'access denied'],
    [429, errors('10429', 'Quota Limit Exceeded'), 'quota used up'],
    [200, errors('10429', 'Too Many Requests'), 'throttled'],
    [200, errors('10004', 'Something went wrong'), 'unavailable'],
    [200, { trackResponse: {} }, 'wrong response'],
  ])('that gets %i with %j is refused: %s', async (status, body, reason) => {
    response = [status, body];
    await expect(vendor.client.query([parcel(KNOWN)], signal)).rejects.toMatchObject({ reason });
  });
});

describe('a registration', () => {
  test('names the numbers that Track Alert takes, each once', async () => {
    response = [200, { validTrackingNumbers: [KNOWN] }];
    const results = await vendor.client.register([KNOWN, REFUSED, '92612901009900000123', KNOWN].map(parcel), signal);
    expect(results.map(({ kind }) => kind)).toEqual(['registered', 'rejected', 'rejected', 'registered']);
    const json = { locale: 'en_US', trackingNumberList: [KNOWN, REFUSED] };
    expect(sent[1]).toMatchObject({ line: 'POST /api/track/v2/subscription/standard/package', json });
    await expect(vendor.client.register([parcel(REFUSED)], signal)).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test('of rejected numbers alone is no refusal; of numbers that Track Alert does not take, and at its end, there is no call', async () => {
    response = [400, errors('VSS210')];
    expect(await vendor.client.register([parcel(REFUSED)], signal)).toMatchObject([
      { kind: 'rejected', reason: expect.stringContaining('VSS210') },
    ]);
    const before = sent.length;
    expect(await vendor.client.register([parcel('92612901009900000123')], signal)).toMatchObject([{ kind: 'rejected' }]);
    await vendor.client.unregister([parcel(KNOWN)], signal);
    expect(sent).toHaveLength(before);
  });
});

describe('a token', () => {
  test('is renewed by a call that gets 401, and a second 401 is the end', async () => {
    response = [401, errors('251004', 'expired')];
    await expect(vendor.client.query([parcel(KNOWN)], signal)).rejects.toMatchObject({ reason: 'access denied' });
    expect(sent.map(({ line }) => line.includes('oauth'))).toEqual([true, false, true, false]);
    expect(vendor.further).toBe(1);
  });

  test('is fetched by each test of the credentials', async () => {
    for (let time = 0; time < 2; time += 1) await vendor.client.test(signal);
    expect(sent).toHaveLength(2);
  });

  test.each([{}, { access_token: 'a b', expires_in: '9' }, { access_token: 't' }, { access_token: 't', expires_in: '-1' }, []])(
    'is not in %j',
    async (given) => {
      token = given;
      await expect(vendor.client.test(signal)).rejects.toMatchObject({ reason: 'wrong response' });
    },
  );
});
