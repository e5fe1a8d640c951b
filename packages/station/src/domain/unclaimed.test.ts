import { describe, expect, test } from '@jest/globals';
import { candidateOf, detailWith, itemWith, Work, waitingWith } from '../testing/work.ts';
import { pageOf, parcelMeant, refusalOf, type UnclaimedAsk, type UnclaimedResponse } from './unclaimed.ts';

const lost = waitingWith({ id: 'e1', express_no: 'SF 123-456' });
const again = waitingWith({ id: 'e2', express_no: 'sf123456', type: 'weighing' });
const twice = waitingWith({ id: 'e3', express_no: 'TWICE', reason: 'ambiguous', candidates: ['FC1', 'FC2'] });
const page = (...cursors: string[]) => pageOf({ parcels: [lost, again, twice], next_cursor: 'next' }, cursors);

describe('a page of what waits', () => {
  test('shows the reports of one number as one parcel', () => {
    const { parcels, next } = page();
    expect(parcels.map(({ id, number, reports, candidates }) => [id, number, reports.length, candidates.length])).toEqual([
      ['e1', 'SF 123-456', 2, 0],
      ['e3', 'TWICE', 1, 2],
    ]);
    expect(next).toBe('next');
  });

  test('keeps a number that was scanned apart from the same one that was named', () => {
    const named = waitingWith({ id: 'e4', express_no: 'SF123456', forecast_no: 'SF123456' });
    expect(pageOf({ parcels: [lost, named], next_cursor: null }, []).parcels).toHaveLength(2);
  });

  test('is searched by place and by number', () => {
    expect(['1', 'sf123456', '2', '3', 'SF9'].map((line) => parcelMeant(page(), line)?.id)).toEqual([
      'e1',
      'e1',
      'e3',
      undefined,
      undefined,
    ]);
  });
});

const failure = (code: string, message = '', data: unknown = null): Extract<UnclaimedResponse, { of: 'failure' }> => ({
  of: 'failure',
  code,
  message,
  data,
  offline: false,
});

test.each([
  [failure('40403', 'The warehouse has no such event'), { key: 'noSuchEvent' }],
  [failure('40403', 'No such forecast is known at this warehouse'), { key: 'noSuchForecast' }],
  [failure('40902', '', { action: 'claim', forecast_no: 'FC1' }), { key: 'claimedBefore', value: 'FC1' }],
  [failure('40902', '', { action: 'dismiss' }), { key: 'dismissedBefore' }],
  [failure('40902', '', { forecast_no: 'FC1' }), { key: 'appliedBefore', value: 'FC1' }],
  [failure('40902', 'The event is not waiting: it was applied to its forecast', {}), { key: 'appliedBefore' }],
  [failure('40902', '', { product_code: 'SKU-1', product_of: 'FC1' }), { key: 'claimOfProduct', value: 'SKU-1' }],
  [failure('40902', 'Forecast FC1 is cancelled'), { key: 'forecastCancelled' }],
  [failure('40902', 'Forecast FC1 is of type 1 and takes no dispatch; dismiss the event'), { key: 'claimNoDispatch' }],
  [failure('40902', 'A forecast can have at most 1000 claimed numbers'), { key: 'claimTooMany' }],
  [failure('50301', 'busy'), undefined],
])('the refusal %o is %o', (refused, expected) => {
  expect(refusalOf(refused)).toEqual(expected);
});

class Desk extends Work {
  constructor() {
    super();
    this.do('A').respond({ of: 'page', page: page() });
  }

  get ask(): UnclaimedAsk | undefined {
    const { flow } = this.bench;
    return flow.at === 'unclaimed' && flow.doing.what === 'busy' ? flow.doing.ask : undefined;
  }

  get doing(): string {
    const { flow } = this.bench;
    return flow.at === 'unclaimed' ? flow.doing.what : flow.at;
  }

  respond(response: UnclaimedResponse): this {
    const { ask } = this;
    if (ask === undefined) throw new Error('Nothing is asked');
    return this.do({ type: 'unclaimed', ask, response });
  }

  confirm(): this {
    const forecast = detailWith({ forecast_no: 'FC7', po_number: 'PO-7' });
    return this.do('1', 'PO-7')
      .respond({ of: 'choices', choices: [{ forecast, matchedBy: 'po_number' }], hasMore: false })
      .respond({ of: 'forecast', forecast });
  }
}

