import { describe, expect, test } from '@jest/globals';
import { listedWith } from '../testing/parcels.ts';
import { ExpectedParcels, MAX_EXPECTED } from './expected-parcels.ts';

const numbered = (number: number, changes = {}) =>
  listedWith({ forecast_no: `FC-${number}`, po_number: `PO-${number}`, tracking_numbers: [`SF${number}0000`], ...changes });

describe('parcels that are known here', () => {
  test.each([
    ['fc-1', 'forecast_no'],
    ['sf 1-0000', 'tracking_number'],
    ['PO1', 'po_number'],
    ['{"forecast_no":"FC-1","po_number":"PO-1"}', 'label'],
  ])('%j is found by %s', (scan, matched_by) => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1), numbered(2)]);
    expect(parcels.lookUp(scan)).toMatchObject([{ matched_by, forecast: { forecast_no: 'FC-1' } }]);
  });

  test('several are several, and none is none', () => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1, { tracking_numbers: ['SAME'] }), numbered(2, { tracking_numbers: ['SAME'] })]);
    expect(parcels.lookUp('same')).toHaveLength(2);
    expect(parcels.lookUp('other')).toEqual([]);
  });

  test('go when they have left', () => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1)]);
    parcels.apply([numbered(1, { status: 5 })]);
    expect(parcels.lookUp('FC-1')).toEqual([]);
  });

  test('go when they have moved to another warehouse, and come back with them', () => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1)]);
    parcels.apply([numbered(1, { moved: true })]);
    expect(parcels.lookUp('FC-1')).toEqual([]);
    parcels.apply([numbered(1)]);
    expect(parcels.lookUp('FC-1')).toHaveLength(1);
  });

  test('are bounded: those that changed last stay', () => {
    const parcels = new ExpectedParcels();
    const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
    const all = Array.from({ length: MAX_EXPECTED + 10 }, (_, number) => numbered(number, { update_time: at(number) }));
    parcels.apply(all.reverse());
    expect(parcels.size).toBe(MAX_EXPECTED);
    expect([parcels.lookUp('FC-9').length, parcels.lookUp('FC-10').length]).toEqual([0, 1]);
  });
});
