import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startEasyPostServer } from '@parcelway/harness/sources/easypost-server';
import type { PushOptions, SourceServer } from '@parcelway/harness/sources/source-server';
import { MockAgent } from 'undici';
import type { AskedParcel, Credentials, SourceClient } from '../source.ts';
import { sourceEasyPost } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcel: AskedParcel = { trackingNumber: '9400 1001/1036', dispatchedAt: 0, carrierCode: 'DHL-Express', reference: null };

describe('what is sent, and what is chosen', () => {
  let agent: MockAgent;
  let client: SourceClient;
  const sent: { path: string; method: string; headers: unknown; body: unknown }[] = [];

  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    sent.length = 0;
    client = sourceEasyPost.connect({ baseUrl: sourceEasyPost.baseUrl, credentials: { key: 'EZAK-SECRET' }, dispatcher: agent });
  });

  afterEach(() => agent.close());

  /** Lets the next call have this response. */
  function respond(json: unknown, statusCode = 200, headers: Record<string, string> = {}): void {
    const reply = ({ path, method, headers: given, body }: { path: string; method: string; headers?: unknown; body?: unknown }) => {
      sent.push({ path, method, headers: given, body: typeof body === 'string' ? JSON.parse(body) : undefined });
      return { statusCode, data: JSON.stringify(json), responseOptions: { headers } };
    };
    agent
      .get('https://api.easypost.com')
      .intercept({ path: () => true, method: () => true })
      .reply(reply);
  }

  // Computed with base64 of coreutils from the text `EZAK-SECRET:`.
  const authorization = 'Basic RVpBSy1TRUNSRVQ6';
  const common = { accept: 'application/json', 'accept-encoding': 'identity', authorization };
  const tracker = (id: string, more: object = {}) => ({
    id,
    object: 'Tracker',
    tracking_code: parcel.trackingNumber,
    tracking_details: [],
    ...more,
  });

  test('for a registration', async () => {
    respond(tracker('trk_1'), 201);
    expect(await client.register([parcel], signal)).toEqual([{ kind: 'registered', reference: 'trk_1' }]);
    const body = { tracker: { tracking_code: '9400 1001/1036', carrier: 'DHLExpress' } };
    expect(sent).toEqual([{ path: '/v2/trackers', method: 'POST', headers: { ...common, 'content-type': 'application/json' }, body }]);
  });

  test('for a registration with a carrier that is in no table', async () => {
    respond(tracker('trk_1'));
    await client.register([{ ...parcel, carrierCode: 'yunexpress' }], signal);
    expect(sent[0]?.body).toEqual({ tracker: { tracking_code: '9400 1001/1036' } });
  });

  test('for a query, to undo a registration, and to test the credentials', async () => {
    respond({ ...tracker('trk_1'), trackers: [] });
    await client.query([{ ...parcel, reference: 'trk_1' }], signal);
    respond({ trackers: [] });
    await client.query([parcel], signal);
    respond({ success: true });
    await client.unregister([{ ...parcel, reference: 'trk_1' }, parcel, { ...parcel, reference: 'trk_/../x' }], signal);
    respond({ trackers: [] });
    await client.test(signal);
    expect(sent).toEqual([
      { path: '/v2/trackers/trk_1', method: 'GET', headers: common, body: undefined },
      { path: '/v2/trackers?tracking_code=9400+1001%2F1036&page_size=100', method: 'GET', headers: common, body: undefined },
      { path: '/v2/trackers/trk_1', method: 'DELETE', headers: common, body: undefined },
      { path: '/v2/trackers?page_size=1', method: 'GET', headers: common, body: undefined },
    ]);
  });

  test('of several Trackers the one of the carrier, then the one with the newest row', async () => {
    const row = (datetime: unknown) => ({ tracking_details: [{ datetime }, null] });
    const old = tracker('trk_1', { carrier: 'USPS', ...row('2025-01-01T00:00:00Z') });
    const next = tracker('trk_2', { carrier: 'UPS', ...row('2026-01-01T00:00:00Z') });
    const own = tracker('trk_3', { carrier: 'DHLExpress', ...row(5) });
    const other = { ...tracker('trk_4', row('2026-11-01T00:00:00Z')), tracking_code: '1' };
    respond({ trackers: [other, old, next, own, null, { id: 'x' }] });
    expect(await client.query([parcel], signal)).toEqual([{ kind: 'trace', raw: own }]);
    respond({ trackers: [other, old, next, old] });
    expect(await client.query([parcel], signal)).toEqual([{ kind: 'trace', raw: next }]);
    respond({ trackers: [other] });
    expect(await client.query([parcel], signal)).toEqual([{ kind: 'not registered' }]);
  });

  test.each([
    [422, 'BILLING.INVALID_PAYMENT_GATEWAY_REFERENCE', 'quota used up'],
    [422, 'APIKEY.INACTIVE', 'access denied'],
    [400, 'RATE_LIMITED', 'throttled'],
    [401, 'X', 'access denied'],
    [500, 'APIKEY.INACTIVE', 'unavailable'],
  ])('%d %s refuses the call: %s', async (status, code, reason) => {
    respond({ error: { code, message: 'No, EZAK-SECRET.', errors: [] } }, status);
    const refused = await client.register([parcel], signal).catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ name: 'SourceRefusal', reason });
    expect((refused as Error).message).not.toContain('EZAK-SECRET');
  });

  test('words of EasyPost that hold the key do not go into a reason', async () => {
    respond({ error: { code: 'UNPROCESSABLE_ENTITY', message: 'Not with EZAK-SECRET.', errors: [] } }, 422);
    expect(await client.register([parcel], signal)).toEqual([{ kind: 'rejected', reason: 'UNPROCESSABLE_ENTITY: Not with ….' }]);
  });

  test('a compressed response is refused', async () => {
    respond(tracker('trk_1'), 200, { 'content-encoding': 'gzip' });
    await expect(client.register([parcel], signal)).rejects.toMatchObject({ reason: 'wrong response' });
  });
});

