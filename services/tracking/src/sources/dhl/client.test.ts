import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startDhlServer } from '@parcelway/harness/sources/dhl-server';
import type { ServerMood, SourceServer } from '@parcelway/harness/sources/source-server';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../../testing/carrier-server.ts';
import type { AskedParcel, SourceClient } from '../source.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { sourceDhl } from './source.ts';

/** Far longer than a response from this machine takes. */
const patient = (): AbortSignal => AbortSignal.timeout(20_000);
const parcelOf = (trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel => ({
  trackingNumber,
  dispatchedAt: Date.UTC(2026, 10, 20),
  destinationCountry: 'PL',
  carrierCode: 'dhl',
  reference: null,
  ...more,
});

let dhl: SourceServer;
let dispatcher: Agent;
let client: SourceClient;

beforeEach(async () => {
  dhl = await startDhlServer();
  dhl.setLimits({ requestsPerSecond: null });
  dispatcher = new Agent();
  client = sourceDhl.connect({ baseUrl: dhl.baseUrl, credentials: dhl.credentials, dispatcher });
});
afterEach(async () => {
  await dispatcher.destroy();
  await dhl.close();
});

const query = async (parcel: AskedParcel, by = client) => (await by.query([parcel], patient()))[0];
const traceOf = async (parcel: AskedParcel) => {
  const result = await query(parcel);
  if (result?.kind !== 'trace') throw new Error(`The result is ${result?.kind}`);
  return sourceDhl.translate(result.raw, parcel);
};
const refusalOf = (call: Promise<unknown>): Promise<SourceRefusal> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => (error instanceof SourceRefusal ? error : Promise.reject(error)),
  );

describe('a query', () => {
  test('of a known number has its trace', async () => {
    dhl.addRows(
      '9901234567',
      { stage: 'info received', at: '2026-11-21T09:00:00+08:00', country: 'CN' },
      { stage: 'in transit', at: '2026-11-24T15:00:00+01:00', city: 'Gdynia', country: 'PL', text: 'In a hub', leg: 2 },
      { stage: 'delivered', at: '2026-11-25T11:30:00+01:00', city: 'Gdynia', country: 'PL' },
    );
    const { nodes, undated, leftOut, unknownCodes } = await traceOf(parcelOf('9901234567'));
    expect(nodes.map(({ adminStatus, createTime, times }) => [adminStatus, createTime, times])).toEqual([
      ['Delivery Success', '2026-11-25 11:30:00', '(GMT+01:00)'],
      ['In Transit', '2026-11-24 15:00:00', '(GMT+01:00)'],
      ['Info Received', '2026-11-21 09:00:00', '(GMT+08:00)'],
    ]);
    expect([undated, leftOut, unknownCodes]).toEqual([[], [], []]);
  });

  test('of rows without a zone or a time, of a code that nobody knows, and of a way back', async () => {
    dhl.addRows(
      '9901234567',
      { stage: 'returning', at: null, text: 'RETURNED_TO_SHIPPER' },
      { stage: 'in transit', at: '2026-11-24T15:00:00+01:00', hasZone: false, country: 'PL', code: 'sorted' },
      { stage: 'delivered', at: '2026-11-25T11:30:00+01:00', country: 'PL' },
    );
    const { nodes, undated, unknownCodes } = await traceOf(parcelOf('9901234567'));
    expect(nodes).toMatchObject([
      { adminStatus: 'Returning' },
      { createTime: '2026-11-24 15:00:00', times: '(GMT+01:00)', zoneBasis: 'derived' },
    ]);
    expect(undated).toMatchObject([{ adminStatus: 'Exception' }]);
    expect(unknownCodes).toEqual(['sorted']);
  });

  test('of a number that was used before has the trace of its last parcel', async () => {
    dhl.addRows('9901234567', { stage: 'in transit', at: '2026-11-24T15:00:00+01:00' });
    dhl.addFormerParcel('9901234567', { stage: 'delivered', at: '2024-03-02T07:53:47+01:00' });
    expect((await traceOf(parcelOf('9901234567'))).nodes).toMatchObject([{ createTime: '2026-11-24 15:00:00' }]);
  });

  test('of a number that DHL does not know yet, and of one that it does not take', async () => {
    dhl.refuse('BAD');
    expect(await query(parcelOf('9900000000'))).toEqual({ kind: 'no news' });
    expect(await query(parcelOf('BAD'))).toEqual({
      kind: 'rejected',
      reason: '400, Bad Request, The parameter trackingNumber is invalid.',
    });
    expect(dhl.calls.map(({ kind, numbers, status }) => [kind, numbers, status])).toEqual([
      ['query', ['9900000000'], 404],
      ['query', ['BAD'], 400],
    ]);
  });
});

describe('without registration', () => {
  test('a parcel is registered without a call, also twice, and is no longer', async () => {
    const parcels = [parcelOf('1'), parcelOf('2')];
    for (let times = 0; times < 2; times += 1) {
      expect(await client.register(parcels, patient())).toEqual(parcels.map(() => ({ kind: 'registered', reference: null })));
    }
    await client.unregister(parcels, patient());
    expect(dhl.calls).toEqual([]);
  });
});

