import { expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import { arrives, openedUnasked } from './arrival.ts';
import { emptyBench } from './flow.ts';

const subjectWith = (changes: Parameters<typeof forecastWith>[0] = {}) => ({ scan: 'SF123456', forecast: forecastWith(changes) });

test('a parcel arrives when it was only announced, or when nobody announced it, and once at a bench', () => {
  expect([arrives(emptyBench, subjectWith()), arrives(emptyBench, { scan: 'SF999999' })]).toEqual([true, true]);
  expect(arrives(emptyBench, subjectWith({ status: 2 }))).toBe(false);
  const known = { ...emptyBench, arrived: ['FC001', 'SF999999'] };
  expect([arrives(known, subjectWith()), arrives(known, { scan: 'SF999999' })]).toEqual([false, false]);
});

test.each(['barcode', 'sku_code'] as const)('a match by %s is not opened unasked, nor is one of several', (matchedBy) => {
  const byNumber = candidateOf(forecastWith());
  expect(openedUnasked([byNumber])).toBe(byNumber);
  expect([openedUnasked([candidateOf(forecastWith(), matchedBy)]), openedUnasked([byNumber, byNumber])]).toEqual([undefined, undefined]);
});

test('a match that may have been guessed is not opened unasked, by whatever number', () => {
  for (const matchedBy of ['tracking_number', 'po_number'] as const) {
    const candidate = candidateOf(forecastWith(), matchedBy);
    expect(openedUnasked([candidate])).toBe(candidate);
    expect(openedUnasked([{ ...candidate, is_doubtful: true }])).toBeUndefined();
  }
});

test('on a full device no arrival is reported, and the parcel is not opened', () => {
  const work = new Work().do({ type: 'full', full: true }).open('SF123456', candidateOf(forecastWith()));
  expect([work.at, work.said, work.reports()]).toEqual(['scan', 'queueFull', []]);
});

test('a scan that was a wrong parcel has reported its arrival, which Escape says', () => {
  const leave = (forecast = forecastWith()) => new Work().open('SF123456', candidateOf(forecast)).do({ type: 'escape' }).said;
  expect([leave(), leave(forecastWith({ status: 2 }))]).toEqual(['putAsideArrived', 'putAside']);
});
