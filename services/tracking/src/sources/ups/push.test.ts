import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nodeDigest } from '../../watch/domain/node.ts';
import { parseUpsPush, verifyUpsPush } from './source.ts';
import { translateUps } from './translation.ts';

const body = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url));
const bodyOf = (event: unknown): Buffer => Buffer.from(JSON.stringify(event));
const parcel = { trackingNumber: '1ZCIETST0111111114', dispatchedAt: 0 };

test('the header of Track Alert v1 counts as well, and both together do not', () => {
  const verify = (headers: Record<string, string>) => verifyUpsPush(body('push-delivered'), headers, ['secret']);
  expect([verify({ credential: 'secret' }), verify({ 'x-api-key': 'secret', credential: 'secret' })]).toEqual([true, false]);
});

test('a push and a query of one activity make one node', () => {
  const [event] = parseUpsPush(body('push-out-for-delivery'));
  const address = { city: 'Fremont', stateProvince: 'CA', postalCode: '94538', countryCode: 'US', country: 'US' };
  const activity = {
    date: '20261112',
    time: '083105',
    gmtDate: '20261112',
    gmtTime: '163105',
    gmtOffset: '-08:00',
    location: { address },
    status: { type: 'I', code: 'OT', statusCode: '021', description: 'Out for Delivery ' },
  };
  const [pushed, queried] = [event?.raw, { activity: [activity] }].map((raw) => translateUps(raw, parcel).nodes.map(nodeDigest));
  expect([pushed?.length, pushed]).toEqual([1, queried]);
});

test.each(['', {}, '__proto__', '1'.repeat(35)])('%j is no number of a push', (trackingNumber) => {
  expect(() => parseUpsPush(bodyOf({ trackingNumber }))).toThrow('no tracking number');
});