describe('a refusal', () => {
  test.each<[ServerMood, string, number | undefined]>([
    [{ kind: 'key revoked' }, 'access denied', undefined],
    [{ kind: 'status', status: 403 }, 'access denied', undefined],
    [{ kind: 'quota used up' }, 'throttled', undefined],
    [{ kind: 'status', status: 402 }, 'quota used up', undefined],
    [{ kind: 'status', status: 429, retryAfter: 90 }, 'throttled', 90_000],
    [{ kind: 'status', status: 503, retryAfter: 5 }, 'unavailable', 5000],
    [{ kind: 'drops' }, 'unavailable', undefined],
    [{ kind: 'status', status: 404 }, 'wrong response', undefined],
    [{ kind: 'status', status: 400 }, 'wrong response', undefined],
    [{ kind: 'status', status: 302 }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '<html>' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"shipment":{}}' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '[]' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"status":401,"title":"Unauthorized"}' }, 'access denied', undefined],
    [{ kind: 'wrong', body: '{"status":429,"title":"Too Many Requests"}' }, 'throttled', undefined],
  ])('%j is %s', async (mood, reason, retryAfterMs) => {
    dhl.setMood(mood);
    for (const call of [client.query([parcelOf('9901234567')], patient()), client.test(patient())])
      expect(await refusalOf(call)).toMatchObject({ reason, retryAfterMs });
  });

  test('of a wrong key, whose message does not show it', async () => {
    const other = sourceDhl.connect({ baseUrl: dhl.baseUrl, credentials: { key: 'secret-of-nobody' }, dispatcher });
    const refusal = await refusalOf(query(parcelOf('9901234567'), other));
    expect(refusal.reason).toBe('access denied');
    expect(refusal.message).not.toContain('secret-of-nobody');
    dhl.setMood({ kind: 'wrong', body: JSON.stringify({ status: 400, title: 'The key secret-of-nobody is bad' }) });
    expect(await query(parcelOf('9901234567'), other)).toEqual({ kind: 'rejected', reason: '400, The key … is bad' });
  });

  test('of the second call in 5 seconds, and of the 11th of one shipment', async () => {
    dhl.setLimits({});
    expect(await query(parcelOf('1'))).toEqual({ kind: 'no news' });
    expect(await refusalOf(query(parcelOf('2')))).toMatchObject({ reason: 'throttled' });
    dhl.setLimits({ requestsPerSecond: null });
    for (let times = 0; times < 10; times += 1) await query(parcelOf('1'));
    expect(await refusalOf(query(parcelOf('1')))).toMatchObject({ reason: 'throttled' });
    expect(dhl.calls.filter(({ isBeyondLimit }) => isBeyondLimit === true)).toHaveLength(2);
  });

  test.each<ServerMood>([{ kind: 'hangs' }, { kind: 'slow', ms: 500 }])('%j ends by the signal', async (mood) => {
    dhl.setMood(mood);
    expect(await refusalOf(client.query([parcelOf('1')], AbortSignal.timeout(100)))).toMatchObject({ reason: 'unavailable' });
  });
});

describe('what is sent', () => {
  let recorder: CarrierServer;

  beforeEach(async () => {
    recorder = await startCarrier();
    client = sourceDhl.connect({ baseUrl: new URL(recorder.url).origin, credentials: { key: 'k1' }, dispatcher });
  });
  afterEach(() => recorder.close());

  test('one number, in English, with the postcode where it is known, and the key in a header', async () => {
    recorder.respondWith((_req, res) => res.end('{"shipments":[]}'));
    expect(await query(parcelOf('JD 01&x=1', { destinationPostcode: '81-001' }))).toEqual({ kind: 'no news' });
    await client.test(patient());
    expect(recorder.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /track/shipments?trackingNumber=JD+01%26x%3D1&language=en&recipientPostalCode=81-001',
      'GET /track/shipments?trackingNumber=7777777770&language=en',
    ]);
    for (const carrierService of ['express', 'Express worldwide']) await query(parcelOf('JD1', { carrierService }));
    expect(recorder.requests.slice(2).map(({ url }) => url)).toEqual([
      '/track/shipments?trackingNumber=JD1&language=en&service=express',
      '/track/shipments?trackingNumber=JD1&language=en',
    ]);
    expect(recorder.requests[0]?.headers).toMatchObject({ 'dhl-api-key': 'k1', accept: 'application/json', 'accept-encoding': 'identity' });
  });

  test('a compressed response is refused', async () => {
    recorder.respondWith((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"shipments":[]}')));
    expect(await refusalOf(query(parcelOf('1')))).toMatchObject({ reason: 'wrong response' });
  });
});

describe('a push', () => {
  const secrets = () => sourceDhl.pushes?.secretsOf(dhl.credentials) ?? [];
  const isTrue = ({ body, headers }: ReturnType<SourceServer['signPush']>) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return sourceDhl.pushes?.verify(Buffer.from(body), lower, secrets());
  };

  test('is verified, parsed and translated', async () => {
    dhl.addRows('9901234567', { stage: 'delivered', at: '2026-11-25T11:30:00+01:00' });
    const push = dhl.signPush('9901234567');
    expect(isTrue(push)).toBe(true);
    const traces = sourceDhl.pushes?.parse(Buffer.from(push.body)).traces ?? [];
    expect(traces).toMatchObject([{ trackingNumber: '9901234567', carrier: 'ecommerce-europe' }]);
    expect(sourceDhl.translate(traces[0]?.raw, parcelOf('9901234567')).nodes).toMatchObject([{ adminStatus: 'Delivery Success' }]);
  });

  test('without the token, or with another, is wrong', () => {
    dhl.addRows('9901234567', { stage: 'delivered', at: '2026-11-25T11:30:00+01:00' });
    expect(isTrue(dhl.signPush('9901234567', { isUnsigned: true }))).toBe(false);
    expect(isTrue(dhl.signPush('9901234567', { secret: 'another' }))).toBe(false);
  });

  test('is true with the token before too, while it is replaced; without a token there is no secret', () => {
    const secretsOf = sourceDhl.pushes?.secretsOf;
    expect(secretsOf?.({ key: 'k', push_token: 'new', previous_push_token: 'old' })).toEqual(['new', 'old']);
    expect(secretsOf?.({ key: 'k', push_token: '' })).toEqual([]);
  });
});
