// The calls of every vendor. `fixtures/calls.json` of a vendor has what is sent to it, and what follows from its responses.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { askedParcel, type MockResponse, MockVendor } from '../testing/mock-vendor.ts';
import { numberOf } from '../testing/source-driver.ts';
import { codedSources } from '../testing/vendor-rows.ts';
import type { AskedParcel, TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import { type RefusalReason, SourceRefusal } from './source-refusal.ts';

/** A call of a client, with the responses to what it sends. */
interface Exchange {
  readonly name: string;
  /** Each method that makes a call, for `every`. */
  readonly call: (typeof every)[number] | 'every';
  /** Numbers, or what more is known of parcels; default: one that the vendor has a name for. */
  readonly parcels?: readonly (string | (Partial<AskedParcel> & Pick<AskedParcel, 'trackingNumber'>))[];
  /** The response to the call for a token. */
  readonly granted?: MockResponse;
  /** In the place of a body: the name of another fixture. */
  readonly responses: readonly MockResponse[];
  /** What is sent for a token. */
  readonly token?: object;
  readonly sent?: readonly object[];
  readonly results?: unknown;
  readonly refusal?: { readonly reason: RefusalReason; readonly retryAfterMs?: number };
}

const every = ['register', 'query', 'unregister', 'test'] as const;
/** What vendors name a parcel, for its end. */
const references: Readonly<Record<string, string>> = { '17track': '3011', aftership: 't1', easypost: 'trk_1' };

const fixture = (source: string, name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./${source}/fixtures/${name}.json`, import.meta.url), 'utf8'));

/** Makes one call. @returns what came of it, and the vendor that got it */
async function make(
  source: TrackingSource,
  call: (typeof every)[number],
  { parcels, responses, granted }: Omit<Exchange, 'name' | 'call'>,
) {
  const read = responses.map(
    ([status, body, ...more]): MockResponse => [
      status,
      typeof body === 'string' && body !== '' ? fixture(source.name, body) : body,
      ...more,
    ],
  );
  const vendor = new MockVendor(source, read, granted);
  const known = askedParcel(numberOf(source.name), { reference: references[source.name] ?? null });
  const asked = parcels?.map((one) => (typeof one === 'string' ? askedParcel(one) : askedParcel(one.trackingNumber, one))) ?? [known];
  const calls = {
    register: () => source.register(vendor.run, asked),
    unregister: () => source.unregister(vendor.run, asked[0] as AskedParcel),
    query: () => source.query(vendor.run, asked),
    test: () => source.test(vendor.run),
  };
  const outcome: unknown = await calls[call]().catch((error: unknown) => error);
  await vendor.close();
  // Each call but the first waits for its turn.
  expect(vendor.further).toBe(Math.max(0, vendor.sent.length - 1));
  return { vendor, outcome };
}

function expectRefusal(outcome: unknown, refusal: Exchange['refusal']): void {
  expect(outcome).toBeInstanceOf(SourceRefusal);
  expect(outcome).toMatchObject(refusal ?? {});
  expect((outcome as Error).stack).not.toContain('SECRET-');
}

describe.each(codedSources)('%s', (name) => {
  const source = trackingSources.get(name) as TrackingSource;

  test.each(fixture(name, 'calls') as Exchange[])('$call: $name', async (exchange) => {
    const { call, sent, token, results, refusal } = exchange;
    for (const one of call === 'every' ? every : [call]) {
      const { vendor, outcome } = await make(source, one, exchange);
      if (call === 'every' && vendor.sent.length === 0) continue;
      if (sent !== undefined) expect(vendor.sent).toMatchObject(sent);
      if (token !== undefined) expect(vendor.tokenCalls).toMatchObject([token]);
      if (refusal !== undefined) expectRefusal(outcome, refusal);
      else if (results === 'rejected') expect(outcome).toMatchObject([{ kind: 'rejected' }]);
      else expect(outcome).toEqual(results);
    }
  });

  test.each<[MockResponse, RefusalReason, number | undefined]>([
    [[401, {}], 'access denied', undefined],
    [[429, {}, { 'retry-after': '7' }], 'throttled', 7000],
    [[503, {}, { 'retry-after': '5' }], 'unavailable', 5000],
    [[500, ''], 'unavailable', undefined],
  ])('%j refuses every call: %s', async (response, reason, retryAfterMs) => {
    for (const call of every) {
      const { vendor, outcome } = await make(source, call, { responses: [response], ...(call === 'test' && { granted: response }) });
      if (vendor.sent.length + vendor.tokenCalls.length > 0) expectRefusal(outcome, { reason, ...(retryAfterMs && { retryAfterMs }) });
    }
  });

  test.each([[''], [[]], [{}], [null], [5]])('the body %j is a wrong response', async (body) => {
    for (const call of ['query', 'test'] as const) {
      const { outcome } = await make(source, call, { responses: [[200, body]], ...(call === 'test' && { granted: [200, body] }) });
      expectRefusal(outcome, { reason: 'wrong response' });
    }
  });
});

test.each([
  ['17track', 5, 50],
  ['aftership', 4, 100],
  ['ups', 7, 34],
])('%s is sent numbers of %d to %d characters, and none with others', (name, least, most) => {
  const pattern = trackingSources.get(name)?.takes?.pattern ?? /^$/;
  const isTaken = (text: string): boolean => pattern.test(text);
  expect([least - 1, least, most, most + 1].map((length) => isTaken('A'.repeat(length)))).toEqual([false, true, true, false]);
  expect(['A1B2C3D4', ',A1B2C3D4', 'A1B2C3D4,', 'A1B2 C3D4'].map(isTaken)).toEqual([true, false, false, false]);
});
