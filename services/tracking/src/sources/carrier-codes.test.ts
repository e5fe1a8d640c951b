import { expect, test } from '@jest/globals';
import { carrierCodeOf17Track } from './17track/carrier-codes.ts';
import { slugOf } from './aftership/carrier-codes.ts';
import { carrierNameOfEasyPost } from './easypost/carrier-codes.ts';

test.each<[string, (code: string) => unknown, string, unknown]>([
  ['17track', carrierCodeOf17Track, 'SF Express', 100012],
  ['aftership', slugOf, 'DHL-eCommerce', 'dhl-global-mail'],
  ['easypost', carrierNameOfEasyPost, 'dhl_express', 'DHLExpress'],
])('%s has its own code for a known carrier, however written, and none for others', (_name, codeOf, code, own) => {
  expect(codeOf(code)).toBe(own);
  for (const other of ['', 'nobody', 'constructor', '__proto__', '云途']) expect(codeOf(other)).toBeUndefined();
});
