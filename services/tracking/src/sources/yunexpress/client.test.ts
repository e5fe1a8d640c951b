import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { signYunExpressCall } from './client.ts';
import { sourceYunExpress } from './source.ts';

// The tests of the client's calls cover signed bodies.
test('a vector that another tool computed; neither an empty body nor a query is signed', () => {
  const credentials = { token: 'token-1', appSecret: 'app-secret' };
  const signed = { token: 'token-1', date: '1794873600000', sign: 'G9b5C0viIbfZdrBwTE28U/0ZhtvNjxdIl9rBOb7E1CI=' };
  const [method, uri] = ['GET', '/v1/track-service/info/get'] as const;
  expect(signYunExpressCall({ method, uri }, credentials, 1_794_873_600_000)).toEqual(signed);
  const queried = { method, uri: `${uri}?order_number=YT1`, body: '' };
  expect(signYunExpressCall(queried, credentials, 1_794_873_600_000)).toEqual(signed);
});

const signal = AbortSignal.timeout(30_000);
const parcelOf = (trackingNumber: string): AskedParcel => ({ trackingNumber, dispatchedAt: 0, carrierCode: 'yunexpress', reference: null });
const parcelsOf = (count: number) => Array.from({ length: count }, (_, index) => parcelOf(`YT${index}`));

const vendor = new MockVendor(sourceYunExpress, { app_id: 'a1', app_secret: 'secret-s1', source_key: 'k1' });
const { sent } = vendor;
/** What the vendor says to a token call, by its number from 1, and to another call, by its token and its body. */
let grant: (count: number) => object;
let respond: (token: string, body: string) => object;

const tokenCalls = () => sent.filter(({ line }) => line === 'POST /openapi/oauth2/token');
const query = (number = 'YT1') => vendor.client.query([parcelOf(number)], signal);

beforeEach(() => {
  grant = (count) => ({ accessToken: `token-${count}`, expiresIn: 3600 });
  respond = () => ({ success: true, code: '0', msg: 'success', result: [] });
  vendor.respond = ({ line, headers, text }) => [
    200,
    line.includes('oauth2') ? grant(tokenCalls().length) : respond(headers['token'] ?? '', text),
  ];
});

describe('what is sent', () => {
  const signOf = (content: string) => createHmac('sha256', 'secret-s1').update(content).digest('base64');

  test('the token call, and a signed query of one number', async () => {
    await query('YT1&x=1');
    const [token, call] = sent;
    expect(sent.map(({ line }) => line)).toEqual(['POST /openapi/oauth2/token', 'GET /v1/track-service/info/get?order_number=YT1%26x%3D1']);
    const granted = { grantType: 'client_credentials', appId: 'a1', appSecret: 'secret-s1', sourceKey: 'k1' };
    expect(token?.json).toEqual(granted);
    const date = String(call?.headers['date']);
    expect(Math.abs(Number(date) - Date.now())).toBeLessThan(60_000);
    const sign = signOf(`date=${date}&method=GET&uri=/v1/track-service/info/get`);
    expect(call?.headers).toEqual({
      token: 'token-1',
      date,
      sign,
      'accept-language': 'en-US',
      'accept-encoding': 'identity',
      accept: 'application/json',
    });
  });

  test('signed bodies of a subscription and of its end', async () => {
    await vendor.client.register([parcelOf('YT1'), parcelOf('YT2')], signal);
    await vendor.client.unregister([parcelOf('YT1')], signal);
    expect(sent.slice(1).map(({ line, text }) => [line, text])).toEqual([
      ['POST /v1/track-service/subscribe-by-order', '{"waybill_numbers":["YT1","YT2"],"subscribe_type":"A","query_type":["Y"]}'],
      ['POST /v1/track-service/unsubscribe-by-order', '{"waybill_numbers":["YT1"]}'],
    ]);
    for (const { line, headers, text } of sent.slice(1)) {
      const sign = signOf(`body=${text}&date=${headers['date']}&method=POST&uri=${line.slice('POST '.length)}`);
      expect(headers).toMatchObject({ sign, 'content-type': 'application/json;charset=utf-8' });
    }
  });
});

