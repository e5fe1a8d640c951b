import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerMood, SourceServer } from '@parcelway/harness/sources/source-server';
import { startYunExpressServer } from '@parcelway/harness/sources/yunexpress-server';
import { Agent } from 'undici';
import { startCarrier } from '../../testing/carrier-server.ts';
import type { AskedParcel, SourceClient } from '../source.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { sourceYunExpress } from './source.ts';

/** Far longer than a response from this machine takes. */
const patient = (): AbortSignal => AbortSignal.timeout(20_000);
const NUMBER = 'YT2630600700100017';
const parcelOf = (trackingNumber = NUMBER): AskedParcel => ({
  trackingNumber,
  dispatchedAt: Date.UTC(2026, 10, 20),
  destinationCountry: 'NL',
  carrierCode: 'YunExpress',
  reference: null,
});

let yun: SourceServer;
let dispatcher: Agent;
let client: SourceClient;

beforeEach(async () => {
  yun = await startYunExpressServer();
  dispatcher = new Agent();
  client = sourceYunExpress.connect({ baseUrl: yun.baseUrl, credentials: yun.credentials, dispatcher });
});
afterEach(async () => {
  await dispatcher.destroy();
  await yun.close();
});

const query = async (number = NUMBER, by = client) => (await by.query([parcelOf(number)], patient()))[0];
const register = (numbers: readonly string[]) => client.register(numbers.map(parcelOf), patient());
const traceOf = async () => {
  const result = await query();
  if (result?.kind !== 'trace') throw new Error(`The result is ${result?.kind}`);
  return sourceYunExpress.translate(result.raw, parcelOf());
};
const refusalOf = (call: Promise<unknown>): Promise<SourceRefusal> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => (error instanceof SourceRefusal ? error : Promise.reject(error)),
  );
const callsOf = (kind: string) => yun.calls.filter((call) => call.kind === kind);

describe('a query', () => {
  test('of a known number has its trace', async () => {
    yun.addRows(
      NUMBER,
      { stage: 'info received', at: '2026-11-21T09:00:00+08:00', country: 'CN' },
      { stage: 'customs', at: '2026-11-24T15:00:00+01:00', country: 'NL', leg: 2 },
      { stage: 'delivered', at: '2026-11-25T11:30:00+01:00', city: 'Utrecht', country: 'NL', leg: 2 },
    );
    const { nodes, undated, leftOut, unknownCodes } = await traceOf();
    expect(nodes.map(({ adminStatus, createTime, times }) => [adminStatus, createTime, times])).toEqual([
      ['Info Received', '2026-11-21 09:00:00', '(GMT+08:00)'],
      ['Customs Clearance', '2026-11-24 15:00:00', '(GMT+01:00)'],
      ['Delivery Success', '2026-11-25 11:30:00', '(GMT+01:00)'],
    ]);
    expect([undated, leftOut, unknownCodes]).toEqual([[], [], []]);
  });

  test('of rows without a zone or a time, and of a code that nobody knows', async () => {
    yun.addRows(
      NUMBER,
      { stage: 'returning', at: null },
      { stage: 'in transit', at: '2026-11-24T15:00:00+01:00', hasZone: false, country: 'NL', code: 'MD/TT' },
    );
    const { nodes, undated, unknownCodes } = await traceOf();
    expect(nodes).toMatchObject([{ adminStatus: 'In Transit', createTime: '2026-11-24 15:00:00', zoneBasis: 'derived' }]);
    expect(undated).toMatchObject([{ adminStatus: 'Returning' }]);
    expect(unknownCodes).toEqual(['MD/TT']);
  });

  test('of a number that was used before has the trace of its last parcel', async () => {
    yun.addRows(NUMBER, { stage: 'in transit', at: '2026-11-24T15:00:00+01:00' });
    yun.addFormerParcel(NUMBER, { stage: 'delivered', at: '2024-03-02T07:53:47+01:00' });
    expect((await traceOf()).nodes).toMatchObject([{ createTime: '2026-11-24 15:00:00' }]);
  });

  test('of a number that YunExpress does not know yet, and of one that it does not take', async () => {
    yun.refuse('BAD');
    expect(await query()).toEqual({ kind: 'no news' });
    expect(await query('BAD')).toEqual({ kind: 'rejected', reason: '02030404: The order_number is wrong' });
  });
});