describe('at the desk', () => {
  test('an empty list asks for nothing', () => {
    const desk = new Desk().do('A').respond({ of: 'page', page: { parcels: [], cursors: [], next: undefined } });
    for (const line of ['', '1', 'SF123456']) expect(desk.do(line).said).toBe('nothingWaits');
  });

  test('nothing is claimed without Enter', () => {
    const desk = new Desk().confirm().do('PO-8');
    expect([desk.doing, desk.said]).toEqual(['confirm', 'enterClaims']);
    desk.do({ type: 'escape' });
    expect(desk.doing).toBe('whose');
  });

  test.each([
    ['4006381333931', { barcode: '4006381333931' }],
    ['04006381333931', { barcode: '4006381333931' }],
    ['(01)04006381333931', { barcode: '4006381333931' }],
    ['MUGBLUE', { sku_code: 'MUG-BLUE' }],
  ])('the code %j of a product in the forecast is not claimed for it', (number, item) => {
    const forecast = detailWith({ items: [itemWith(item)] });
    const waits = waitingWith({ express_no: number });
    const whose = (): Desk =>
      new Desk()
        .do('A')
        .respond({ of: 'page', page: pageOf({ parcels: [waits], next_cursor: null }, []) })
        .do('1', 'PO-1');
    const choices: UnclaimedResponse = { of: 'choices', choices: [{ forecast, matchedBy: 'po_number' }], hasMore: false };
    const desk = whose().respond(choices).respond({ of: 'forecast', forecast });
    expect([desk.doing, desk.bench.notice]).toEqual(['whose', { tone: 'bad', key: 'claimOfProduct', value: number }]);
    const declares = detailWith({ ...forecast, tracking_numbers: [number] });
    expect(whose().respond(choices).respond({ of: 'forecast', forecast: declares }).doing).toBe('confirm');
  });

  test('a candidate is chosen by its number', () => {
    const desk = new Desk().do('TWICE');
    expect(desk.ask).toMatchObject({ ask: 'candidates', parcel: { id: 'e3' } });
    const choices = ['FC1', 'FC2'].map((forecast_no) => ({ forecast: detailWith({ forecast_no }) }));
    desk.respond({ of: 'choices', choices, hasMore: false }).do('2');
    expect(desk.ask).toEqual({ ask: 'read', forecastNo: 'FC2' });
  });

  test('a parcel is dismissed with a reason', () => {
    const desk = new Desk().do('1', 'X', '');
    expect([desk.doing, desk.said]).toEqual(['reason', 'reasonFirst']);
    desk.do('Returned to the sender');
    expect(desk.ask).toEqual({ ask: 'dismiss', id: 'e1', reason: 'Returned to the sender' });
    desk.respond({ of: 'done', events: 2 }).respond({ of: 'page', page: page() });
    expect(desk.bench.notice).toMatchObject({ key: 'dismissed', value: 'SF 123-456' });
  });

  test('pages lead on and back', () => {
    const desk = new Desk().do('-');
    expect(desk.said).toBe('firstPage');
    desk.do('+');
    expect(desk.ask).toEqual({ ask: 'page', cursors: ['next'] });
    desk.respond({ of: 'page', page: { ...page('next'), next: undefined } }).do('+');
    expect(desk.said).toBe('lastPage');
    desk.do('-');
    expect(desk.ask).toEqual({ ask: 'page', cursors: [] });
  });

  test.each([
    [failure('40902', '', { action: 'dismiss' }), 'dismissedBefore', 'page'],
    [failure('40902', 'Forecast FC7 is cancelled'), 'forecastCancelled', undefined],
    [{ ...failure('offline'), offline: true }, 'unclaimedOffline', undefined],
    [failure('50000', 'broken'), 'unclaimedFailed', undefined],
  ] as const)('a claim that fails is reported, and the list is read again where it is outdated: %o', (refused, said, asked) => {
    const desk = new Desk().confirm().do('').respond(refused);
    expect([desk.said, desk.ask?.ask]).toEqual([said, asked]);
  });

  test('a claim that did not get through can be tried again with Enter', () => {
    const desk = new Desk()
      .confirm()
      .do('')
      .respond({ ...failure('timeout'), offline: true })
      .do('');
    expect(desk.ask).toEqual({ ask: 'claim', id: 'e1', forecastNo: 'FC7' });
  });

  test('a scan that finds nothing says so', () => {
    const desk = new Desk().do('1', 'NOBODY').respond({ of: 'choices', choices: [], hasMore: false });
    expect([desk.doing, desk.bench.notice]).toEqual(['whose', { tone: 'bad', key: 'nobodys', value: 'NOBODY' }]);
  });

  test('Escape leads back, what comes late is ignored, and a claim is waited for', () => {
    const desk = new Desk().do('1', 'PO-7');
    const late = desk.ask as UnclaimedAsk;
    desk.do({ type: 'escape' }, { type: 'unclaimed', ask: late, response: { of: 'choices', choices: [], hasMore: false } });
    expect([desk.doing, desk.said]).toEqual(['whose', undefined]);
    desk.do('PO-8', { type: 'unclaimed', ask: late, response: { of: 'choices', choices: [], hasMore: false } });
    expect(desk.ask).toEqual({ ask: 'lookup', scan: 'PO-8' });
    desk.do({ type: 'escape' }, { type: 'escape' }, { type: 'escape' });
    expect(desk.at).toBe('scan');
    expect(new Desk().confirm().do('', { type: 'escape' }).ask).toMatchObject({ ask: 'claim' });
  });
});

test('the list is not opened over something that is not reported', () => {
  const work = new Work().open('SF123456', candidateOf(detailWith())).do('1.25', 'A');
  expect([work.at, work.said]).toEqual(['parcel', 'finishFirst']);
});
