import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nodeDigest } from '../../watch/domain/node.ts';
import { sourceUps } from './source.ts';
import { translateUps } from './translation.ts';

const body = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url));
const parcel = { trackingNumber: '1ZCIETST0111111114', dispatchedAt: 0 };

test('a push and a query of one activity make one node', () => {
  const [event] = sourceUps.pushes?.parse(body('push-out-for-delivery')) ?? [];
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

test('status codes are read without their zeros, as texts and as numbers', () => {
  const translate = (statusCode: unknown) =>
    translateUps({ activity: [{ date: '20261112', time: '083105', status: { type: 'D', statusCode } }] }, parcel).nodes;
  for (const statusCode of ['11', 11, '011', ' 011 '])
    expect(translate(statusCode)).toMatchObject([{ adminStatus: 'Delivery Success', status: '011' }]);
});