describe('a registration', () => {
  test('subscribes all numbers in one call, also twice, and its end does too', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => `YT${index}`);
    for (let times = 0; times < 2; times += 1) {
      expect(await register(numbers)).toEqual(numbers.map(() => ({ kind: 'registered', reference: null })));
    }
    for (let times = 0; times < 2; times += 1) await client.unregister(numbers.map(parcelOf), patient());
    expect([callsOf('register').length, callsOf('unregister').length]).toEqual([2, 2]);
    expect(await register([])).toEqual([]);
  });

  test('of a wrong number among others costs that number alone', async () => {
    yun.refuse('YT3');
    const numbers = Array.from({ length: 50 }, (_, index) => `YT${index}`);
    const results = await register(numbers);
    expect(results.map(({ kind }, index) => (kind === 'rejected' ? index : -1)).filter((index) => index >= 0)).toEqual([3]);
    expect(results[3]).toEqual({ kind: 'rejected', reason: '02030404: The waybill YT3 does not exist' });
    // Two calls for each halving, beside the first.
    expect(callsOf('register').length).toBeLessThanOrEqual(13);
    await client.unregister(numbers.map(parcelOf), patient());
  });

  test('of wrong numbers alone ends', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => `YT${index}`);
    for (const number of numbers) yun.refuse(number);
    expect(new Set((await register(numbers)).map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    expect(callsOf('register')).toHaveLength(99);
  });

  test('that is refused does not stop queries', async () => {
    yun.addRows(NUMBER, { stage: 'in transit', at: '2026-11-24T15:00:00+01:00' });
    yun.setMood({ kind: 'status', status: 403 });
    expect(await refusalOf(register([NUMBER]))).toMatchObject({ reason: 'access denied' });
    yun.setMood({ kind: 'well' });
    expect(await query()).toMatchObject({ kind: 'trace' });
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
    [{ kind: 'wrong', body: '<html>' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"result":[]}' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '[]' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '' }, 'wrong response', undefined],
    [{ kind: 'wrong', body: '{"success":false,"code":401,"msg":"token expired"}' }, 'access denied', undefined],
    [{ kind: 'wrong', body: '{"success":"false","code":"0200412101"}' }, 'access denied', undefined],
    [{ kind: 'wrong', body: '{"success":false,"code":"429"}' }, 'throttled', undefined],
  ])('%j is %s, with a token and without one', async (mood, reason, retryAfterMs) => {
    await query();
    yun.setMood(mood);
    expect(await refusalOf(query())).toMatchObject({ reason, retryAfterMs });
    expect(await refusalOf(register([NUMBER]))).toMatchObject({ reason, retryAfterMs });
    expect(await refusalOf(client.test(patient()))).toMatchObject({ reason, retryAfterMs });
  });

  test.each(['5', '"x"', '[5]'])('the result %s is a wrong response', async (result) => {
    await query();
    yun.setMood({ kind: 'wrong', body: `{"success":true,"result":${result}}` });
    expect(await refusalOf(query())).toMatchObject({ reason: 'wrong response' });
  });

  test.each(['null', '[]', '[{"order_number":"YT1","package_status":"N"}]'])('the result %s is no news', async (result) => {
    await query();
    yun.setMood({ kind: 'wrong', body: `{"success":"true","result":${result}}` });
    expect(await query()).toEqual({ kind: 'no news' });
  });

  test.each(['app_id', 'app_secret', 'source_key'])('of a wrong %s, whose message does not show it', async (name) => {
    const credentials = { ...yun.credentials, [name]: 'secret-of-nobody' };
    const other = sourceYunExpress.connect({ baseUrl: yun.baseUrl, credentials, dispatcher });
    for (const call of [other.test(patient()), query(NUMBER, other)]) {
      const refusal = await refusalOf(call);
      expect(refusal.reason).toBe('access denied');
      expect(refusal.message).not.toContain('secret-of-nobody');
    }
  });

  test('a reason does not repeat a credential', async () => {
    await query();
    yun.setMood({ kind: 'wrong', body: JSON.stringify({ success: false, code: '1', msg: `Not for ${yun.credentials['app_secret']}` }) });
    expect(await query()).toEqual({ kind: 'rejected', reason: '1: Not for …' });
  });

  test.each<ServerMood>([{ kind: 'hangs' }, { kind: 'slow', ms: 500 }])('%j ends by the signal', async (mood) => {
    const ended = () => refusalOf(client.query([parcelOf()], AbortSignal.timeout(100)));
    await query();
    yun.setMood(mood);
    expect(await ended()).toMatchObject({ reason: 'unavailable' });
    client = sourceYunExpress.connect({ baseUrl: yun.baseUrl, credentials: yun.credentials, dispatcher });
    expect(await ended()).toMatchObject({ reason: 'unavailable' });
    expect(await refusalOf(client.query([parcelOf()], AbortSignal.abort()))).toMatchObject({ reason: 'unavailable' });
  });

  test('a compressed response', async () => {
    const vendor = await startCarrier();
    vendor.respondWith((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"accessToken":"t"}')));
    const other = sourceYunExpress.connect({ baseUrl: new URL(vendor.url).origin, credentials: yun.credentials, dispatcher });
    expect(await refusalOf(query(NUMBER, other))).toMatchObject({ reason: 'wrong response' });
    await vendor.close();
  });
});
