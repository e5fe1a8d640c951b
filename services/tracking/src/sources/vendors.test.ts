// What is sent to every vendor, and what its responses, pushes and codes mean. In `fixtures` of a vendor: `calls.json` has what is sent, and what follows from
// the responses. `<name>.json` is a response to a query, or a push (`push*`); `<name>.nodes.json` lists the parcels that it is read for, and what it says of
// each. `statuses.json` has the codes by `admin_status`. To write the lists after a change: GOLDEN=write npx jest vendors.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { askedParcel, type MockResponse, MockVendor } from '../testing/mock-vendor.ts';
import { numberOf } from '../testing/source-driver.ts';
import { codedSources, NUMBER, rawTrace, type VendorRow } from '../testing/vendor-rows.ts';
import { instantOf, nodeInstant } from '../watch/domain/node.ts';
import { carrierCodeOf17Track } from './17track/source.ts';
import { slugOf } from './aftership/source.ts';
import { carrierNameOfEasyPost } from './easypost/source.ts';
import type { AskedParcel, TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import { type RefusalReason, SourceRefusal } from './source-refusal.ts';
import type { Trace } from './trace.ts';

const folderOf = (name: string): URL => new URL(`./${name}/fixtures/`, import.meta.url);
const bytesOf = (source: string, name: string): Buffer => readFileSync(new URL(`${name}.json`, folderOf(source)));
const fixture = (source: string, name: string): unknown => JSON.parse(bytesOf(source, name).toString());

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
    unregister: async () => source.unregister?.(vendor.run, asked[0] as AskedParcel),
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

/** A parcel, and what a fixture says of it. */
interface Golden extends Partial<Trace> {
  /** A time as ISO 8601; whatever is missing has a default. */
  readonly parcel: { readonly trackingNumber: string; readonly dispatchedAt: string } & Partial<Omit<AskedParcel, 'dispatchedAt'>>;
  /** Kind of the result of a query, or the carrier that a push names. */
  readonly result?: string | undefined;
}

/** Lets the vendor respond with the fixture. */
async function query(source: TrackingSource, body: Buffer, parcel: AskedParcel): Promise<[string, unknown]> {
  // A problem of DHL's repeats its status.
  const { status } = JSON.parse(body.toString()) as { status?: unknown };
  const vendor = new MockVendor(source, [[typeof status === 'number' ? status : 200, body]]);
  const [result] = await source.query(vendor.run, [parcel]);
  await vendor.close();
  return [result?.kind ?? 'nothing', result?.kind === 'trace' ? result.raw : undefined];
}

function readPush({ pushes }: TrackingSource, body: Buffer, { trackingNumber }: AskedParcel): [string | undefined, unknown] {
  const trace = pushes?.parse(body).find((one) => one.trackingNumber === trackingNumber);
  return [trace?.carrier, trace?.raw];
}

/** What the fixture says of the parcel now. */
async function read(source: TrackingSource, name: string, body: Buffer, parcel: Golden['parcel']): Promise<Golden> {
  const asked = askedParcel(parcel.trackingNumber, { ...parcel, dispatchedAt: Date.parse(parcel.dispatchedAt) });
  const [result, raw] = name.startsWith('push') ? readPush(source, body, asked) : await query(source, body, asked);
  const trace = raw === undefined ? {} : source.translate(raw, asked);
  return JSON.parse(JSON.stringify({ parcel, result, ...trace })) as Golden;
}

/** A row whose status depends on more than its code, or is another one than its place suggests. */
interface Special extends VendorRow {
  /** Codes of the rows before it, oldest first. */
  readonly after?: readonly string[];
  /** Further fields of the parcel. */
  readonly fields?: object;
  /** The source has no place for the code. */
  readonly isUnknown?: true;
  /** What the source reads instead, and why. */
  readonly read?: AdminStatus | 'no node';
  readonly why?: string;
}

type Statuses = Readonly<Record<AdminStatus, readonly (string | Special)[]>>;

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

  const golden = readdirSync(folderOf(name)).flatMap((file) =>
    file.endsWith('.nodes.json') ? [file.slice(0, -'.nodes.json'.length)] : [],
  );

  test.each(golden)('the fixture %s', async (file) => {
    const expected = fixture(name, `${file}.nodes`) as Golden[];
    const found = await Promise.all(expected.map(({ parcel }) => read(source, file, bytesOf(name, file), parcel)));
    if (process.env['GOLDEN'] === 'write')
      writeFileSync(new URL(`${file}.nodes.json`, folderOf(name)), `${JSON.stringify(found, null, 2)}\n`);
    else expect(found).toEqual(expected);
    for (const { nodes = [], unknownCodes = [] } of found) {
      for (const { createTime, times } of nodes) expect(instantOf(createTime, times)).toBeDefined();
      for (const { adminStatus } of nodes) expect(adminStatuses).toContain(adminStatus);
      expect(new Set(unknownCodes).size).toBe(unknownCodes.length);
    }
  });

  const statuses = fixture(name, 'statuses') as Statuses;
  const rows = Object.entries(statuses).flatMap(([adminStatus, list]) =>
    list.map((one) => ({ adminStatus, row: typeof one === 'string' ? { code: one } : one })),
  );

  test.each(rows)('$adminStatus: $row', ({ adminStatus, row }) => {
    const { after = [], fields, isUnknown = false, read: expected = adminStatus } = row as Special;
    const raw = rawTrace(name, [...after.map((code) => ({ code })), row], fields);
    const { nodes, unknownCodes } = source.translate(raw, { trackingNumber: NUMBER, dispatchedAt: Date.parse('2026-11-24T00:00:00Z') });
    const newest = [...nodes].sort((a, b) => nodeInstant(b) - nodeInstant(a))[0]?.adminStatus ?? 'no node';
    expect(newest).toBe(expected);
    expect(nodes).toHaveLength(after.length + (expected === 'no node' ? 0 : 1));
    expect(unknownCodes).toHaveLength(isUnknown ? 1 : 0);
  });

  test('every admin_status is there, in the order of the contract, and no code twice', () => {
    expect(Object.keys(statuses)).toEqual([...adminStatuses]);
    expect(new Set(rows.map(({ row }) => JSON.stringify(row))).size).toBe(rows.length);
  });
});

test('a delivery alone, and what cannot follow it, is final', () => {
  expect(adminStatuses.filter(isTerminalAdminStatus)).toEqual(['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin']);
  expect([...codedSources, 'generic'].sort()).toEqual([...trackingSources.keys()].sort());
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

test.each<[string, (code: string) => unknown, string, unknown]>([
  ['17track', carrierCodeOf17Track, 'SF Express', '100012'],
  ['aftership', slugOf, 'DHL-eCommerce', 'dhl-global-mail'],
  ['easypost', carrierNameOfEasyPost, 'dhl_express', 'DHLExpress'],
])('%s has its own code for a known carrier, however written, and none for others', (_name, codeOf, code, own) => {
  expect(codeOf(code)).toBe(own);
  for (const other of ['', 'nobody', 'constructor', '__proto__', '云途']) expect(codeOf(other)).toBeUndefined();
});
