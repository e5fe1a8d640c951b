import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { barcodeReadings, MAX_READINGS, namesAnyNumber, summariseBarcodes } from './barcode-readings.ts';
import { decodeFindings, encodeFindings, type FileFindings, MAX_ENCODED_FINDINGS } from './file-findings.ts';
import { findingMessages, MAX_USUAL_PAGES } from './pdf-warnings.ts';

const SECRET = 'a secret of the file service';

const code = (text: string, format = 'Code128') => ({ text, format });

const names = (text: string, number: string): boolean => namesAnyNumber(SECRET, summariseBarcodes(SECRET, [code(text)], true), [number]);

describe('a barcode names the number', () => {
  test.each([
    ['itself', '1Z999AA10123456784', '1Z999AA10123456784'],
    ['with blanks and hyphens, in any case', 'sf 1234-5678-9012', 'SF123456789012'],
    ['behind a ZIP code of 5 digits', '420902109400109205568012345678', '9400109205568012345678'],
    ['behind a ZIP code of 9 digits', '42090210123494001092055680123456', '94001092055680123456'],
    ['behind a ZIP code and FNC1', '42090210\u001d9200190354567890123456', '9200190354567890123456'],
    ['behind FNC1 at the beginning', '\u001d00340123450000000000', '340123450000000000'],
    ['with the application identifier that the merchant left', '340123450000000000', '00340123450000000000'],
    ['of a consignment', '4011234567ABC', '1234567ABC'],
    ['of a shipment', '40212345678901234567', '12345678901234567'],
    ['at the end of 34 digits of FedEx', '9632001960000000000400123456789012', '123456789012'],
    ['within FedEx Ground 96', '9611020987654312345672', '987654312345672'],
    ['between postcode and service of DPD', '%009021015100012345678101276', '15100012345678'],
    ['as a licence plate', 'JJD014600003123456789', 'JD014600003123456789'],
    ['in a URL', 'https://track.example/t?n=1Z999AA10123456784&x=1', '1Z999AA10123456784'],
    ['in a message of separated fields', '[)>\u001e01\u001d0290210\u001d840\u001d003\u001d1Z99912345678\u001dUPSN\u001d', '1Z99912345678'],
    ['with characters that neither side counts', 'AB/123.456', 'AB123456'],
    ['of letters alone', 'ABCDEFGH', 'ABCDEFGH'],
  ])('%s', (_how, text, number) => {
    expect([names(text, number), names(text, `${number}9`)]).toEqual([true, false]);
  });

  test('among others', () => {
    const summary = summariseBarcodes(SECRET, [code('ROUTE-17'), code('NUMBER-2')], true);
    expect(namesAnyNumber(SECRET, summary, ['NUMBER1', 'NUMBER2'])).toBe(true);
    expect(namesAnyNumber(SECRET, summary, ['NUMBER1', 'NUMBER3'])).toBe(false);
    expect(namesAnyNumber(SECRET, summary, [])).toBe(false);
    expect(namesAnyNumber('another secret', summary, ['NUMBER2'])).toBe(false);
  });

  test('however it is written and whatever is before it', () => {
    // Letters alone count as a whole barcode only: as a part they are words.
    const number = fc.stringMatching(/^[A-Z0-9]{8,30}$/).filter((text) => /\d/.test(text));
    fc.assert(
      fc.property(number, fc.constantFrom('', ' ', '-', 'https://x.example/a?n=', '\u001d', '(', 'x1\u001d'), (text, before) => {
        expect(names(before + text.replace(/(.{4})/g, '$1 ').toLowerCase(), text)).toBe(true);
      }),
    );
  });
});

describe('a summary', () => {
  test.each<[string, ReturnType<typeof code>, boolean]>([
    ['a number', code('1Z999AA10123456784'), true],
    ['a product', code('6901234567892', 'EAN13'), false],
    ['a web page', code('https://shop.example/orders/12345678', 'QRCode'), false],
    ['a postcode', code('42090210'), false],
    ['a postcode of 9 digits', code('420902101234'), false],
    ['a route', code('LAX-7'), false],
    ['words', code('THANK YOU FOR YOUR ORDER'), false],
    ['a text that is too long for a number', code('1'.repeat(41), 'QRCode'), false],
  ])('of %s says whether there should be a logistics number', (_what, barcode, expected) => {
    expect(summariseBarcodes(SECRET, [barcode], true).hasNumber).toBe(expected);
    expect(summariseBarcodes(SECRET, [barcode], false).hasNumber).toBe(false);
  });

  test('has a bound, keeps the whole of each barcode, and says nothing of absence beyond', () => {
    const barcodes = Array.from({ length: 10 }, (_, index) =>
      code(Array.from({ length: 9 }, (_, part) => `PART${index}${part}`).join(';')),
    );
    const summary = summariseBarcodes(SECRET, barcodes, true);
    expect([summary.readings.length, summary.hasNumber]).toEqual([MAX_READINGS, false]);
    expect(barcodes.filter(({ text }) => namesAnyNumber(SECRET, summary, [text]))).toHaveLength(10);
  });

  test('of any text is bounded and made of 8 hex digits each', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 10 }), (texts) => {
        const { readings } = summariseBarcodes(
          SECRET,
          texts.map((text) => code(text)),
          true,
        );
        expect(readings.length).toBeLessThanOrEqual(MAX_READINGS);
        expect(readings.filter((reading) => !/^[0-9a-f]{8}$/.test(reading))).toEqual([]);
      }),
    );
  });

  test('reads a text of 300 separators at once', () => {
    expect(barcodeReadings(`${';'.repeat(299)}1`)).toEqual([]);
    expect(barcodeReadings(`${'420'.repeat(100)}`)).toEqual([]);
  });
});

