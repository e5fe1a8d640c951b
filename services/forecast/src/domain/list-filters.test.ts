import { describe, expect, test } from '@jest/globals';
import { record } from '../testing/samples.ts';
import { type FilteredForecast, type ListFilters, matches, nameOfFilters, termsWanted } from './list-filters.ts';
import { EXCEPTION_TERM, numberTerm, skuTerm } from './search-terms.ts';

const forecast: FilteredForecast = {
  ...record('F1', { status: 3, createdAt: 1000, updatedAt: 2000 }),
  terms: [numberTerm('LP1'), EXCEPTION_TERM],
};

describe('a forecast', () => {
  test.each<[ListFilters]>([
    [{}],
    [{ forecastNo: 'F1' }],
    [{ poNumber: 'PO-F1' }],
    [{ poPrefix: 'PO-' }],
    [{ warehouseCode: 'WH1', status: 3 }],
    [{ createdFrom: 1000, createdTo: 1001, updatedFrom: 2000, updatedTo: 2001 }],
    [{ trackingNumber: 'LP1' }],
    [{ hasException: true, onHold: false }],
  ])('meets %j', (filters) => {
    expect(matches(filters, forecast)).toBe(true);
  });

  test.each<[ListFilters]>([
    [{ forecastNo: 'F2' }],
    [{ poNumber: 'PO-F' }],
    [{ poPrefix: 'po-' }],
    [{ warehouseCode: 'WH2' }],
    [{ status: 4 }],
    [{ createdFrom: 1001 }],
    [{ createdTo: 1000 }],
    [{ updatedFrom: 2001 }],
    [{ updatedTo: 2000 }],
    [{ trackingNumber: 'LP2' }],
    [{ skuCode: 'LP1' }],
    [{ hasException: false }],
    [{ onHold: true }],
    [{ trackingNumber: 'LP1', skuCode: 'A' }],
  ])('does not meet %j', (filters) => {
    expect(matches(filters, forecast)).toBe(false);
  });
});

test('terms are wanted of numbers and SKUs alone', () => {
  expect(termsWanted({ trackingNumber: 'LP1', skuCode: 'A', warehouseCode: 'WH1' })).toEqual([numberTerm('LP1'), skuTerm('A')]);
});

test('filters have the same name in any order, and others another one', () => {
  const name = nameOfFilters({ status: 1, poPrefix: 'A' });
  expect(nameOfFilters({ poPrefix: 'A', status: 1 })).toBe(name);
  expect(name).toMatch(/^[\w-]{11}$/);
  const others = [{}, { status: 1 }, { status: 2, poPrefix: 'A' }, { poPrefix: 'A1' }, { skuCode: 'A', status: 1 }] as const;
  expect(new Set([name, ...others.map(nameOfFilters)]).size).toBe(6);
});
