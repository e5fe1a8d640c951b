import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MockAgent } from 'undici';
import type { AskedParcel, SourceClient } from '../source.ts';
import { sourceEasyPost } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcel: AskedParcel = { trackingNumber: '9400 1001/1036', dispatchedAt: 0, carrierCode: 'DHL-Express', reference: null };

let agent: MockAgent;
let client: SourceClient;
let sent: { path: string; method: string; headers: unknown; body: unknown }[];
/** Status and body of each response. */
let response: [status: number, json: unknown];
/** Calls beyond the first of a run, each of which waits for its turn. */
let further: number;

beforeEach(() => {
  [sent, further] = [[], 0];
  agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('https://api.easypost.com')
    .intercept({ path: () => true, method: () => true })
    .reply(({ path, method, headers, body }) => {
      sent.push({ path, method, headers, body: typeof body === 'string' ? JSON.parse(body) : undefined });
      return { statusCode: response[0], data: JSON.stringify(response[1]) };
    })
    .persist();
  const nextCall = async (): Promise<void> => {
    further += 1;
  };
  client = sourceEasyPost.connect({ baseUrl: sourceEasyPost.baseUrl, credentials: { key: 'EZAK-SECRET' }, dispatcher: agent, nextCall });
});
afterEach(() => agent.close());

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
    response = [201, tracker('trk_1')];
    expect(await client.register([parcel], signal)).toEqual([{ kind: 'registered', reference: 'trk_1' }]);
    await client.register([{ ...parcel, carrierCode: 'yunexpress' }], signal);
    expect(sent[0]).toMatchObject({ path: '/v2/trackers', method: 'POST', headers: { ...headers, 'content-type': 'application/json' } });
    expect(sent.map(({ body }) => body)).toEqual([
      { tracker: { tracking_code: '9400 1001/1036', carrier: 'DHLExpress' } },
      { tracker: { tracking_code: '9400 1001/1036' } },
    ]);
  });

  test('for a query by id or by number, to undo a registration, and to test the credentials', async () => {
    response = [200, { ...tracker('trk_1'), trackers: [] }];
    await client.query([{ ...parcel, reference: 'trk_1' }, parcel, { ...parcel, reference: '../x' }], signal);
    await client.unregister([{ ...parcel, reference: 'trk_1' }, parcel, { ...parcel, reference: 'trk_/../x' }], signal);
    await client.test(signal);
    const byNumber = '/v2/trackers?tracking_code=9400+1001%2F1036&page_size=100';
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v2/trackers/trk_1',
      `GET ${byNumber}`,
      `GET ${byNumber}`,
      'DELETE /v2/trackers/trk_1',
      'GET /v2/trackers?page_size=1',
    ]);
    for (const call of sent) expect(call.headers).toEqual(headers);
    expect(further).toBe(2);
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
    response = [200, { trackers }];
    expect(await client.query([parcel], signal)).toEqual([result]);
  }
});

test('a Tracker that is gone is not registered, and its end is no error', async () => {
  response = [404, {}];
  const known = { ...parcel, reference: 'trk_1' };
  expect(await client.query([known], signal)).toEqual([{ kind: 'not registered' }]);
  await client.unregister([known], signal);
});

test.each([
  [422, 'BILLING.INVALID_PAYMENT_GATEWAY_REFERENCE', 'quota used up'],
  [422, 'APIKEY.INACTIVE', 'access denied'],
  [400, 'RATE_LIMITED', 'throttled'],
  [401, 'X', 'access denied'],
  [409, 'X', 'unavailable'],
  [500, 'APIKEY.INACTIVE', 'unavailable'],
])('%d %s refuses the call: %s', async (status, code, reason) => {
  response = [status, error(code)];
  const refused = await client.register([parcel], signal).catch((cause: unknown) => cause as Error);
  expect(refused).toMatchObject({ name: 'SourceRefusal', reason, message: expect.not.stringContaining('EZAK-SECRET') });
});

test('words of EasyPost that hold the key do not go into a reason', async () => {
  response = [422, error('UNPROCESSABLE_ENTITY')];
  for (const call of [client.register([parcel], signal), client.query([parcel], signal)])
    expect(await call).toEqual([{ kind: 'rejected', reason: 'UNPROCESSABLE_ENTITY: Not with ….' }]);
});

test.each([{ id: 'trk_1' }, { id: 'x', tracking_code: '1' }, { trackers: 5 }, tracker('trk_1', { tracking_details: {} })])(
  '%j is no Tracker',
  async (json) => {
    response = [200, json];
    for (const call of [client.register([parcel], signal), client.query([{ ...parcel, reference: 'trk_1' }], signal), client.test(signal)])
      await expect(call).rejects.toMatchObject({ reason: 'wrong response' });
  },
);
