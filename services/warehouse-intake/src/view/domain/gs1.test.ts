import { describe, expect, test } from '@jest/globals';
import { readGs1 } from './gs1.ts';

const SSCC = '040063810000000017';

describe('a GS1 symbol', () => {
  test.each([
    SSCC,
    `00${SSCC}`,
    `(00)${SSCC}`,
    `]C1${SSCC}`,
    `]C100${SSCC}`,
    `]C1(00)${SSCC}`,
    `]d2\u001d00${SSCC}`,
    `]C100${SSCC}\u001d10LOT`,
  ])('%p has the SSCC', (scan) => {
    expect(readGs1(scan)).toEqual({ text: scan.replace(/^\](C1|d2)/, ''), sscc: SSCC });
  });

  test.each([
    '0106901234567892',
    '(01)06901234567892',
    ']C10106901234567892',
    ']Q30106901234567892\u001d17261231',
    '(01)06901234567892(10)A',
  ])('%p has the GTIN', (scan) => {
    expect(readGs1(scan)).toMatchObject({ gtin: '06901234567892' });
    expect(readGs1(scan).sscc).toBeUndefined();
  });

  test.each(['040063810000000018', '00040063810000000018', `00${SSCC}1`, '0106901234567893', '01069012345678921', 'PO-1', ''])(
    '%p has neither',
    (scan) => {
      expect(readGs1(scan)).toEqual({ text: scan });
    },
  );

  test('gives the text of any symbol without its identifier', () => {
    expect(readGs1(']C0SF12345678')).toEqual({ text: 'SF12345678' });
    expect(readGs1(']E06901234567892')).toEqual({ text: '6901234567892' });
    expect(readGs1(']')).toEqual({ text: ']' });
  });
});
