import { expect, test } from '@jest/globals';
import { carrierCodeOf17Track } from './carrier-codes.ts';

test.each([
  ['yunexpress', 190008],
  ['YunExpress', 190008],
  ['4PX', 190094],
  ['dhl-express', 100001],
  ['SF Express', 100012],
  ['Royal_Mail', 11031],
  ['usps', 21051],
])('%s is %d', (code, carrier) => {
  expect(carrierCodeOf17Track(code)).toBe(carrier);
});

test.each(['', 'dhl', 'dpd', 'nobody', 'constructor', '__proto__', '云途'])('"%s" leaves the choice to 17TRACK', (code) => {
  expect(carrierCodeOf17Track(code)).toBeUndefined();
});
