import { expect, test } from '@jest/globals';
import { candidateOf, detailWith, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import { dispatchStop } from './dispatch-stop.ts';

const CANCELLED = { status: 7 } as const;
const ON_HOLD = { on_hold: true } as const;
const STOCK = { forecast_type: 1 } as const;
const subjectWith = (changes: Parameters<typeof forecastWith>[0]) => ({ scan: 'SF123456', forecast: forecastWith(changes) });

test.each([
  ['a cancelled parcel', CANCELLED, { key: 'cancelledParcel', value: 'PO-1' }],
  ['a parcel on hold', ON_HOLD, { key: 'releaseFirst', value: 'PO-1' }],
  ['a stock replenishment', STOCK, { key: 'noDispatch' }],
  ['a cancelled parcel on hold', { ...CANCELLED, ...ON_HOLD, ...STOCK }, { key: 'cancelledParcel' }],
  ['a stock replenishment on hold', { ...ON_HOLD, ...STOCK }, { key: 'releaseFirst' }],
])('%s is not dispatched', (_what, changes, expected) => {
  expect(dispatchStop(subjectWith(changes))).toMatchObject(expected);
  const work = new Work().open('SF123456', candidateOf(forecastWith(changes))).do('D');
  expect([work.said, work.bench.flow]).toEqual([expected.key, expect.not.objectContaining({ question: expect.anything() })]);
});

test('a parcel of direct mail may leave, and one without a forecast', () => {
  expect([dispatchStop(subjectWith({})), dispatchStop({ scan: 'SF123456' })]).toEqual([undefined, undefined]);
});

test.each([
  [CANCELLED, 'cancelledParcel'],
  [ON_HOLD, 'releaseFirst'],
  [STOCK, 'noDispatch'],
])('%j since it was scanned stops the dispatch before it is reported', (changes, said) => {
  const before = detailWith({ status: 2 });
  const work = new Work(() => ({ ...before, ...changes })).open('SF123456', candidateOf(forecastWith({ status: 2 })), before);
  work.do('D', 'yunexpress', 'YT1234567890');
  expect([work.said, work.reports()]).toEqual([said, []]);
});

test('a merchant who cancels while the parcel is on the bench stops its dispatch, although the correction was confirmed', () => {
  const before = detailWith({ status: 2 });
  const after = { ...before, status: 7, version: 2 } as const;
  const work = new Work(() => after).open('SF123456', candidateOf(forecastWith({ status: 2 })), before);
  work.do('D', 'yunexpress', 'YT1234567890', 'D');
  expect([work.said, work.reports()]).toEqual(['cancelledParcel', []]);
});
