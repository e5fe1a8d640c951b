import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

describe('a scan', () => {
  test('reports the arrival once, and not of a parcel that is here', () => {
    const work = new Work().open('SF123456', byTracking).do({ type: 'escape' }).open('SF123456', byTracking);
    expect(work.reports()).toHaveLength(1);
    const here = new Work().open('SF123456', candidateOf(forecastWith({ status: 3 })));
    expect(here.reports()).toEqual([]);
  });

  test('carries the logistics number only where it is one', () => {
    expect(new Work().open('PO-1', candidateOf(forecastWith(), 'po_number')).reports()).toEqual([
      { type: 'arrival', forecast_no: 'FC001' },
    ]);
  });

  test('that fits several parcels is resolved by typing a number', () => {
    const second = candidateOf(forecastWith({ forecast_no: 'FC002' }));
    const work = new Work().do('SF123456', found('SF123456', byTracking, second), '3');
    expect([work.at, work.said]).toEqual(['choose', 'chooseNumber']);
    work.do('2');
    expect(work.effects.at(-1)).toEqual({ do: 'open', scan: 'SF123456', candidate: second });
  });

  test.each(['label', 'sscc', 'forecast_no', 'tracking_number', 'po_number'] as const)(
    'of the parcel (%s) opens it at once',
    (matchedBy) => {
      expect(new Work().open('340123450000000018', candidateOf(forecastWith(), matchedBy)).reports()).toMatchObject([{ type: 'arrival' }]);
    },
  );

  test.each(['barcode', 'sku_code'] as const)('of a product (%s) opens its one parcel only once Enter has confirmed it', (matchedBy) => {
    const scan = '4006381333931';
    const candidate = candidateOf(forecastWith(), matchedBy);
    for (const offline of [false, true]) {
      const work = new Work().do(scan, { type: 'looked-up', scan, candidates: [candidate], hasMore: false, offline });
      expect([work.at, work.effects]).toEqual(['choose', [{ do: 'lookup', scan }]]);
      // Scanned twice by mistake, it is looked up again, and asked again.
      work.do(scan, found(scan, candidate));
      expect([work.at, work.reports()]).toEqual(['choose', []]);
      expect([work.do('1').said, work.at]).toEqual(['enterConfirms', 'choose']);
      work.do('');
      expect(work.effects.at(-1)).toEqual({ do: 'open', scan, candidate });
      work.do({ type: 'opened', scan, candidate });
      expect(work.reports()).toEqual([{ type: 'arrival', forecast_no: 'FC001' }]);
    }
  });
});
