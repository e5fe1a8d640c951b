import { describe, expect, test } from '@jest/globals';
import { gtin14Of, readGs1 } from '@parcelway/contracts/gs1';
import { viewForecast, viewItem } from '../../testing/samples.ts';
import { itemKeys, parcelKeys, readingsOf } from './scan-keys.ts';

const kinds = (scan: string): string[] => readingsOf(scan).map(({ matchedBy }) => matchedBy);

const keysOf = (scan: string): string[] => readingsOf(scan).map(({ key }) => key);

describe('the keys of a forecast', () => {
  test('are its numbers and what its items are known by, each once', () => {
    expect(parcelKeys(viewForecast())).toEqual(['p:PO-1', 'n:SF12345678']);
    const { content } = viewForecast();
    const coded = { content: content && { ...content, sscc: '040063810000000017' } };
    expect(parcelKeys(viewForecast(coded))).toEqual(['p:PO-1', 'n:SF12345678', 'c:040063810000000017']);
    expect(parcelKeys(viewForecast({ content: null }))).toEqual(['p:PO-1']);
    const dispatch = { carrierCode: 'yunexpress', trackingNumber: 'YT 1234-5', dispatchedAt: '2026-11-22T00:00:00Z', told: '1' };
    expect(parcelKeys(viewForecast({ dispatch }))).toEqual(['p:PO-1', 'n:SF12345678', 'd:YT12345']);
    const items = [viewItem(), viewItem(), viewItem({ sku_code: 'CUP', barcode: '012345678905' }), viewItem({ barcode: 'none' })];
    expect(itemKeys(items)).toEqual(['s:MUG', 'b:06901234567892', 's:CUP', 'b:00012345678905']);
  });

  test('are found by what is printed on parcel and goods', () => {
    const [po, number] = parcelKeys(viewForecast());
    expect(keysOf('PO-1')).toContain(po);
    for (const scan of ['SF12345678', 'sf 1234-5678', ' SF12345678\r\n']) expect(keysOf(scan)).toContain(number);
    expect(keysOf('MUG')).toContain('s:MUG');
    for (const scan of ['040063810000000017', '(00)040063810000000017', ']C100040063810000000017']) {
      expect(keysOf(scan)).toContain('c:040063810000000017');
    }
    for (const scan of ['012345678905', '0012345678905', '00012345678905', '0100012345678905', ']C1(01)00012345678905'])
      expect(keysOf(scan)).toContain('b:00012345678905');
  });
});

describe('the readings of a scan', () => {
  test('are distinguished, the surest first', () => {
    expect(kinds('6901234567892')).toEqual([
      'forecast_no',
      'claimed_number',
      'tracking_number',
      'tracking_number',
      'po_number',
      'barcode',
      'sku_code',
    ]);
    expect(kinds('6901234567893')).toEqual([
      'forecast_no',
      'claimed_number',
      'tracking_number',
      'tracking_number',
      'po_number',
      'sku_code',
    ]);
    expect(kinds(' - ')).toEqual(['forecast_no', 'claimed_number', 'po_number', 'sku_code']);
  });

  test.each([']C1', ']C0', ']E0', ']Q3', ']d2', ']A0', ' ]I0'])('do without the symbology identifier %p', (prefix) => {
    for (const scan of ['6901234567892', 'SF 1234', 'MUG', '{"forecast_no":"FC1","po_number":"PO-1"}']) {
      expect(readingsOf(`${prefix}${scan}`)).toEqual(readingsOf(scan));
    }
  });

  test.each([']', ']C', ']C1', '[C1X', ']]C1', ']1C'])('take no symbology identifier out of %p alone', (scan) => {
    expect(keysOf(scan)).toContain(scan === ']C1' ? 'p:' : `p:${scan}`);
  });

  test('find a forecast number in any case', () => {
    expect(readingsOf('fc261121k7q0z4m2xt')[0]).toMatchObject({ matchedBy: 'forecast_no', key: 'FC261121K7Q0Z4M2XT' });
    expect(readingsOf('{"forecast_no":"fc1","po_number":"po"}')[0]).toMatchObject({ matchedBy: 'label', key: 'FC1', poNumber: 'po' });
  });

  test('distinguish a number that the merchant declared from the one of the carrier', () => {
    const reasons = readingsOf('yt 12-34').filter(({ matchedBy }) => matchedBy === 'tracking_number');
    expect(reasons).toEqual([
      { matchedBy: 'tracking_number', key: 'n:YT1234', reason: 'The forecast declares the logistics number YT1234', declared: 'YT1234' },
      { matchedBy: 'tracking_number', key: 'd:YT1234', reason: "The carrier's number of the dispatch is YT1234" },
    ]);
  });

  test('say that an item has the scanned sku_code', () => {
    expect(readingsOf('MUG').at(-1)).toEqual({ matchedBy: 'sku_code', key: 's:MUG', reason: 'The sku_code of an item is MUG' });
  });

  test('of a carton label name its forecast and po_number', () => {
    const [label] = readingsOf('{"forecast_no":"FC1","po_number":"PO-1","warehouse_code":"WH1"}');
    expect(label).toMatchObject({ matchedBy: 'label', key: 'FC1', poNumber: 'PO-1' });
  });

  test.each(['{', '{}', '{"forecast_no":1,"po_number":"x"}', '{"forecast_no":"FC1"}', '["FC1"]', 'null'])(
    'take %p for no label',
    (scan) => {
      expect(kinds(scan)).not.toContain('label');
    },
  );
});

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
});

describe('gtin14Of', () => {
  test.each([
    ['EAN-13', '6901234567892', '06901234567892'],
    ['UPC-A', '012345678905', '00012345678905'],
    ['EAN-8', '96385074', '00000096385074'],
    ['GTIN-14', '10614141000415', '10614141000415'],
  ])('reads %s', (_name, barcode, gtin) => {
    expect(gtin14Of(barcode)).toBe(gtin);
  });

  test.each([
    '6901234567893',
    '012345678906',
    '96385075',
    '690123456789',
    '',
    'ABCDEFGH',
    '６９０１２３４５６７８９２',
    '69012345678921234',
  ])('refuses %p', (barcode) => {
    expect(gtin14Of(barcode)).toBeUndefined();
  });
});
