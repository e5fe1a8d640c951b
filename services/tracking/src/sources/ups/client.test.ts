import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { startUpsServer } from '@parcelway/harness/sources/ups-server';
import { Agent } from 'undici';
import type { AskedParcel, QueryResult, SourceClient } from '../source.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { sourceUps } from './source.ts';

const KNOWN = '1Z999AA10123456784';
const REFUSED = '1Z999AA10000000000';

let server: SourceServer;
let client: SourceClient;
let odd: Server | undefined;
const dispatcher = new Agent();
const signal = (ms = 5000) => AbortSignal.timeout(ms);
const parcel = (trackingNumber: string): AskedParcel => ({ trackingNumber, dispatchedAt: 0, carrierCode: 'UPS', reference: null });
const connect = (baseUrl: string, credentials = server.credentials) => sourceUps.connect({ baseUrl, credentials, dispatcher });
const scan = { stage: 'in transit', at: '2026-11-21T08:00:00+08:00', city: 'Shenzhen', country: 'CN' } as const;
const tokenCalls = () => server.calls.filter(({ kind }) => kind === 'token').length;
const refusal = async (call: Promise<unknown>): Promise<SourceRefusal> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof SourceRefusal)) throw new Error(`No refusal: ${error}`);
  expect(error.message).not.toContain(server.credentials['client_secret']);
  return error;
};
const nodesOf = (result: QueryResult | undefined) =>
  result?.kind === 'trace' ? sourceUps.translate(result.raw, parcel(KNOWN)).nodes.map((node) => node.adminStatus) : result;

