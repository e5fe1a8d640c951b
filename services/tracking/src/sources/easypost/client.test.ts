import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startEasyPostServer } from '@parcelway/harness/sources/easypost-server';
import type { ServerRow, SourceServer } from '@parcelway/harness/sources/source-server';
import { Agent } from 'undici';
import type { AskedParcel, Credentials, SourceClient } from '../source.ts';
import type { Trace } from '../trace.ts';
import { sourceEasyPost } from './source.ts';

let server: SourceServer;
let agent: Agent;
let client: SourceClient;

beforeEach(async () => {
  server = await startEasyPostServer();
  server.setLimits({ requestsPerSecond: null });
  agent = new Agent();
  client = sourceEasyPost.connect({ baseUrl: server.baseUrl, credentials: server.credentials, dispatcher: agent });
});

afterEach(async () => {
  await agent.destroy();
  await server.close();
});

const soon = (): AbortSignal => AbortSignal.timeout(10_000);

function parcel(trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel {
  return { trackingNumber, dispatchedAt: Date.parse('2026-11-20T00:00:00Z'), carrierCode: 'usps', reference: null, ...more };
}

const one = parcel('9400100110368068953525');
const two = parcel('9400100110368068953526');
const pickedUp: ServerRow = { stage: 'picked up', at: '2026-11-21T08:00:00-08:00', text: 'Taken over', city: 'Fontana', country: 'US' };
const delivered: ServerRow = { stage: 'delivered', at: '2026-11-25T14:00:00-05:00', text: 'Delivered', leg: 2 };

/** The parcel with the reference that its registration gives. */
async function registered(asked: AskedParcel): Promise<AskedParcel & { readonly reference: string }> {
  const [result] = await client.register([asked], soon());
  if (result?.kind !== 'registered' || result.reference === null) throw new Error(`It is ${JSON.stringify(result)}`);
  return { ...asked, reference: result.reference };
}

async function traceOf(asked: AskedParcel): Promise<Trace | undefined> {
  const [result] = await client.query([asked], soon());
  return result?.kind === 'trace' ? sourceEasyPost.translate(result.raw, asked) : undefined;
}

describe('registration', () => {
  test('gives the id of the Tracker, and the same a second time', async () => {
    const { reference } = await registered(one);
    expect(reference).toMatch(/^trk_[0-9a-f]{32}$/);
    expect((await registered(one)).reference).toBe(reference);
    expect((await registered(two)).reference).not.toBe(reference);
  });

  test('a number that EasyPost refuses costs itself alone', async () => {
    server.refuse(one.trackingNumber);
    const results = await client.register([one, two, parcel('')], soon());
    expect(results).toMatchObject([{ kind: 'rejected' }, { kind: 'registered' }, { kind: 'rejected' }]);
    expect(results[0]).toMatchObject({ reason: 'TRACKER.CREATE.ERROR: The tracking code is not valid for any carrier.' });
  });

  test('is undone, and can be done again', async () => {
    const first = await registered(one);
    await client.unregister([first, two], soon());
    expect(await client.query([first, one], soon())).toEqual([{ kind: 'not registered' }, { kind: 'not registered' }]);
    await client.unregister([first], soon());
    expect((await registered(one)).reference).not.toBe(first.reference);
    expect(server.calls.map(({ kind, status }) => [kind, status])).toEqual([
      ['register', 200],
      ['unregister', 200],
      ['query', 404],
      ['query', 200],
      ['unregister', 404],
      ['register', 200],
    ]);
  });
});

describe('a query', () => {
  test('has no news before the first row, then a trace, by the id or by the number', async () => {
    const known = await registered(one);
    expect(await client.query([known, one, two], soon())).toEqual([{ kind: 'no news' }, { kind: 'no news' }, { kind: 'not registered' }]);
    server.addRows(one.trackingNumber, pickedUp, delivered);
    for (const asked of [known, one, { ...one, reference: '../x' }]) {
      const trace = await traceOf(asked);
      expect(trace?.nodes.map(({ adminStatus, content, provider }) => [adminStatus, content, provider])).toEqual([
        ['Picked Up', 'Taken over', 'Yanwen'],
        ['Delivery Success', 'Delivered', 'USPS'],
      ]);
      expect(trace).toMatchObject({ undated: [], leftOut: [], unknownCodes: [] });
    }
  });

  test('of a number that EasyPost refuses', async () => {
    const known = await registered(one);
    server.refuse(one.trackingNumber);
    expect(await client.query([known, one], soon())).toMatchObject([{ kind: 'rejected' }, { kind: 'rejected' }]);
  });

  test('rows without a time or a zone, unknown codes, former parcels and corrections come through', async () => {
    const known = await registered(one);
    server.addRows(one.trackingNumber, { ...pickedUp, at: null }, { ...pickedUp, hasZone: false }, { ...delivered, code: 'beamed_up' });
    server.addFormerParcel(one.trackingNumber, { ...pickedUp, at: '2025-03-01T12:00:00-08:00', text: 'Of another parcel' });
    const trace = await traceOf(known);
    expect(trace?.undated).toHaveLength(1);
    expect(trace?.unknownCodes).toEqual(['delivered/beamed_up']);
    expect(trace?.nodes.map(({ content, zoneBasis }) => [content, zoneBasis])).toEqual([
      ['Of another parcel', 'given'],
      ['Taken over', 'assumed'],
      ['Delivered', 'given'],
    ]);
    server.addFormerParcel(one.trackingNumber);
    server.replaceRows(one.trackingNumber, { ...pickedUp, text: 'Corrected' });
    expect((await traceOf(known))?.nodes).toMatchObject([{ content: 'Corrected' }]);
  });
});

describe('a refusal of the call as a whole', () => {
  const known = { ...one, reference: `trk_${'0'.repeat(32)}` };
  const calls = [
    ['register', () => client.register([one], soon())],
    ['unregister', () => client.unregister([known], soon())],
    ['query by the id', () => client.query([known], soon())],
    ['query by the number', () => client.query([one], soon())],
    ['test', () => client.test(soon())],
  ] as const;

  test.each(calls)('%s: the key is wrong', async (_name, call) => {
    server.setMood({ kind: 'key revoked' });
    const refused = await call().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(refused).toMatchObject({ name: 'SourceRefusal', reason: 'access denied' });
    const key = server.credentials['key'] ?? '';
    for (const secret of [key, Buffer.from(`${key}:`).toString('base64')])
      expect(`${refused?.message}${refused?.stack}`).not.toContain(secret);
  });

  test.each(calls)('%s: too many calls', async (_name, call) => {
    server.setLimits({ requestsPerSecond: 0 });
    await expect(call()).rejects.toMatchObject({ reason: 'throttled', retryAfterMs: undefined });
    server.setMood({ kind: 'status', status: 429, retryAfter: 7 });
    await expect(call()).rejects.toMatchObject({ reason: 'throttled', retryAfterMs: 7000 });
    server.setMood({ kind: 'status', status: 409, retryAfter: 1 });
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable', retryAfterMs: 1000 });
  });

  test.each(calls)('%s: nothing is paid', async (_name, call) => {
    server.setMood({ kind: 'quota used up' });
    await expect(call()).rejects.toMatchObject({ reason: 'quota used up' });
  });

  test.each(calls)('%s: EasyPost fails', async (_name, call) => {
    for (const mood of [{ kind: 'status', status: 500 }, { kind: 'status', status: 503 }, { kind: 'drops' }] as const) {
      server.setMood(mood);
      await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    }
  });

  test.each(calls)('%s: the response is none that is documented', async (name, call) => {
    const bodies =
      name === 'unregister'
        ? ['<html>']
        : ['<html>', '', '[]', '{}', '5', '{"id":"trk_1"}', '{"id":"x","tracking_code":"1"}', '{"trackers":5}'];
    for (const body of bodies) {
      server.setMood({ kind: 'wrong', body });
      await expect(call()).rejects.toMatchObject({ name: 'SourceRefusal', reason: 'wrong response' });
    }
    for (const status of [400, 405, 422]) {
      server.setMood({ kind: 'status', status });
      await expect(call()).rejects.toMatchObject({ reason: 'wrong response' });
    }
  });

  test('other credentials are refused', async () => {
    const options = { baseUrl: server.baseUrl, dispatcher: agent };
    for (const credentials of [{}, { key: '' }, { key: 'another' }] as readonly Credentials[]) {
      await expect(sourceEasyPost.connect({ ...options, credentials }).test(soon())).rejects.toMatchObject({ reason: 'access denied' });
    }
    await client.test(soon());
  });
});

test('a call ends by its signal', async () => {
  for (const mood of [{ kind: 'hangs' }, { kind: 'slow', ms: 500 }] as const) {
    server.setMood(mood);
    const since = Date.now();
    await expect(client.query([one], AbortSignal.timeout(50))).rejects.toMatchObject({ reason: 'unavailable' });
    expect(Date.now() - since).toBeLessThan(450);
  }
  server.setMood({ kind: 'slow', ms: 20 });
  expect(await client.query([one], soon())).toEqual([{ kind: 'not registered' }]);
});
