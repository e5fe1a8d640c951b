import { describe, expect, test } from '@jest/globals';
import { carrierCodeOf17Track } from './17track/carrier-codes.ts';
import { slugOf } from './aftership/carrier-codes.ts';
import { carrierNameOfEasyPost } from './easypost/carrier-codes.ts';

/** The vendors' own codes of the carriers of dispatches, in any writing. */
const vendors: readonly (readonly [string, (code: string) => unknown, readonly (readonly [string, unknown])[]])[] = [
  [
    '17track',
    carrierCodeOf17Track,
    [
      ['YunExpress', 190008],
      ['4PX', 190094],
      ['dhl-express', 100001],
      ['SF Express', 100012],
      ['Royal_Mail', 11031],
      ['dpd', undefined],
    ],
  ],
  [
    'aftership',
    slugOf,
    [
      ['4PX', '4px'],
      ['sf_express', 'sf-express'],
      ['Royal Mail', 'royal-mail'],
      ['DHL-eCommerce', 'dhl-global-mail'],
    ],
  ],
  [
    'easypost',
    carrierNameOfEasyPost,
    [
      ['usps', 'USPS'],
      ['FedEx', 'FedEx'],
      ['dhl_express', 'DHLExpress'],
      ['DHL eCommerce', 'DhlEcs'],
      ['evri', 'Hermes'],
      ['Royal Mail', 'RoyalMail'],
      ['dhl', undefined],
      ['yunexpress', undefined],
    ],
  ],
];

describe.each(vendors)('%s', (_name, codeOf, cases) => {
  test.each(cases)('%s is %p', (code, expected) => {
    expect(codeOf(code)).toBe(expected);
  });

  test.each(['', 'nobody', 'constructor', '__proto__', '云途'])('"%s" leaves the choice to the vendor', (code) => {
    expect(codeOf(code)).toBeUndefined();
  });
});
