import { describe, expect, test } from '@jest/globals';
import { candidateOf, detailWith, forecastWith, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';
import { dispatchStop } from './reporting.ts';

const photo = (id: string): Action => ({ type: 'photo', photo: { id, url: `blob:${id}` } });
const byTracking = candidateOf(forecastWith());

describe('letters', () => {
  test('print documents that there are', () => {
    const work = new Work().open('SF123456', byTracking).do('L', 'q');
    expect(work.printed()).toEqual(['https://example.com/files/label.pdf', 'https://example.com/files/product.pdf?copies=quantity']);
    expect(work.do('K').said).toBe('noDocument');
  });

  test('show why a parcel is on hold until it is released', () => {
    const work = new Work().open('SF123456', byTracking).do('H', 'Customs papers are missing');
    expect(work.bench.flow).toMatchObject({ subject: { holdReason: 'Customs papers are missing', forecast: { on_hold: true } } });
    expect(work.do('H').bench.flow).not.toHaveProperty('subject.holdReason');
    // Without words, those of a former hold are not shown either.
    expect(work.do('H', '').bench.flow).toMatchObject({ subject: { holdReason: '' } });
    expect(work.reports().slice(1)).toMatchObject([{ type: 'hold' }, { type: 'release' }, { type: 'hold' }]);
  });

  test('the carrier of the last dispatch is taken with Enter', () => {
    const work = new Work().open('SF123456', byTracking).do('D', 'yunexpress', 'YT1234567890');
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('D', '', 'YT2222222222');
    expect(work.reports().at(-1)).toMatchObject({ carrier_code: 'yunexpress', tracking_number: 'YT2222222222' });
  });

  test('dispatch with an unknown carrier code after one confirmation', () => {
    const work = new Work()
      .do({ type: 'carriers', carriers: ['acme'] })
      .open('SF123456', byTracking)
      .do('D', 'dlh');
    expect(work.bench.notice).toMatchObject({ key: 'unknownCarrier', value: 'dlh' });
    expect(work.do('dhlx').bench.notice).toMatchObject({ key: 'unknownCarrier', value: 'dhlx' });
    expect(work.do('', 'NUMBER1').reports().at(-1)).toMatchObject({ carrier_code: 'dhlx', tracking_number: 'NUMBER1' });
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('D', 'DHLX', 'NUMBER2');
    expect(work.reports().at(-1)).toMatchObject({ carrier_code: 'DHLX', tracking_number: 'NUMBER2' });
    work.open('SF888888', candidateOf(forecastWith({ forecast_no: 'FC003' }))).do('D', '1', 'NUMBER3');
    expect(work.reports().at(-1)).toMatchObject({ carrier_code: 'acme', tracking_number: 'NUMBER3' });
  });

  test('dispatch with the carrier of a tracking number that is scanned in its place', () => {
    const work = new Work().open('SF123456', byTracking).do('D', '1Z999AA10123456784');
    expect(work.bench.flow).toMatchObject({ question: { ask: 'carrier', detected: 'ups', trackingNumber: '1Z999AA10123456784' } });
    expect(work.do('').reports().at(-1)).toMatchObject({ carrier_code: 'ups', tracking_number: '1Z999AA10123456784' });
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('D', '1Z999AA10123456784', 'fedex');
    expect(work.reports().at(-1)).toMatchObject({ carrier_code: 'fedex', tracking_number: '1Z999AA10123456784' });
  });

  test('end a parcel without a weighing, with its photos', () => {
    const work = new Work().open('SF123456', byTracking).do(photo('a'), photo('b'), 'E');
    expect(work.reports().slice(1)).toMatchObject([
      { type: 'photo', image_type: 'package', image_order: 0 },
      { type: 'photo', image_type: 'package', image_order: 1 },
    ]);
    expect(new Work().open('SF123456', byTracking).do('1.25', 'E').said).toBe('finishFirst');
  });
});

test('photos are bounded, and one that comes when its parcel has gone is dropped', () => {
  const work = new Work().open('SF123456', byTracking).do(...Array.from({ length: 21 }, (_, index) => photo(String(index))));
  expect([work.said, work.effects.at(-1)]).toEqual(['tooManyPhotos', { do: 'drop-photos', photos: [{ id: '20', url: 'blob:20' }] }]);
  expect(new Work().do(photo('late')).effects).toEqual([{ do: 'drop-photos', photos: [{ id: 'late', url: 'blob:late' }] }]);
});

describe('Escape', () => {
  test('asks before it discards what was entered', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', photo('a'), { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
    work.do({ type: 'escape' });
    expect([work.at, work.effects.at(-1)]).toEqual(['scan', { do: 'drop-photos', photos: [{ id: 'a', url: 'blob:a' }] }]);
  });

  test('is forgotten when the work goes on', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', { type: 'escape' }, '30x20x10', { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
  });

  test('leaves a question, not the parcel', () => {
    const { flow } = new Work().open('SF123456', byTracking).do('X', { type: 'escape' }).bench;
    expect(flow).toMatchObject({ at: 'parcel' });
    expect(flow).not.toHaveProperty('question');
  });
});

describe('an exception', () => {
  const opened = (): Work => new Work().open('SF123456', candidateOf(forecastWith()));

  test('takes photos while it is described', () => {
    for (const lines of [['X'], ['X', '1']]) {
      const work = opened().do(...lines, 'C');
      expect([work.effects.at(-1), work.bench.flow]).toMatchObject([{ do: 'photo', from: 'camera' }, { question: {} }]);
    }
  });

  test('stays on the card once it is reported, the latest first', () => {
    const { flow } = opened().do('X', '1', 'Crushed', 'X', '2', '').bench;
    expect(flow).toMatchObject({ subject: { excepted: [{ reason: 'wrong_content' }, { reason: 'damaged', text: 'Crushed' }] } });
  });
});

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
