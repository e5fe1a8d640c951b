import { expect, test } from '@jest/globals';
import { acceptedForecast } from '../../testing/samples.ts';
import { type CorrectableForecast, correctDirectory } from './directory-correction.ts';

const known: CorrectableForecast = { version: 1, isCancelled: false, warehouseCode: 'WH1', numbers: ['A1', 'B2'], onParcel: [] };
const corrected = (version: number, warehouseCode: string, ...trackingNumbers: readonly string[]) => ({
  ...acceptedForecast({ warehouseCode, trackingNumbers }),
  version,
});

test.each<[what: string, Partial<CorrectableForecast>, ReturnType<typeof corrected>, ReturnType<typeof correctDirectory>]>([
  ['numbers', {}, corrected(2, 'WH1', 'B2', 'C3'), { warehouseCode: 'WH1', numbers: ['B2', 'C3'], freed: ['A1'] }],
  ['no number', {}, corrected(2, 'WH1', 'A1', 'B2'), { warehouseCode: 'WH1', numbers: ['A1', 'B2'], freed: [] }],
  ['the warehouse', {}, corrected(2, 'WH2', 'B2'), { warehouseCode: 'WH2', numbers: ['B2'], freed: ['A1', 'B2'] }],
  [
    'a number on the parcel',
    { onParcel: ['A1'] },
    corrected(2, 'WH1', 'C3'),
    { warehouseCode: 'WH1', numbers: ['C3', 'A1'], freed: ['B2'] },
  ],
  [
    'the warehouse of a parcel that is there',
    { onParcel: ['A1'] },
    corrected(2, 'WH2', 'C3'),
    { warehouseCode: 'WH1', numbers: ['C3', 'A1'], freed: ['B2'] },
  ],
  ['what is cancelled', { isCancelled: true }, corrected(2, 'WH1', 'C3'), undefined],
  ['what is as new', { version: 2 }, corrected(2, 'WH1', 'C3'), undefined],
  ['what is newer', { version: 3 }, corrected(2, 'WH1', 'C3'), undefined],
])('a correction of %s', (_what, state, correction, expected) => {
  expect(correctDirectory({ ...known, ...state }, correction)).toEqual(expected);
});
