import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import type { ServerRow, SourceServer } from '@parcelway/harness/sources/source-server';
import { Agent } from 'undici';
import type { AskedParcel, Credentials, SourceClient } from '../source.ts';
import { source17Track } from './source.ts';

let server: SourceServer;
let agent: Agent;
let client: SourceClient;

beforeEach(async () => {
  server = await start17TrackServer();
  server.setLimits({ requestsPerSecond: null });
  agent = new Agent();
  client = source17Track.connect({ baseUrl: server.baseUrl, credentials: server.credentials, dispatcher: agent });
});

afterEach(async () => {
  await agent.destroy();
  await server.close();
});

const soon = (): AbortSignal => AbortSignal.timeout(10_000);
const dispatchedAt = Date.parse('2026-11-20T00:00:00Z');

function parcel(trackingNumber: string, more: Partial<AskedParcel> = {}): AskedParcel {
  return { trackingNumber, dispatchedAt, carrierCode: 'yunexpress', reference: null, ...more };
}

const [one, two, three] = [parcel('YT2632400000000017'), parcel('YT2632400000000018'), parcel('YT2632400000000019')];
const pickedUp: ServerRow = { stage: 'picked up', at: '2026-11-21T08:00:00+08:00', text: 'Taken over', city: 'Shenzhen', country: 'CN' };
const delivered: ServerRow = { stage: 'delivered', at: '2026-11-25T14:00:00-05:00', text: 'Delivered', leg: 2 };

describe('registration', () => {
  test('gives the number of the carrier, and the same a second time', async () => {
    const unknown = parcel('EX000000017CN', { carrierCode: 'nobody' });
    const first = await client.register([one, unknown], soon());
    expect(first).toEqual([
      { kind: 'registered', reference: '190008' },
      { kind: 'registered', reference: '3011' },
    ]);
    expect(await client.register([one, unknown], soon())).toEqual(first);
  });

  test('a number that 17TRACK refuses, or does not take, costs itself alone', async () => {
    server.refuse(two.trackingNumber);
    const results = await client.register([one, two, parcel('no number'), three], soon());
    expect(results.map(({ kind }) => kind)).toEqual(['registered', 'rejected', 'rejected', 'registered']);
    expect(results[1]).toEqual({ kind: 'rejected', reason: 'carrier not detected (-18019903): The carrier can not be detected.' });
    expect(server.calls.at(-1)?.numbers).toEqual([one, two, three].map(({ trackingNumber }) => trackingNumber));
  });

  test('is undone, and can be done again', async () => {
    const [registered] = await client.register([one], soon());
    const reference = registered?.kind === 'registered' ? registered.reference : null;
    await client.unregister([{ ...one, reference }, two], soon());
    expect(await client.query([one], soon())).toEqual([{ kind: 'not registered' }]);
    await client.unregister([one], soon());
    expect(await client.register([one], soon())).toEqual([registered]);
  });

  test('two parcels under one number are one item', async () => {
    const results = await client.register([one, { ...one, dispatchedAt: 0 }], soon());
    expect(results.map(({ kind }) => kind)).toEqual(['registered', 'registered']);
    expect(server.calls.at(-1)?.numbers).toEqual([one.trackingNumber]);
  });
});

