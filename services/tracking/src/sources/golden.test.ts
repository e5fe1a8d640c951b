// What recorded bodies of the vendors mean. `fixtures/<name>.json` is a response to a query, or a push (`push*`); `<name>.nodes.json` lists the parcels
// that it is read for, and what it says of each. To write the lists after a change: GOLDEN=write npx jest golden.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { askedParcel, MockVendor } from '../testing/mock-vendor.ts';
import { codedSources } from '../testing/vendor-rows.ts';
import { instantOf } from '../watch/domain/node.ts';
import type { AskedParcel, TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import type { Trace } from './trace.ts';

/** A parcel, and what a fixture says of it. */
interface Golden extends Partial<Trace> {
  /** A time as ISO 8601; whatever is missing has a default. */
  readonly parcel: { readonly trackingNumber: string; readonly dispatchedAt: string } & Partial<Omit<AskedParcel, 'dispatchedAt'>>;
  /** Kind of the result of a query, or the carrier that a push names. */
  readonly result?: string | undefined;
}

const folderOf = (name: string): URL => new URL(`./${name}/fixtures/`, import.meta.url);

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

describe.each(codedSources)('%s', (source) => {
  const folder = folderOf(source);
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.nodes.json') ? [file.slice(0, -'.nodes.json'.length)] : []));

  test.each(names)('%s', async (name) => {
    const file = new URL(`${name}.nodes.json`, folder);
    const body = readFileSync(new URL(`${name}.json`, folder));
    const expected = JSON.parse(readFileSync(file, 'utf8')) as Golden[];
    const found = await Promise.all(expected.map(({ parcel }) => read(trackingSources.get(source) as TrackingSource, name, body, parcel)));
    if (process.env['GOLDEN'] === 'write') writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
    else expect(found).toEqual(expected);
    for (const { nodes = [], unknownCodes = [] } of found) {
      for (const { createTime, times } of nodes) expect(instantOf(createTime, times)).toBeDefined();
      for (const { adminStatus } of nodes) expect(adminStatuses).toContain(adminStatus);
      expect(new Set(unknownCodes).size).toBe(unknownCodes.length);
    }
  });
});
