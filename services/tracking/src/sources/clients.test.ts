// What holds for the calls of every vendor: how its refusals are understood. What each vendor is sent, and its own codes, are tested beside its source.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerMood, SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { Agent } from 'undici';
import { numberOf } from '../testing/source-driver.ts';
import type { AskedParcel, Credentials, SourceClient, TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import { type RefusalReason, SourceRefusal } from './source-refusal.ts';

/** What a vendor says of a quota that is used up, and to which call. */
const quotas: Readonly<Record<string, readonly ['register' | 'query', RefusalReason]>> = {
  '17track': ['register', 'quota used up'],
  aftership: ['query', 'quota used up'],
  easypost: ['query', 'quota used up'],
  ups: ['query', 'quota used up'],
  dhl: ['query', 'throttled'],
  yunexpress: ['query', 'throttled'],
};
/** The name of a parcel that the vendor may have given it, for its end. */
const references: Readonly<Record<string, string>> = { aftership: '7a7a7a7a3b4a59687766554433221104', easypost: `trk_${'0'.repeat(32)}` };

const signal = (ms = 20_000): AbortSignal => AbortSignal.timeout(ms);

describe.each(Object.keys(sourceServers))('%s', (name) => {
  const source = trackingSources.get(name) as TrackingSource;
  let server: SourceServer;
  let dispatcher: Agent;
  let client: SourceClient;

  beforeEach(async () => {
    server = (await sourceServers[name]?.()) as SourceServer;
    server.setLimits({ requestsPerSecond: null });
    dispatcher = new Agent();
    client = connect();
  });
  afterEach(async () => {
    await dispatcher.destroy();
    await server.close();
  });

  const connect = (credentials: Credentials = server.credentials): SourceClient =>
    source.connect({ baseUrl: server.baseUrl, credentials, dispatcher });
  const parcelOf = (index: number, reference: string | null = null): AskedParcel => ({
    trackingNumber: numberOf(name, index),
    dispatchedAt: Date.parse('2026-11-20T00:00:00Z'),
    carrierCode: 'unknown',
    reference,
  });
  const parcel = parcelOf(1);
  const calls = {
    register: () => client.register([parcel], signal()),
    query: () => client.query([parcel], signal()),
    unregister: () => client.unregister([parcelOf(1, references[name] ?? null)], signal()),
    test: () => client.test(signal()),
  };
  /** Calls that reach the vendor. */
  async function reaching(): Promise<[string, () => Promise<unknown>][]> {
    const reached: [string, () => Promise<unknown>][] = [];
    for (const [what, call] of Object.entries(calls)) {
      const before = server.calls.length;
      await call().catch(() => undefined);
      if (server.calls.length > before) reached.push([what, call]);
    }
    return reached;
  }
  async function refusalOf(call: () => Promise<unknown>): Promise<SourceRefusal> {
    const error = await call().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (!(error instanceof SourceRefusal)) throw new Error(`It is no refusal: ${error}`);
    for (const secret of Object.values(server.credentials)) expect(`${error.message}${error.stack}`).not.toContain(secret);
    return error;
  }

  test.each<[ServerMood, RefusalReason, number | undefined]>([
    [{ kind: 'key revoked' }, 'access denied', undefined],
    [{ kind: 'status', status: 429, retryAfter: 7 }, 'throttled', 7000],
    [{ kind: 'status', status: 503, retryAfter: 5 }, 'unavailable', 5000],
    [{ kind: 'status', status: 500 }, 'unavailable', undefined],
    [{ kind: 'drops' }, 'unavailable', undefined],
    [{ kind: 'wrong', body: '<html>' }, 'wrong response', undefined],
  ])('%j is %s, for each call', async (mood, reason, retryAfterMs) => {
    const reached = await reaching();
    expect(reached.map(([what]) => what)).toEqual(expect.arrayContaining(['query', 'test']));
    server.setMood(mood);
    for (const [, call] of reached) expect(await refusalOf(call)).toMatchObject({ reason, retryAfterMs });
  });

  test.each(['', '[]', '{}', 'null', '5', '"x"'])('the body %j is a wrong response', async (body) => {
    await calls.test();
    server.setMood({ kind: 'wrong', body });
    for (const call of [calls.query, calls.test]) expect(await refusalOf(call)).toMatchObject({ reason: 'wrong response' });
  });

  test('a quota that is used up', async () => {
    const [what, reason] = quotas[name] ?? ['query', 'unavailable'];
    server.setMood({ kind: 'quota used up' });
    expect(await refusalOf(calls[what])).toMatchObject({ reason });
  });

  test('other credentials are refused', async () => {
    for (const required of source.credentials.required) {
      for (const value of ['secret-of-nobody', '']) {
        client = connect({ ...server.credentials, [required]: value });
        const { reason, message } = await refusalOf(calls.test);
        expect([reason, message.includes('secret-of-nobody')]).toEqual(['access denied', false]);
      }
    }
  });

  test.each<[ServerMood, boolean]>([
    [{ kind: 'hangs' }, false],
    [{ kind: 'slow', ms: 500 }, false],
    [{ kind: 'hangs' }, true],
    [{ kind: 'slow', ms: 500 }, true],
  ])('a vendor that %j is left at the end of the signal (with a token: %p)', async (mood, hasToken) => {
    if (hasToken) await calls.test();
    server.setMood(mood);
    const since = Date.now();
    expect(await refusalOf(() => client.query([parcel], signal(50)))).toMatchObject({ reason: 'unavailable' });
    expect(Date.now() - since).toBeLessThan(450);
  });

  test('a number that the vendor refuses costs itself alone, in every call', async () => {
    const [one, refused, two] = [parcelOf(1), parcelOf(2), parcelOf(3)] as const;
    server.refuse(refused.trackingNumber);
    const isNeeded = source.registersFor !== null;
    const registered = await client.register([one, refused, two], signal());
    expect(registered.map(({ kind }) => kind)).toEqual(['registered', isNeeded ? 'rejected' : 'registered', 'registered']);
    const [first, between, last] = await client.query([one, refused, two], signal());
    for (const result of [first, last]) expect(['no news', 'trace']).toContain(result?.kind);
    expect(['rejected', 'not registered']).toContain(between?.kind);
    const again = await client.register([one, two], signal());
    expect(again.map(({ kind }) => kind)).toEqual(['registered', 'registered']);
  });
});
