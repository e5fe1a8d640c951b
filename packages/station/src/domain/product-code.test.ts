import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';
import { isProductCode } from './product-code.ts';

const EAN = '4006381333931';
const offline = (scan: string): Action => ({ type: 'looked-up', scan, candidates: [], hasMore: false, offline: true });

describe('the code of a product', () => {
  test.each([
    EAN,
    '40063812',
    '012345678905',
    '04006381333931',
    '4006381-333931',
    ']E04006381333931',
    '(01)04006381333931',
    '0104006381333931',
    '(01)04006381333931(10)LOT1',
    ']d201040063813339311725123110LOT1',
  ])('is %j', (scan) => expect(isProductCode(scan)).toBe(true));

  test.each([
    '4006381333932',
    '40063810',
    '123456',
    'SF4006381333931',
    '0104006381333932',
    '01040063813339311725',
    '00340123450000000018',
    'MUG',
    '',
  ])('is not %j', (scan) => expect(isProductCode(scan)).toBe(false));

  test.each([EAN, '(01)04006381333931'])('%j is refused without a network, and reports nothing', (scan) => {
    const work = new Work().do(scan, offline(scan));
    expect([work.at, work.bench.notice]).toMatchObject(['scan', { key: 'productOffline', tone: 'bad', value: scan }]);
    expect(work.do('', 'x').reports()).toEqual([]);
  });

  test('is taken without a network when a parcel that is known here declares it', () => {
    const candidate = candidateOf(forecastWith({ tracking_numbers: [EAN] }));
    const work = new Work().do(EAN, { type: 'looked-up', scan: EAN, candidates: [candidate], hasMore: false, offline: true });
    expect(work.effects.at(-1)).toEqual({ do: 'open', scan: EAN, candidate });
  });

  test('is reported as unclaimed only when somebody has said that it is the number of the carrier', () => {
    for (const line of ['', 'x']) {
      const work = new Work().do(EAN, found(EAN), line);
      expect([work.at, work.bench.notice, work.reports()]).toMatchObject(['unknown', { key: 'carriersNumber', value: EAN }, []]);
      work.do(line);
      expect([work.at, work.reports()]).toEqual(['parcel', [{ type: 'arrival', express_no: EAN }]]);
    }
    expect(new Work().do(EAN, found(EAN), '', { type: 'escape' }).at).toBe('scan');
    // The next scan is asked for again.
    expect(new Work().do(EAN, found(EAN), '', EAN, found(EAN), '').reports()).toEqual([]);
  });

  test.each([
    ['MUG-BLUE', 'sku_code'],
    [EAN, 'barcode'],
  ] as const)('%j of a parcel that is not meant is no number to report under', (scan, matchedBy) => {
    const work = new Work().do(scan, found(scan, candidateOf(forecastWith(), matchedBy)), '0');
    expect([work.at, work.said, work.reports()]).toEqual(['choose', 'productNumber', []]);
  });
});
