import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startAfterShipServer } from '@parcelway/harness/sources/aftership-server';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { Agent } from 'undici';
import type { AskedParcel, QueryResult, SourceClient } from '../source.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { slugOf } from './carrier-codes.ts';
import { sourceAfterShip } from './source.ts';

const KNOWN = 'YT2631200700012345';
const FRESH = 'YT2631200700099999';
const REFUSED = 'YT2631200700000000';

let server: SourceServer;
let client: SourceClient;
const dispatcher = new Agent();
const signal = (ms = 5000) => AbortSignal.timeout(ms);
const parcel = (trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel => ({
  trackingNumber,
  dispatchedAt: Date.parse('2026-11-20T00:00:00Z'),
  carrierCode: 'YunExpress',
  reference: null,
  ...more,
});
const connect = (baseUrl: string, credentials = server.credentials) => sourceAfterShip.connect({ baseUrl, credentials, dispatcher });
const scan = { stage: 'in transit', at: '2026-11-21T08:00:00+08:00', city: 'Shenzhen', country: 'CN' } as const;
const refusal = async (call: Promise<unknown>): Promise<SourceRefusal> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof SourceRefusal)) throw new Error(`No refusal: ${error}`);
  expect(error.message).not.toContain(server.credentials['key']);
  return error;
};
const nodesOf = (result: QueryResult | undefined) =>
  result?.kind === 'trace' ? sourceAfterShip.translate(result.raw, parcel(KNOWN)).nodes.map((node) => node.adminStatus) : result;

