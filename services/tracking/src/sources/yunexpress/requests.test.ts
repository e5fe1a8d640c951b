import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startYunExpressServer } from '@parcelway/harness/sources/yunexpress-server';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../../testing/carrier-server.ts';
import type { AskedParcel, SourceClient } from '../source.ts';
import { sourceYunExpress } from './source.ts';

const credentials = { app_id: 'a1', app_secret: 's1', source_key: 'k1' };
const parcelOf = (trackingNumber: string): AskedParcel => ({ trackingNumber, dispatchedAt: 0, carrierCode: 'yunexpress', reference: null });
const signal = (): AbortSignal => AbortSignal.timeout(20_000);

/** A request with its body. */
interface Received {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let vendor: CarrierServer;
let dispatcher: Agent;
let client: SourceClient;
let received: Received[];
/** What the vendor says to a token call, by its number from 1, and to another call, by its token. */
let grant: (count: number) => object;
let respond: (token: string) => object;

const tokenCalls = () => received.filter(({ line }) => line === 'POST /openapi/oauth2/token');
const query = (number = 'YT1') => client.query([parcelOf(number)], signal());

beforeEach(async () => {
  received = [];
  grant = (count) => ({ accessToken: `token-${count}`, expiresIn: 3600 });
  respond = () => ({ success: true, code: '0', msg: 'success', result: [] });
  vendor = await startCarrier();
  vendor.respondWith((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: Buffer.concat(chunks).toString() });
      res.end(JSON.stringify(req.url === '/openapi/oauth2/token' ? grant(tokenCalls().length) : respond(String(req.headers['token']))));
    });
  });
  dispatcher = new Agent();
  client = sourceYunExpress.connect({ baseUrl: new URL(vendor.url).origin, credentials, dispatcher });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await dispatcher.destroy();
  await vendor.close();
});

describe('what is sent', () => {
  const signOf = (content: string) => createHmac('sha256', 's1').update(content).digest('base64');

  test('the token call, and a signed query of one number', async () => {
    await query('YT1&x=1');
    expect(received.map(({ line }) => line)).toEqual([
      'POST /openapi/oauth2/token',
      'GET /v1/track-service/info/get?order_number=YT1%26x%3D1',
    ]);
    const [token, call] = received;
    expect(JSON.parse(token?.body ?? '')).toEqual({ grantType: 'client_credentials', appId: 'a1', appSecret: 's1', sourceKey: 'k1' });
    expect(token?.headers).toMatchObject({ 'content-type': 'application/json;charset=utf-8' });
    const date = String(call?.headers['date']);
    expect(Math.abs(Number(date) - Date.now())).toBeLessThan(60_000);
    const sign = signOf(`date=${date}&method=GET&uri=/v1/track-service/info/get`);
    expect(call?.headers).toMatchObject({ token: 'token-1', sign, 'accept-language': 'en-US', 'accept-encoding': 'identity' });
    expect([call?.body, call?.headers['content-type']]).toEqual(['', undefined]);
  });

  test('signed bodies of a subscription and of its end', async () => {
    await client.register([parcelOf('YT1'), parcelOf('YT2')], signal());
    await client.unregister([parcelOf('YT1')], signal());
    const calls = received.slice(1);
    expect(calls.map(({ line, body }) => [line, body])).toEqual([
      ['POST /v1/track-service/subscribe-by-order', '{"waybill_numbers":["YT1","YT2"],"subscribe_type":"A","query_type":["Y"]}'],
      ['POST /v1/track-service/unsubscribe-by-order', '{"waybill_numbers":["YT1"]}'],
    ]);
    for (const { line, headers, body } of calls) {
      const content = `body=${body}&date=${headers['date']}&method=POST&uri=${line.slice('POST '.length)}`;
      expect(headers).toMatchObject({ sign: signOf(content), 'content-type': 'application/json;charset=utf-8' });
    }
  });
});