describe('a subscription', () => {
  /** The vendor takes no call that has one of these numbers in it. */
  const refuse = (wrong: readonly string[]) => {
    respond = (_token, body) => {
      const { waybill_numbers: numbers } = JSON.parse(body) as { waybill_numbers: string[] };
      return { success: !numbers.some((number) => wrong.includes(number)), code: '02030404', msg: 'wrong' };
    };
  };

  test('takes all numbers in one call; a wrong one among them costs itself alone, in two calls for each halving', async () => {
    expect(await vendor.client.register(parcelsOf(50), signal)).toEqual(parcelsOf(50).map(() => ({ kind: 'registered', reference: null })));
    expect(sent).toHaveLength(2);
    refuse(['YT3']);
    const results = await vendor.client.register(parcelsOf(50), signal);
    expect(results.flatMap(({ kind }, index) => (kind === 'rejected' ? [index] : []))).toEqual([3]);
    expect(results[3]).toEqual({ kind: 'rejected', reason: '02030404: wrong' });
    expect(sent.length).toBeLessThanOrEqual(2 + 13);
  });

  test('of wrong numbers alone ends, and one of none is no call', async () => {
    refuse(parcelsOf(50).map(({ trackingNumber }) => trackingNumber));
    expect(new Set((await vendor.client.register(parcelsOf(50), signal)).map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    expect([sent.length, vendor.further]).toEqual([1 + 99, 98]);
    expect(await vendor.client.register([], signal)).toEqual([]);
  });
});

describe('a response', () => {
  test.each<[object, string]>([
    [{ success: false, code: 401, msg: 'token expired' }, 'access denied'],
    [{ success: 'false', code: '0200412101' }, 'access denied'],
    [{ success: false, code: '429' }, 'throttled'],
    [{ result: [] }, 'wrong response'],
    [{ success: true, result: 5 }, 'wrong response'],
    [{ success: true, result: [5] }, 'wrong response'],
  ])('%j is %s', async (body, reason) => {
    respond = () => body;
    await expect(query()).rejects.toMatchObject({ reason });
  });

  test('without a result is no news', async () => {
    respond = () => ({ success: 'true', result: null });
    expect(await query()).toEqual([{ kind: 'no news' }]);
  });

  test('about the number is a rejection without a credential', async () => {
    respond = () => ({ success: false, code: '1', msg: 'Not for secret-s1' });
    expect(await query()).toEqual([{ kind: 'rejected', reason: '1: Not for …' }]);
  });
});

describe('the token', () => {
  test('that is refused early is fetched once more, once for all calls; one that is refused again ends the call', async () => {
    respond = (token) => (token === 'token-1' ? { success: false, code: '401' } : { success: true, result: [] });
    expect(await Promise.all([query('YT1'), query('YT2')])).toEqual([[{ kind: 'trace', raw: [] }], [{ kind: 'trace', raw: [] }]]);
    expect(tokenCalls()).toHaveLength(2);
    respond = () => ({ success: false, code: '401' });
    await expect(query()).rejects.toMatchObject({ reason: 'access denied' });
    expect(tokenCalls()).toHaveLength(3);
  });

  test.each([{ accessToken: 'a\nb' }, { accessToken: '' }, { accessToken: 5 }, {}, { success: true }])('is not in %j', async (granted) => {
    grant = () => granted;
    await expect(query()).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test.each([
    [429, 'throttled'],
    [503, 'unavailable'],
  ])('whose call gets %d says nothing of the credentials', async (status, reason) => {
    vendor.respond = () => [status, { success: false, code: '1' }];
    await expect(query()).rejects.toMatchObject({ reason });
  });

  test('that is not granted is access denied, and is fetched by each test of the credentials', async () => {
    grant = () => ({ success: false, code: '1' });
    await expect(vendor.client.test(signal)).rejects.toMatchObject({ reason: 'access denied' });
    grant = () => ({ accessToken: 't', expiresIn: -5 });
    await vendor.client.test(signal);
    await query();
    expect(tokenCalls()).toHaveLength(3);
  });
});
