import { describe, expect, test } from '@jest/globals';
import { candidateOf, detailWith, forecastWith, itemWith, Work } from '../testing/work.ts';
import { countRows, differenceText, isRight, reportedCount, skusOf, summaryOf } from './count.ts';

const items = [
  itemWith({ sku_code: 'MUG', barcode: '6901234567892', forecast_quantity: 3 }),
  itemWith({ sku_code: 'LAMP', barcode: '036000291452', forecast_quantity: 2 }),
  itemWith({ sku_code: 'MUG', forecast_quantity: 1, tracking_number: 'SF2' }),
  itemWith({ sku_code: 'mug-2', barcode: '6901234567892' }),
];

describe('a count', () => {
  test('has each SKU once, in the order of the forecast, then what the forecast does not name', () => {
    const rows = countRows(items, [
      { sku_code: 'OTHER', quantity: 1 },
      { sku_code: 'LAMP', quantity: 2 },
    ]);
    expect(rows.map(({ sku, forecast, counted }) => [sku, forecast, counted])).toEqual([
      ['MUG', 4, undefined],
      ['LAMP', 2, 2],
      ['mug-2', 1, undefined],
      ['OTHER', 0, 1],
    ]);
    expect(summaryOf(rows)).toEqual({ counted: 3, forecast: 7, missing: 5, surplus: 1 });
    expect([differenceText(summaryOf(rows)), isRight(summaryOf(rows))]).toEqual(['−5 +1', false]);
  });

  test.each<[string, string[]]>([
    ['LAMP', ['LAMP']],
    ['lamp', ['LAMP']],
    ['MUG2', ['mug-2']],
    ['036000291452', ['LAMP']],
    ['0036000291452', ['LAMP']],
    ['6901234567892', ['MUG', 'mug-2']],
    ['690123456789', []],
  ])('takes the code %s for %j', (code, skus) => {
    expect(skusOf(countRows(items, []), code)).toEqual(skus);
  });

  test('is reported without what was not found, but never empty', () => {
    const [none, two] = [
      { sku_code: 'A', quantity: 0 },
      { sku_code: 'B', quantity: 2 },
    ];
    expect([reportedCount([none, two]), reportedCount([none])]).toEqual([[two], [none]]);
  });
});

describe('counting at the bench', () => {
  const forecast = forecastWith({ item_count: 2 });
  const two = [
    itemWith({ sku_code: 'MUG', barcode: '6901234567892', forecast_quantity: 2 }),
    itemWith({ sku_code: 'LAMP', forecast_quantity: 1 }),
  ];
  const opened = (changes = {}): Work =>
    new Work().open('SF123456', candidateOf(forecast), detailWith({ ...forecast, items: two, ...changes }));
  const counted = (work: Work): unknown => (work.bench.flow.at === 'parcel' ? work.bench.flow.counted : undefined);

  test('each scan adds one and says at once how it compares', () => {
    const work = opened().do('N', '6901234567892');
    expect(work.bench.notice).toEqual({ tone: 'good', key: 'counted', value: 'MUG', detail: '1/2' });
    work.do('mug', '6901234567892');
    expect(work.bench.notice).toEqual({ tone: 'bad', key: 'countedMore', value: 'MUG', detail: '3/2' });
    work.do('-1');
    expect(work.bench.notice).toEqual({ tone: 'good', key: 'counted', value: 'MUG', detail: '2/2' });
  });

  test('with numbers alone: each is for the next SKU', () => {
    const work = opened().do('N', '2', '0', '');
    expect(counted(work)).toEqual([
      { sku_code: 'MUG', quantity: 2 },
      { sku_code: 'LAMP', quantity: 0 },
    ]);
    expect(work.bench.notice).toEqual({ tone: 'bad', key: 'countDiffers', value: '2/3', detail: '−1' });
    work.do('N', '#2', '1', '');
    expect(work.said).toBe('countRight');
  });

  test('follows the weighing that ends the parcel, as a separate report', () => {
    const work = opened().do('N', '2', '1', '', '1.25', '30x20x10', '');
    expect(work.reports().slice(1)).toMatchObject([
      { type: 'weighing', weight_kg: 1.25 },
      {
        type: 'processing',
        forecast_no: 'FC001',
        received_items: [
          { sku_code: 'MUG', quantity: 2 },
          { sku_code: 'LAMP', quantity: 1 },
        ],
      },
    ]);
  });

  test('goes with the report that the clerk makes, and no second time', () => {
    const work = opened({ forecast_type: 1 }).do('N', '2', '', 'U', 'E');
    expect(work.reports().slice(1)).toEqual([
      { type: 'put_away', forecast_no: 'FC001', express_no: 'SF123456', received_items: [{ sku_code: 'MUG', quantity: 2 }] },
    ]);
    expect(work.at).toBe('scan');
  });

  test('ends a parcel that is not weighed', () => {
    expect(opened().do('N', 'LAMP', '', 'E').reports().at(-1)).toMatchObject({
      type: 'processing',
      received_items: [{ sku_code: 'LAMP', quantity: 1 }],
    });
  });

  test('continues the last count, or starts again', () => {
    const before = { received_items: [{ sku_code: 'MUG', quantity: 1 }] };
    expect(counted(opened(before).do('N', 'MUG'))).toEqual([{ sku_code: 'MUG', quantity: 2 }]);
    expect(counted(opened(before).do('N', '*', 'MUG'))).toEqual([{ sku_code: 'MUG', quantity: 1 }]);
    const looked = opened(before).do('N', '', 'E');
    expect([looked.reports().length, looked.at]).toEqual([1, 'scan']);
  });

  test('takes what the forecast does not name after a second scan', () => {
    const work = opened().do('N', 'STRANGE');
    expect([work.said, counted(work)]).toEqual(['notOfParcel', undefined]);
    work.do('STRANGE', 'STRANGE');
    expect(counted(work)).toEqual([{ sku_code: 'STRANGE', quantity: 2 }]);
    expect(opened().do('N', 'STRANGE', 'MUG', 'STRANGE').said).toBe('notOfParcel');
  });

  test.each([
    ['SF-123456', 'sameParcel'],
    ['X', 'countFirst'],
    ['#9', 'chooseNumber'],
    ['=500001', 'countTooMany'],
    ['12345', 'notOfParcel'],
  ])('responds %s with %s and counts nothing', (line, said) => {
    const work = opened().do('N', line);
    expect([work.said, counted(work)]).toEqual([said, undefined]);
  });

  test('is asked about before Escape discards it', () => {
    const work = opened().do('N', 'MUG', { type: 'escape' }, { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
  });

  test('needs the items, and is offered when one of them is scanned', () => {
    const work = new Work().do('SF123456');
    work.do({ type: 'looked-up', scan: 'SF123456', candidates: [candidateOf(forecast)], hasMore: false, offline: true });
    work.do({ type: 'opened', scan: 'SF123456', candidate: candidateOf(forecast) }, 'N');
    expect(work.said).toBe('cannotCount');
    expect(opened().do('MUG').said).toBe('itemOfParcel');
  });
});
