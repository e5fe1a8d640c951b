import { describe, expect, test } from '@jest/globals';
import { leasedOf } from '../../testing/webhook-fixtures.ts';
import { changeAfter, isOfFormerReceiver } from './attempt.ts';

describe('a 410', () => {
  const { endpoint: former } = leasedOf();
  const gone = (given: boolean) => ({ gone: given, leased: leasedOf() });

  test('of the receiver that the endpoint has left says nothing of the one that it has', () => {
    expect(isOfFormerReceiver(gone(true), { ...former, url: 'https://other.example/' })).toBe(true);
    expect(isOfFormerReceiver(gone(true), former)).toBe(false);
    expect(isOfFormerReceiver(gone(false), { ...former, url: 'https://other.example/' })).toBe(false);
  });
});

test.each([
  ['succeeded', false, 'succeed'],
  ['failed', false, 'settle'],
  ['pending', false, 'settle'],
  ['held', true, 'release'],
] as const)('a result of %s with gone %s makes a delivery %s', (status, gone, change) => {
  expect(changeAfter({ status, gone })).toBe(change);
});