describe('a query', () => {
  test('has a result for each parcel, in the order of the parcels', async () => {
    await client.register([one, two, three], soon());
    server.addRows(one.trackingNumber, pickedUp, delivered);
    server.refuse(three.trackingNumber);
    const results = await client.query([three, parcel('YT2632400000000020'), two, one, parcel('x')], soon());
    expect(results.map(({ kind }) => kind)).toEqual(['rejected', 'not registered', 'no news', 'trace', 'rejected']);
    const trace = results[3]?.kind === 'trace' ? source17Track.translate(results[3].raw, one) : undefined;
    expect(trace?.nodes.map(({ adminStatus, content, provider }) => [adminStatus, content, provider])).toEqual([
      ['Delivery Success', 'Delivered', 'USPS'],
      ['Picked Up', 'Taken over', 'China Post'],
    ]);
    expect(trace).toMatchObject({ undated: [], leftOut: [], unknownCodes: [] });
  });

  test('finds a number that comes back in other letters, and has no news of one that does not come', async () => {
    server.setMood({
      kind: 'wrong',
      body: JSON.stringify({ code: 0, data: { accepted: [{ number: 'yt2632400000000017', track_info: null }] } }),
    });
    expect(await client.query([one, two], soon())).toEqual([{ kind: 'no news' }, { kind: 'no news' }]);
    expect(await client.register([one, two], soon())).toEqual([
      { kind: 'registered', reference: null },
      { kind: 'rejected', reason: '17TRACK does not name the number in its response' },
    ]);
  });

  test('takes the carrier of the registration among several parcels of a number', async () => {
    await client.register([one], soon());
    server.addFormerParcel(one.trackingNumber, { ...pickedUp, at: '2026-11-26T08:00:00+08:00', text: 'Of another parcel' });
    const asked = { ...one, reference: '190008' };
    expect(await client.query([asked], soon())).toEqual([{ kind: 'no news' }]);
    server.addRows(one.trackingNumber, pickedUp);
    const [result] = await client.query([asked], soon());
    expect(result?.kind === 'trace' && source17Track.translate(result.raw, asked).nodes).toMatchObject([{ content: 'Taken over' }]);
  });

  test('rows without a time or a zone, unknown codes and corrections come through', async () => {
    await client.register([one], soon());
    server.addRows(
      one.trackingNumber,
      { ...pickedUp, at: null },
      { ...pickedUp, hasZone: false },
      { ...delivered, code: 'Delivered_Moon' },
    );
    const read = async () => {
      const [result] = await client.query([one], soon());
      return result?.kind === 'trace' ? source17Track.translate(result.raw, one) : undefined;
    };
    const trace = await read();
    expect(trace?.undated).toHaveLength(1);
    expect(trace?.nodes.map(({ zoneBasis }) => zoneBasis)).toEqual(['given', 'derived']);
    expect(trace?.unknownCodes).toEqual(['Delivered_Moon']);
    server.replaceRows(one.trackingNumber, { ...pickedUp, text: 'Corrected' });
    expect((await read())?.nodes).toMatchObject([{ content: 'Corrected' }]);
  });
});