describe('a push', () => {
  let server: SourceServer;
  const number = '9400100110368068953525';
  beforeEach(async () => {
    server = await startEasyPostServer();
    server.addRows(number, { stage: 'delivered', at: '2026-11-25T14:00:00-05:00', text: 'Delivered' });
  });
  afterEach(() => server.close());

  const { pushes } = sourceEasyPost;
  function isRight(options: PushOptions, credentials: Credentials = server.credentials): boolean | undefined {
    const { body, headers } = server.signPush(number, options);
    return pushes?.verify(Buffer.from(body), headers, pushes.secretsOf(credentials));
  }

  test('of the server is right, and is read', () => {
    expect(isRight({})).toBe(true);
    const { body } = server.signPush(number);
    expect(body).toContain('"weight":136.0,');
    const push = pushes?.parse(Buffer.from(body));
    expect(push).toMatchObject({ id: expect.stringMatching(/^evt_/), traces: [{ trackingNumber: number, carrier: 'USPS' }] });
    const nodes = sourceEasyPost.translate(push?.traces[0]?.raw, { ...parcel, trackingNumber: number }).nodes;
    expect(nodes).toMatchObject([{ adminStatus: 'Delivery Success', content: 'Delivered' }]);
  });

  test('is right with the secret before, too, and with no other', () => {
    expect(isRight({ secret: 'OLD' }, { ...server.credentials, previous_webhook_secret: 'OLD' })).toBe(true);
    expect(isRight({}, { webhook_secret: 'NEW', previous_webhook_secret: server.credentials['webhook_secret'] ?? '' })).toBe(true);
    for (const options of [{ secret: 'OLD' }, { isUnsigned: true }, { signs: '{}' }]) expect(isRight(options)).toBe(false);
    for (const credentials of [{ key: 'k' }, { key: 'k', webhook_secret: '' }] as readonly Credentials[]) {
      expect(pushes?.secretsOf(credentials)).toEqual([]);
      expect(isRight({ secret: '' }, credentials)).toBe(false);
    }
  });
});
