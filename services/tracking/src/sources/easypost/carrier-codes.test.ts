import { expect, test } from '@jest/globals';
import { carrierNameOfEasyPost } from './carrier-codes.ts';

test.each([
  ['usps', 'USPS'],
  ['FedEx', 'FedEx'],
  ['dhl_express', 'DHLExpress'],
  ['DHL eCommerce', 'DhlEcs'],
  ['evri', 'Hermes'],
  ['Royal Mail', 'RoyalMail'],
  ['sf', 'SFExpress'],
])('%s is %s', (code, name) => {
  expect(carrierNameOfEasyPost(code)).toBe(name);
});

test.each(['', 'dhl', 'yunexpress', '4px', 'nobody', 'constructor', '__proto__'])('"%s" leaves the choice to EasyPost', (code) => {
  expect(carrierNameOfEasyPost(code)).toBeUndefined();
});
