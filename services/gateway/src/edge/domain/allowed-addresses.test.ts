import { expect, test } from '@jest/globals';
import { compileAllowedAddresses } from './allowed-addresses.ts';

test('a key without a list may be used from everywhere', () => expect(compileAllowedAddresses([])).toBeNull());

test.each([
  ['203.0.113.7', true],
  ['::ffff:203.0.113.7', true],
  ['203.0.113.8', false],
  ['10.200.0.1', true],
  ['2001:db8:1::5', true],
  ['2001:db9::5', false],
  ['203.0.113.7:443', false],
  ['unknown', false],
  ['', false],
])('of a list, %p is allowed: %p', (address, allowed) => {
  expect(compileAllowedAddresses(['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'])?.has(address)).toBe(allowed);
});

test('an entry that cannot be read opens nothing', () => {
  const addresses = compileAllowedAddresses(['everywhere']);
  expect(addresses).not.toBeNull();
  expect(addresses?.has('203.0.113.7')).toBe(false);
});