describe('the token', () => {
  test('is fetched once for concurrent calls, and kept', async () => {
    await Promise.all([query('YT1'), query('YT2'), client.register([parcelOf('YT3')], signal())]);
    await query('YT4');
    expect(tokenCalls()).toHaveLength(1);
    expect(received.slice(1).map(({ headers }) => headers['token'])).toEqual(Array.from({ length: 4 }, () => 'token-1'));
  });

  test('is fetched again shortly before its end, and for each test of the credentials', async () => {
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    await query();
    now.mockReturnValue(start + 54 * 60_000);
    await query();
    expect(tokenCalls()).toHaveLength(1);
    now.mockReturnValue(start + 55 * 60_000);
    await query();
    expect(tokenCalls()).toHaveLength(2);
    await client.test(signal());
    expect(tokenCalls()).toHaveLength(3);
  });

  test.each([
    [{ accessToken: 't', expiresIn: '120' }, 60],
    [{ accessToken: 't' }, 25 * 60],
    [{ accessToken: 't', expiresIn: 'x' }, 25 * 60],
    [{ success: true, result: { accessToken: 't', expiresIn: 7200 } }, 115 * 60],
    [{ accessToken: 't', expiresIn: 1e12 }, 86_100],
  ])('%j is kept for %d s', async (granted, seconds) => {
    grant = () => granted;
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    await query();
    now.mockReturnValue(start + seconds * 1000 - 1);
    await query();
    expect(tokenCalls()).toHaveLength(1);
    now.mockReturnValue(start + seconds * 1000);
    await query();
    expect(tokenCalls()).toHaveLength(2);
  });

  test('that has ended already is not kept', async () => {
    grant = () => ({ accessToken: 't', expiresIn: -5 });
    expect(await query()).toEqual([{ kind: 'no news' }]);
    expect(await query()).toEqual([{ kind: 'no news' }]);
    expect(tokenCalls()).toHaveLength(2);
  });

  test('goes on for the others when one call ends by its signal, and a failed fetch is not kept', async () => {
    const ended = client.query([parcelOf('YT1')], AbortSignal.abort());
    const other = query('YT2');
    await expect(ended).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await other).toEqual([{ kind: 'no news' }]);
    expect(tokenCalls()).toHaveLength(1);
    grant = (count) => (count === 2 ? { success: false, code: '1' } : { accessToken: 't', expiresIn: 60 });
    await expect(client.test(signal())).rejects.toMatchObject({ reason: 'access denied' });
    await client.test(signal());
    expect(tokenCalls()).toHaveLength(3);
  });

  test('that is refused early is fetched once more, once for all calls', async () => {
    respond = (token) => (token === 'token-1' ? { success: false, code: '401' } : { success: true, result: [] });
    expect(await Promise.all([query('YT1'), query('YT2')])).toEqual([[{ kind: 'no news' }], [{ kind: 'no news' }]]);
    expect(tokenCalls()).toHaveLength(2);
  });

  test('that is refused again ends the call', async () => {
    respond = () => ({ success: false, code: '401' });
    await expect(query()).rejects.toMatchObject({ reason: 'access denied' });
    expect(tokenCalls()).toHaveLength(2);
    expect(received).toHaveLength(4);
  });

  test.each([{ accessToken: 'a\nb' }, { accessToken: '' }, { accessToken: 5 }, {}, { success: true }])('is not in %j', async (granted) => {
    grant = () => granted;
    await expect(query()).rejects.toMatchObject({ reason: 'wrong response' });
  });
});

describe('a push', () => {
  test('is verified, opened, parsed, translated and acknowledged; one that is not signed with the secret is wrong', async () => {
    const server = await startYunExpressServer();
    server.addRows('YT1', { stage: 'delivered', at: '2026-11-25T11:30:00+01:00', country: 'NL', leg: 2 });
    const { pushes } = sourceYunExpress;
    if (pushes?.open === undefined || pushes.acknowledge === undefined) throw new Error('YunExpress encrypts');
    const verify = ({ body, headers }: ReturnType<typeof server.signPush>, of = server.credentials) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      return pushes.verify(Buffer.from(body), lower, pushes.secretsOf(of));
    };
    const push = server.signPush('YT1');
    expect(verify(push)).toBe(true);
    expect(verify(push, { webhook_secret: 'new', previous_webhook_secret: server.credentials['webhook_secret'] ?? '' })).toBe(true);
    const opened = pushes.open(Buffer.from(push.body), {}, server.credentials);
    const [trace] = pushes.parse(opened).traces;
    expect(trace?.trackingNumber).toBe('YT1');
    expect(sourceYunExpress.translate(trace?.raw, parcelOf('YT1')).nodes).toMatchObject([{ adminStatus: 'Delivery Success' }]);
    expect(pushes.acknowledge(opened)).toBe('success');
    expect(pushes.acknowledge(Buffer.from('{"ack":"f416"}'))).toBe('{"ack":"f416"}');
    for (const wrong of [{ secret: 'another' }, { isUnsigned: true }, { signs: '{}' }])
      expect(verify(server.signPush('YT1', wrong))).toBe(false);
    expect(verify(push, credentials)).toBe(false);
    await server.close();
  });
});
