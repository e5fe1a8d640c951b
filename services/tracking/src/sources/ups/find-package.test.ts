import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { findUpsPackage } from './find-package.ts';

const response = (name: string): unknown => JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
const shipments = (...shipment: unknown[]): unknown => ({ trackResponse: { shipment } });

test('the package of a number is found, in any case of its letters', () => {
  for (const number of ['1ZPWY0010300000017', ' 1zpwy0010300000017', '1Z PWY 001 03 0000 0017'])
    expect(findUpsPackage(response('delivered'), number)).toMatchObject({ trackingNumber: '1ZPWY0010300000017' });
});

test('of several packages of a reused number the newest counts, and no other package of its shipment', () => {
  const found = findUpsPackage(response('reused-number'), '1ZPWY0010300000044');
  expect(found).toMatchObject({ trackingNumber: '1ZPWY0010300000044', activity: [{ date: '20261119' }] });
});

test('of however many packages and activities, at most so many are read as are kept', () => {
  let reads = 0;
  const activity = {
    get gmtDate(): string {
      reads += 1;
      return '20261112';
    },
    gmtTime: '74700',
  };
  const packageOf = (count: number): object => ({ trackingNumber: '1ZPWY01', activity: Array(count).fill(activity) });
  const readsOf = (...parcels: object[]): number => {
    reads = 0;
    expect(findUpsPackage(shipments({ package: parcels }), '1ZPWY01')).toBe(parcels[0]);
    return reads;
  };
  expect(readsOf(packageOf(5 * MAX_NODES))).toBe(0);
  expect(readsOf(packageOf(5 * MAX_NODES), packageOf(5 * MAX_NODES))).toBe(MAX_NODES);
  expect(readsOf(...Array.from({ length: 5 * MAX_NODES }, () => packageOf(2)))).toBe(MAX_NODES);
});

test('a package is found by its number at the post office', () => {
  const found = findUpsPackage(response('two-legs'), '92000000000000000000000017');
  expect(found).toMatchObject({ trackingNumber: '1ZPWY0010300000035' });
});

test('the only package of the shipment that was asked for is found, one of several is not', () => {
  const other = { trackingNumber: '1ZPWY02' };
  expect(findUpsPackage(shipments({ inquiryNumber: 'MI000017', package: [other] }), 'MI000017')).toBe(other);
  expect(findUpsPackage(shipments({ inquiryNumber: 'MI000017', package: [other, other] }), 'MI000017')).toBeUndefined();
  expect(findUpsPackage(shipments({ inquiryNumber: 'MI000018', package: [other] }), 'MI000017')).toBeUndefined();
});