describe('a refusal of the call as a whole', () => {
  const calls = [
    ['register', () => client.register([one], soon())],
    ['unregister', () => client.unregister([one], soon())],
    ['query', () => client.query([one], soon())],
    ['test', () => client.test(soon())],
  ] as const;

  test.each(calls)('%s: the key is wrong', async (_name, call) => {
    server.setMood({ kind: 'key revoked' });
    const refused = await call().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(refused).toMatchObject({ name: 'SourceRefusal', reason: 'access denied' });
    expect(`${refused?.message}${refused?.stack}`).not.toContain(server.credentials['key']);
  });

  test.each(calls)('%s: too many calls', async (_name, call) => {
    server.setLimits({ requestsPerSecond: 0 });
    await expect(call()).rejects.toMatchObject({ reason: 'throttled', retryAfterMs: undefined });
    server.setMood({ kind: 'status', status: 429, retryAfter: 7 });
    await expect(call()).rejects.toMatchObject({ reason: 'throttled', retryAfterMs: 7000 });
  });

  test.each(calls)('%s: 17TRACK fails', async (_name, call) => {
    for (const mood of [{ kind: 'status', status: 500 }, { kind: 'status', status: 503 }, { kind: 'drops' }] as const) {
      server.setMood(mood);
      await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    }
    server.setMood({ kind: 'wrong', body: '{"code":-18010003,"data":{}}' });
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable', message: expect.stringContaining('-18010003') });
  });

  test.each(calls)('%s: the response is none that is documented', async (_name, call) => {
    const bodies = ['<html>', '', '[]', '{}', '{"code":0}', '{"code":0,"data":{"accepted":5}}', '{"code":-1,"data":{}}'];
    for (const body of [...bodies, '{"code":0,"data":{"errors":[{"code":-18010013,"message":"Invalid submitted data."}]}}']) {
      server.setMood({ kind: 'wrong', body });
      await expect(call()).rejects.toMatchObject({ name: 'SourceRefusal', reason: 'wrong response' });
    }
    server.setMood({ kind: 'status', status: 404 });
    await expect(call()).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test.each(calls.slice(0, 3))('%s: the quota is used up', async (_name, call) => {
    const error = { code: -18019908, message: 'Quota is not enough for use.' };
    const rejected = [{ number: one.trackingNumber, carrier: 0, error }];
    server.setMood({ kind: 'wrong', body: JSON.stringify({ code: 0, data: { accepted: [], rejected } }) });
    await expect(call()).rejects.toMatchObject({ reason: 'quota used up' });
  });

  test('the quota is used up: registrations alone take of it', async () => {
    await client.register([one], soon());
    server.addRows(one.trackingNumber, pickedUp);
    server.setMood({ kind: 'quota used up' });
    await expect(client.register([two], soon())).rejects.toMatchObject({ reason: 'quota used up' });
    expect(await client.query([one], soon())).toMatchObject([{ kind: 'trace' }]);
    await client.test(soon());
    await client.unregister([one], soon());
  });

  test('a registration that the response does not mention', async () => {
    server.setMood({ kind: 'wrong', body: '{"code":0,"data":{"accepted":[],"rejected":[]}}' });
    await expect(client.register([one], soon())).rejects.toMatchObject({ reason: 'wrong response' });
    expect(await client.query([one], soon())).toEqual([{ kind: 'no news' }]);
    await expect(client.test(soon())).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test('the quota ends amid a registration: all is repeated, and a query keeps the others', async () => {
    const rejected = [{ number: two.trackingNumber, carrier: 190008, error: { code: -18019908, message: 'No.' } }];
    const accepted = [{ number: one.trackingNumber, carrier: 190008, track_info: { tracking: { providers: [{ events: [{}] }] } } }];
    server.setMood({ kind: 'wrong', body: JSON.stringify({ code: 0, data: { accepted, rejected } }) });
    await expect(client.register([one, two], soon())).rejects.toMatchObject({ reason: 'quota used up' });
    expect(await client.query([one, two], soon())).toMatchObject([{ kind: 'trace' }, { kind: 'no news' }]);
  });

  test('other credentials are refused', async () => {
    const options = { baseUrl: server.baseUrl, dispatcher: agent };
    for (const credentials of [{}, { key: '' }, { key: 'another' }] as readonly Credentials[]) {
      await expect(source17Track.connect({ ...options, credentials }).test(soon())).rejects.toMatchObject({ reason: 'access denied' });
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

test('no more than 40 numbers go into a call, and the server refuses more', async () => {
  const many = (count: number): AskedParcel[] => Array.from({ length: count }, (_, index) => parcel(`YT26324000000001${10 + index}`));
  const { numbersPerQuery, numbersPerRegistration } = source17Track.limits;
  expect(await client.register(many(numbersPerRegistration), soon())).toHaveLength(40);
  expect(await client.query(many(numbersPerQuery), soon())).toHaveLength(40);
  await expect(client.query(many(41), soon())).rejects.toMatchObject({ reason: 'wrong response' });
});

test('numbers that 17TRACK does not take alone make no call', async () => {
  const odd = [parcel(''), parcel('1234'), parcel('A'.repeat(51)), parcel('YT 26324'), parcel('…………')];
  expect((await client.register(odd, soon())).map(({ kind }) => kind)).toEqual(odd.map(() => 'rejected'));
  expect((await client.query(odd, soon())).map(({ kind }) => kind)).toEqual(odd.map(() => 'rejected'));
  await client.unregister(odd, soon());
  expect(server.calls).toEqual([]);
});