/** A vendor that gives tokens, responds to all else with what it is given, and keeps what it was sent. */
async function startOdd(response: { status?: number; headers?: Record<string, string>; body: string | Buffer; token?: string }) {
  const requests: { method: string; url: string; headers: Record<string, unknown>; text: string }[] = [];
  odd = createServer(async (message, out) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    requests.push({
      method: message.method ?? '',
      url: message.url ?? '',
      headers: message.headers,
      text: Buffer.concat(chunks).toString(),
    });
    if (message.url === '/security/v1/oauth/token') out.end(response.token ?? '{"access_token":"t","expires_in":"14399"}');
    else out.writeHead(response.status ?? 200, response.headers).end(response.body);
  });
  await new Promise<void>((resolve) => odd?.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`, requests };
}

beforeEach(async () => {
  server = await startUpsServer();
  client = connect(server.baseUrl);
});
afterEach(async () => {
  odd?.close();
  odd?.closeAllConnections();
  await server.close();
});
afterAll(() => dispatcher.close());

describe('a query', () => {
  test('of a number that is known, in its time and order, with and without zone and time', async () => {
    server.addRows(
      KNOWN,
      { stage: 'info received', at: null },
      { ...scan, stage: 'picked up', hasZone: false },
      { ...scan, at: '2026-11-21T08:05:09+08:00' },
      { stage: 'delivered', at: '2026-11-24T10:00:00-05:00', country: 'US' },
    );
    const [result] = await client.query([parcel('1z 999 aa1 01 2345 6784')], signal());
    expect(nodesOf(result)).toEqual(['Delivery Success', 'In Transit', 'Picked Up']);
    const trace = sourceUps.translate(result?.kind === 'trace' ? result.raw : undefined, parcel(KNOWN));
    expect(trace.nodes.map(({ createTime, times }) => `${createTime} ${times}`)).toEqual([
      '2026-11-24 10:00:00 (GMT-05:00)',
      '2026-11-21 08:05:09 (GMT+08:00)',
      '2026-11-21 08:00:00 (GMT+08:00)',
    ]);
    expect(trace.undated).toHaveLength(1);
    expect([trace.unknownCodes, trace.leftOut]).toEqual([[], []]);
  });

  test('of numbers that are unknown, refused and none', async () => {
    server.refuse(REFUSED);
    const results = await client.query(
      [parcel('1Z0000000000000000'), parcel(REFUSED), parcel('../../security'), parcel('123456')],
      signal(),
    );
    expect(results).toMatchObject([
      { kind: 'no news' },
      { kind: 'rejected', reason: expect.stringContaining('TV1002') },
      { kind: 'rejected' },
      { kind: 'rejected' },
    ]);
    expect(server.calls.filter(({ kind }) => kind === 'query')).toHaveLength(2);
  });

  test('of a number that was used before has the newest parcel', async () => {
    server.addFormerParcel(KNOWN, { ...scan, stage: 'delivered', at: '2025-01-01T00:00:00Z' });
    server.addRows(KNOWN, scan);
    expect(nodesOf((await client.query([parcel(KNOWN)], signal()))[0])).toEqual(['In Transit']);
  });

  test('is sent as UPS documents it', async () => {
    const { baseUrl, requests } = await startOdd({
      status: 404,
      body: '{"response":{"errors":[{"code":"TW0001","message":"Not Found"}]}}',
    });
    expect(await connect(baseUrl).query([parcel(KNOWN), parcel(KNOWN)], signal())).toEqual([{ kind: 'no news' }, { kind: 'no news' }]);
    const [token, first, second] = requests;
    expect(token).toMatchObject({ method: 'POST', url: '/security/v1/oauth/token', text: 'grant_type=client_credentials' });
    const basic = Buffer.from('ups-client:ups-client-secret').toString('base64');
    expect(token?.headers).toMatchObject({ authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' });
    expect(first).toMatchObject({ method: 'GET', url: `/api/track/v1/details/${KNOWN}?locale=en_US`, text: '' });
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer t',
      transid: expect.stringMatching(/^[\w-]{36}$/),
      transactionsrc: 'parcelway',
    });
    expect(first?.headers['transid']).not.toBe(second?.headers['transid']);
  });

  test.each([
    [404, '', 'wrong response'],
    [404, '{"response":{"errors":[{"code":"404","message":"The requested resource was not found."}]}}', 'wrong response'],
    [400, '{"response":{"errors":[{"code":"VSS002","message":"Missing transId"}]}}', 'wrong response'],
    [403, '{"response":{"errors":[{"code":"1","message":"Blocked Merchant"}]}}', 'access denied'],
    [200, '{"response":{"errors":[{"code":"10429","message":"Too Many Requests"}]}}', 'throttled'],
    [200, '{"response":{"errors":[{"code":"10004","message":"Something went wrong"}]}}', 'unavailable'],
    [200, '{"trackResponse":{}}', 'wrong response'],
  ])('that gets %i with %j is refused', async (status, body, reason) => {
    const { baseUrl } = await startOdd({ status, body });
    expect(await refusal(connect(baseUrl).query([parcel(KNOWN)], signal()))).toMatchObject({ reason });
  });

  test('that gets a compressed response, or a token that is none, is refused', async () => {
    const compressed = await startOdd({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') });
    expect(await refusal(connect(compressed.baseUrl).query([parcel(KNOWN)], signal()))).toMatchObject({ reason: 'wrong response' });
    for (const token of [
      '{}',
      '{"access_token":"a b","expires_in":"9"}',
      '{"access_token":"t"}',
      '{"access_token":"t","expires_in":"-1"}',
      '[]',
    ]) {
      odd?.close();
      const { baseUrl } = await startOdd({ body: '{}', token });
      expect(await refusal(connect(baseUrl).test(signal()))).toMatchObject({ reason: 'wrong response' });
    }
  });
});

describe('a registration', () => {
  test('costs only the numbers that are rejected, and may be repeated', async () => {
    server.refuse(REFUSED);
    const parcels = [KNOWN, REFUSED, '92612901009900000123', '1R12345678912345', KNOWN].map(parcel);
    for (let time = 0; time < 2; time += 1) {
      const results = await client.register(parcels, signal());
      expect(results.map(({ kind }) => kind)).toEqual(['registered', 'rejected', 'rejected', 'registered', 'registered']);
      expect(results[0]).toEqual({ kind: 'registered', reference: null });
    }
    expect(server.calls.at(-1)).toMatchObject({ kind: 'register', numbers: [KNOWN, REFUSED, '1R12345678912345'], status: 200 });
    await expect(client.unregister(parcels, signal())).resolves.toBeUndefined();
  });

  test('of rejected numbers alone is no refusal, and of none that Track Alert takes no call', async () => {
    server.refuse(REFUSED);
    expect(await client.register([parcel(REFUSED)], signal())).toMatchObject([
      { kind: 'rejected', reason: expect.stringContaining('VSS210') },
    ]);
    const calls = server.calls.length;
    expect(await client.register([parcel('92612901009900000123')], signal())).toMatchObject([{ kind: 'rejected' }]);
    expect(server.calls).toHaveLength(calls);
  });

  test('whose response names some numbers or none', async () => {
    const { baseUrl, requests } = await startOdd({ body: `{"validTrackingNumbers":["${KNOWN}"]}` });
    const results = await connect(baseUrl).register([parcel(KNOWN), parcel(REFUSED)], signal());
    expect(results).toMatchObject([{ kind: 'registered' }, { kind: 'rejected' }]);
    expect(await refusal(connect(baseUrl).register([parcel(REFUSED)], signal()))).toMatchObject({ reason: 'wrong response' });
    expect(requests[1]).toMatchObject({ method: 'POST', url: '/api/track/v2/subscription/standard/package' });
    expect(JSON.parse(requests[1]?.text ?? '')).toEqual({ locale: 'en_US', trackingNumberList: [KNOWN, REFUSED] });
    expect(requests[1]?.headers).toMatchObject({ 'content-type': 'application/json', transactionsrc: 'parcelway' });
  });
});

describe('a token', () => {
  test('is shared by calls of one time, and kept', async () => {
    await Promise.all([
      client.query([parcel(KNOWN)], signal()),
      client.register([parcel(KNOWN)], signal()),
      client.query([parcel(KNOWN)], signal()),
    ]);
    await client.query([parcel(KNOWN)], signal());
    expect(tokenCalls()).toBe(1);
  });

  test('that UPS no longer takes is fetched once more', async () => {
    await client.query([parcel(KNOWN)], signal());
    server.setMood({ kind: 'key revoked' });
    expect(await refusal(client.query([parcel(KNOWN)], signal()))).toMatchObject({ reason: 'access denied' });
    server.setMood({ kind: 'well' });
    const before = tokenCalls();
    expect(await client.query([parcel(KNOWN)], signal())).toEqual([{ kind: 'no news' }]);
    expect(tokenCalls()).toBe(before + 1);
  });

  test('is renewed by a call that gets 401, and a second 401 is the end', async () => {
    const { baseUrl, requests } = await startOdd({ status: 401, body: '{"response":{"errors":[{"code":"251004","message":"expired"}]}}' });
    expect(await refusal(connect(baseUrl).query([parcel(KNOWN)], signal()))).toMatchObject({ reason: 'access denied' });
    expect(requests.map(({ url }) => url.includes('oauth'))).toEqual([true, false, true, false]);
  });

  test('proves the credentials at each test', async () => {
    for (let time = 0; time < 2; time += 1) await client.test(signal());
    expect(tokenCalls()).toBe(2);
    for (const credentials of [
      { client_id: 'ups-client', client_secret: 'wrong' },
      { client_id: '', client_secret: '' },
    ])
      expect(await refusal(connect(server.baseUrl, credentials).test(signal()))).toMatchObject({ reason: 'access denied' });
  });
});

describe('a refusal', () => {
  test.each([
    [{ kind: 'status', status: 429, retryAfter: 7 }, 'throttled', 7000],
    [{ kind: 'status', status: 503 }, 'unavailable', undefined],
    [{ kind: 'quota used up' }, 'quota used up', undefined],
    [{ kind: 'key revoked' }, 'access denied', undefined],
    [{ kind: 'drops' }, 'unavailable', undefined],
    [{ kind: 'wrong', body: '<html>' }, 'wrong response', undefined],
  ] as const)('of the vendor that is %j is %s for each call, with and without a token', async (mood, reason, retryAfterMs) => {
    const calls = [
      () => client.query([parcel(KNOWN)], signal()),
      () => client.register([parcel(KNOWN)], signal()),
      () => client.test(signal()),
    ];
    server.setMood(mood);
    for (const call of calls) expect(await refusal(call())).toMatchObject({ reason, retryAfterMs });
    server.setMood({ kind: 'well' });
    await client.test(signal());
    server.setMood(mood);
    for (const call of calls) expect(await refusal(call())).toMatchObject({ reason, retryAfterMs });
  });

  test('by a limit', async () => {
    server.setLimits({ requestsPerSecond: 1 });
    await client.query([parcel(KNOWN)], signal());
    expect(await refusal(client.query([parcel(KNOWN)], signal()))).toMatchObject({ reason: 'throttled' });
  });

  test.each([true, false])('of a vendor that hangs comes with the signal (with a token: %j)', async (hasToken) => {
    if (hasToken) await client.test(signal());
    server.setMood({ kind: 'hangs' });
    expect(await refusal(client.query([parcel(KNOWN)], signal(50)))).toMatchObject({ reason: 'unavailable' });
    server.setMood({ kind: 'slow', ms: 300 });
    expect(await refusal(client.query([parcel(KNOWN)], signal(50)))).toMatchObject({ reason: 'unavailable' });
  });
});

test('a push of the server is verified, parsed and translated; one with another credential is not', () => {
  const { pushes } = sourceUps;
  const secrets = pushes?.secretsOf({ push_token: 'new', previous_push_token: server.credentials['push_token'] ?? '' }) ?? [];
  const verify = (push: { body: string; headers: Readonly<Record<string, string>> }) =>
    pushes?.verify(Buffer.from(push.body), push.headers, secrets);
  const push = server.signPush(KNOWN, { rows: [scan, { ...scan, stage: 'delivered', at: '2026-11-24T10:00:00-05:00' }] });
  expect(verify(push)).toBe(true);
  for (const wrong of [{ secret: 'another' }, { isUnsigned: true }]) expect(verify(server.signPush(KNOWN, wrong))).toBe(false);
  const trace = pushes?.parse(Buffer.from(push.body)).traces[0];
  expect(trace?.trackingNumber).toBe(KNOWN);
  expect(sourceUps.translate(trace?.raw, parcel(KNOWN)).nodes).toMatchObject([{ adminStatus: 'Delivery Success', times: '(GMT-05:00)' }]);
  expect(pushes?.secretsOf({ client_id: 'c', push_token: '' })).toEqual([]);
});