/** A vendor that responds with what it is given, and keeps what it was sent. */
async function startOdd(
  respond: (path: string) => { status?: number; headers?: Record<string, string>; body: string | Buffer },
): Promise<{ baseUrl: string; requests: unknown[]; odd: Server }> {
  const requests: unknown[] = [];
  const odd = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { method, url, headers } = message;
    const text = Buffer.concat(chunks).toString();
    requests.push({
      method,
      url,
      key: headers['as-api-key'],
      type: headers['content-type'],
      json: text === '' ? undefined : JSON.parse(text),
    });
    const { status = 200, headers: more = {}, body } = respond(url ?? '');
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body);
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`, requests, odd };
}

beforeAll(async () => {
  server = await startAfterShipServer();
});
beforeEach(() => {
  server.setMood({ kind: 'well' });
  server.setLimits({ requestsPerSecond: null });
  client = connect(server.baseUrl);
});
afterAll(async () => {
  await server.close();
  await dispatcher.close();
});

describe('a parcel', () => {
  test('that is registered twice is registered', async () => {
    const [first] = await client.register([parcel(KNOWN)], signal());
    expect(first).toEqual({ kind: 'registered', reference: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await client.register([parcel(KNOWN)], signal())).toEqual([{ kind: 'registered', reference: null }]);
  });

  test('is queried among others: known, without news, not registered, refused, and none at all', async () => {
    server.addRows(KNOWN, { stage: 'picked up', at: '2026-11-20T20:00:00', hasZone: false }, scan, { ...scan, at: null, leg: 2 });
    server.refuse(REFUSED);
    await client.register([parcel(FRESH)], signal());
    expect(await client.register([parcel(REFUSED)], signal())).toMatchObject([
      { kind: 'rejected', reason: expect.stringContaining('4012') },
    ]);
    const numbers = [FRESH, 'YT0000000000000000', KNOWN, REFUSED, 'a,b'];
    const results = await client.query(
      numbers.map((number) => parcel(number)),
      signal(),
    );
    expect(results.map(({ kind }) => kind)).toEqual(['no news', 'not registered', 'trace', 'not registered', 'rejected']);
    expect(nodesOf(results[2])).toEqual(['Picked Up', 'In Transit']);
    expect(server.calls.at(-1)).toMatchObject({ kind: 'query', numbers: numbers.slice(0, 4), status: 200 });
  });

  test('is found without a call when its number is none', async () => {
    const calls = server.calls.length;
    expect(await client.register([parcel('a,b'), parcel('123')], signal())).toMatchObject([{ kind: 'rejected' }, { kind: 'rejected' }]);
    expect(await client.query([parcel('a b')], signal())).toMatchObject([{ kind: 'rejected' }]);
    expect(server.calls).toHaveLength(calls);
  });

  test('is known by its reference among those of its number, and by its newest row without', async () => {
    const number = '781000000012';
    server.addRows(number, { ...scan, stage: 'delivered', at: '2026-11-22T08:00:00Z' });
    server.addFormerParcel(number, { ...scan, stage: 'exception', at: '2026-11-23T08:00:00Z' });
    const [registered] = await client.register([parcel(number)], signal());
    const reference = registered?.kind === 'registered' ? registered.reference : null;
    expect(nodesOf((await client.query([parcel(number, { reference })], signal()))[0])).toEqual(['Delivery Success']);
    expect(nodesOf((await client.query([parcel(number)], signal()))[0])).toEqual(['Exception']);
  });

  test('is unregistered, again without error, and never when another program registered it', async () => {
    const number = '9261290100990000012345';
    const [registered] = await client.register([parcel(number, { carrierCode: 'USPS' })], signal());
    const reference = registered?.kind === 'registered' ? registered.reference : null;
    await client.unregister([parcel(number)], signal());
    expect(await client.query([parcel(number)], signal())).toEqual([{ kind: 'no news' }]);
    for (let time = 0; time < 2; time += 1) await client.unregister([parcel(number, { reference })], signal());
    expect(await client.query([parcel(number)], signal())).toEqual([{ kind: 'not registered' }]);
  });
});

describe('a refusal', () => {
  test.each([
    [{ kind: 'status', status: 429, retryAfter: 7 }, 'throttled', 7000],
    [{ kind: 'status', status: 503 }, 'unavailable', undefined],
    [{ kind: 'status', status: 404 }, 'wrong response', undefined],
    [{ kind: 'quota used up' }, 'quota used up', undefined],
    [{ kind: 'key revoked' }, 'access denied', undefined],
    [{ kind: 'drops' }, 'unavailable', undefined],
    [{ kind: 'wrong', body: '<html>' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"meta":{"code":200},"data":{}}' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"meta":{"code":403},"data":{}}' }, 'access denied', undefined],
  ] as const)('of the vendor that is %j is %s for each call', async (mood, reason, retryAfterMs) => {
    server.setMood(mood);
    const one = parcel(KNOWN, { reference: '7a7a7a7a3b4a59687766554433221104' });
    const calls = [client.query([one], signal()), client.register([one], signal()), client.test(signal())];
    for (const call of calls) expect(await refusal(call)).toMatchObject({ reason, retryAfterMs });
    if (mood.kind !== 'wrong') expect(await refusal(client.unregister([one], signal()))).toMatchObject({ reason, retryAfterMs });
  });

  test('by the limit says when the second is over', async () => {
    server.setLimits({ requestsPerSecond: 1 });
    await client.test(signal());
    const { reason, retryAfterMs } = await refusal(client.test(signal()));
    expect([reason, retryAfterMs]).toEqual(['throttled', 1000]);
    expect(server.calls.at(-1)).toMatchObject({ isBeyondLimit: true, status: 429 });
  });

  test('comes with wrong credentials', async () => {
    for (const credentials of [{ key: 'another' }, { key: '' }])
      expect(await refusal(connect(server.baseUrl, credentials).test(signal()))).toMatchObject({ reason: 'access denied' });
    await expect(client.test(signal())).resolves.toBeUndefined();
  });

  test.each([{ kind: 'hangs' }, { kind: 'slow', ms: 400 }] as const)('of a vendor that %j comes with the signal', async (mood) => {
    server.setMood(mood);
    const start = Date.now();
    expect(await refusal(client.query([parcel(KNOWN)], signal(50)))).toMatchObject({ reason: 'unavailable' });
    expect(Date.now() - start).toBeLessThan(350);
  });
});

describe('on the wire', () => {
  const page = (trackings: unknown[], next_cursor: string | null) =>
    JSON.stringify({ meta: { code: 200 }, data: { trackings, pagination: { next_cursor } } });

  test('a registration holds what helps the carrier, and no slug that is unknown', async () => {
    const { baseUrl, requests, odd } = await startOdd(() => ({ status: 201, body: '{"meta":{"code":201},"data":{"id":"t1"}}' }));
    const full = parcel(KNOWN, {
      carrierCode: 'yun_express',
      destinationCountry: 'US',
      destinationPostcode: '37209',
      shipDate: '2026-11-20',
    });
    await connect(baseUrl).register([full, parcel('x-1.2/3', { carrierCode: 'nobody', destinationCountry: 'XX' })], signal());
    await connect(baseUrl).unregister([parcel(KNOWN, { reference: 'a/b' })], signal());
    const sent = { method: 'POST', url: '/trackings', key: server.credentials['key'], type: 'application/json' };
    const json = {
      tracking_number: KNOWN,
      slug: 'yunexpress',
      destination_country_region: 'USA',
      destination_postal_code: '37209',
      tracking_ship_date: '2026-11-20',
    };
    expect(requests).toEqual([
      { ...sent, json },
      { ...sent, json: { tracking_number: 'X-1.2/3' } },
      { method: 'DELETE', url: '/trackings/a%2Fb', key: server.credentials['key'], type: undefined, json: undefined },
    ]);
    odd.close();
  });

  test('a query follows the pages to an end, and concludes nothing from a list that is cut', async () => {
    const row = {
      tracking_number: KNOWN.toLowerCase(),
      id: 't1',
      checkpoints: [{ message: 'Scan', checkpoint_time: '2026-11-21T08:00:00Z' }],
    };
    const { baseUrl, requests, odd } = await startOdd((path) => ({
      body: page(path.includes('cursor=c') ? [row] : [], path.includes('X') ? 'c' : null),
    }));
    expect((await connect(baseUrl).query([parcel(KNOWN)], signal()))[0]).toEqual({ kind: 'not registered' });
    const results = await connect(baseUrl).query([parcel(KNOWN), parcel('x-12')], signal());
    expect(results).toMatchObject([{ kind: 'trace', raw: { id: 't1' } }, { kind: 'no news' }]);
    expect(requests).toHaveLength(4);
    expect(requests[0]).toMatchObject({ method: 'GET', url: `/trackings?tracking_numbers=${KNOWN}&limit=200` });
    odd.close();
  });

  test('an entry of a list that is none costs no other, and concludes nothing', async () => {
    const { baseUrl, odd } = await startOdd(() => ({ body: page([null, 5, { tracking_number: FRESH }], null) }));
    expect(await connect(baseUrl).query([parcel(KNOWN), parcel(FRESH)], signal())).toEqual([{ kind: 'no news' }, { kind: 'no news' }]);
    odd.close();
  });

  test('a slug that AfterShip no longer has is left out', async () => {
    const given = '{"meta":{"code":4010,"type":"BadRequest"},"data":{}}';
    const { baseUrl, requests, odd } = await startOdd(() => ({ status: 400, body: given }));
    expect(await connect(baseUrl).register([parcel(KNOWN)], signal())).toMatchObject([{ kind: 'rejected' }]);
    expect(requests).toMatchObject([{ json: { slug: 'yunexpress' } }, { json: { tracking_number: KNOWN } }]);
    odd.close();
  });

  test('a compressed response is refused', async () => {
    const { baseUrl, odd } = await startOdd(() => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(page([], null)) }));
    expect(await refusal(connect(baseUrl).test(signal()))).toMatchObject({ reason: 'wrong response' });
    odd.close();
  });
});

test('a slug is found whatever the writing of the carrier code', () => {
  expect(['4PX', 'sf_express', 'Royal Mail', 'DHL-eCommerce', 'constructor', ''].map(slugOf)).toEqual([
    '4px',
    'sf-express',
    'royal-mail',
    'dhl-global-mail',
    undefined,
    undefined,
  ]);
});

test('a push of the server is verified, parsed and translated; one with another secret is not', () => {
  const { pushes } = sourceAfterShip;
  const secrets = pushes?.secretsOf({ webhook_secret: 'new', previous_webhook_secret: server.credentials['webhook_secret'] ?? '' }) ?? [];
  const verify = (push: { body: string; headers: Readonly<Record<string, string>> }) =>
    pushes?.verify(Buffer.from(push.body), push.headers, secrets);
  const push = server.signPush(KNOWN, { rows: [scan, { ...scan, stage: 'delivered', at: '2026-11-22T08:00:00Z' }] });
  expect(secrets).toHaveLength(2);
  expect(verify(push)).toBe(true);
  for (const wrong of [{ secret: 'another' }, { isUnsigned: true }, { signs: 'x' }])
    expect(verify(server.signPush(KNOWN, wrong))).toBe(false);
  const trace = pushes?.parse(Buffer.from(push.body)).traces[0];
  expect(trace?.trackingNumber).toBe(KNOWN);
  expect(sourceAfterShip.translate(trace?.raw, parcel(KNOWN)).nodes.map((node) => node.adminStatus)).toEqual([
    'In Transit',
    'Delivery Success',
  ]);
  expect(pushes?.secretsOf({ key: 'k', webhook_secret: '' })).toEqual([]);
});