const usual: FileFindings = {
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 1,
  barcodes: { hasNumber: false, readings: [] },
};

const u16 = fc.integer({ min: 0, max: 65_535 });

const page = fc.option(fc.record({ page: u16, width: u16, height: u16 }), { nil: undefined });

const anyFindings: fc.Arbitrary<FileFindings> = fc.record({
  isReadable: fc.boolean(),
  isEncrypted: fc.boolean(),
  isSlow: fc.boolean(),
  pages: u16,
  unusual: page,
  differing: page,
  barcodes: fc.record({
    hasNumber: fc.boolean(),
    readings: fc.array(fc.stringMatching(/^[0-9a-f]{8}$/), { maxLength: MAX_READINGS }),
  }),
});

describe('encoded findings', () => {
  test('come back as they were, within their length', () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const text = encodeFindings(findings);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(text.length).toBeLessThanOrEqual(MAX_ENCODED_FINDINGS);
        expect(decodeFindings(text)).toEqual(findings);
      }),
    );
  });

  test('have 192 characters at most, and cut what is larger', () => {
    const large = { page: 1_000_000, width: 1e9, height: 70_000 };
    const readings = Array.from({ length: 100 }, () => 'ffffffff');
    const text = encodeFindings({ ...usual, pages: 1_048_575, unusual: large, differing: large, barcodes: { hasNumber: true, readings } });
    expect([text.length, MAX_ENCODED_FINDINGS]).toEqual([192, 192]);
    expect(decodeFindings(text)).toMatchObject({ pages: 65_535, unusual: { page: 65_535, width: 65_535, height: 65_535 } });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another version', Buffer.from([2, 1, 0, 1])],
    ['a flag of another version', Buffer.from([1, 65, 0, 1])],
    ['less than a head', Buffer.from([1, 1, 0])],
    ['less than a page', Buffer.from([1, 9, 0, 1, 0, 0])],
    ['a part of a reading', Buffer.from([1, 1, 0, 1, 0, 0])],
  ])('of %s are none', (_what, bytes) => expect(decodeFindings(bytes.toString('base64url'))).toBeUndefined());
});

describe('messages', () => {
  const messages = (findings: Partial<FileFindings>) => findingMessages({ ...usual, ...findings }).map(({ message }) => message);
  const large = { page: 3, width: 297, height: 420 };

  test.each<[string, Partial<FileFindings>, readonly RegExp[]]>([
    ['nothing unusual', { pages: MAX_USUAL_PAGES, barcodes: { hasNumber: true, readings: ['00000000'] } }, []],
    ['what is not readable', { isReadable: false, isEncrypted: true, pages: 0 }, [/too complex/]],
    ['encryption', { isEncrypted: true, pages: 0 }, [/encrypted/]],
    ['no page', { pages: 0 }, [/no page/]],
    ['many pages', { pages: 21 }, [/has 21 pages; .* at most 20/]],
    ['an unusual page', { unusual: large }, [/^Page 3 is 297 × 420 mm, which neither/]],
    ['mixed sizes', { differing: large }, [/^Page 3 is 297 × 420 mm and differs/]],
    ['slow pages', { isSlow: true }, [/took too long/]],
    ['all at once', { pages: 21, unusual: large, differing: large, isSlow: true }, [/21 pages/, /neither/, /differs/, /took too long/]],
  ])('report %s', (_what, findings, expected) => {
    expect(messages(findings)).toEqual(expected.map((message) => expect.stringMatching(message)));
  });

  test('mark what matters to labels alone', () => {
    expect(findingMessages({ ...usual, differing: large, unusual: large }).map(({ kind }) => kind)).toEqual(['other', 'mixed_sizes']);
  });
});
