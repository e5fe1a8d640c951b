import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListFilters } from './list-filters.ts';
import { isExact, orderOf, planOf, type Walk } from './list-plan.ts';
import { numberTerm, skuTerm, warehouseTerm } from './search-terms.ts';

const number = { trackingNumber: 'LP1' };
const sku = { skuCode: 'A' };
const created = { createdFrom: 1, createdTo: 5 };

describe('a list is read', () => {
  test.each<[string, ListFilters, Walk['by']]>([
    ['by forecast_no before all else', { forecastNo: 'F', poNumber: 'P', ...number }, 'forecast_no'],
    ['by po_number before numbers', { poNumber: 'P', ...number, poPrefix: 'P' }, 'po_number'],
    ['by a number before a prefix', { ...number, poPrefix: 'P' }, 'term'],
    ['by an SKU before a prefix', { ...sku, poPrefix: 'P', status: 1 }, 'term'],
    ['by a prefix before changes', { poPrefix: 'P', updatedFrom: 1, status: 1 }, 'po_prefix'],
    ['by changes before a warehouse', { updatedTo: 1, warehouseCode: 'W' }, 'change'],
    [
      'by a hold before an exception, a warehouse and a status',
      { onHold: true, hasException: true, warehouseCode: 'W', status: 1 },
      'term',
    ],
    ['by an exception before a status', { hasException: true, status: 1 }, 'term'],
    ['by a status when there is to be no exception', { hasException: false, onHold: false, status: 1 }, 'status'],
    ['by a warehouse', { warehouseCode: 'W' }, 'term'],
    ['by a status', { status: 7 }, 'status'],
    ['by acceptance', {}, 'all'],
    ['by acceptance in a range', created, 'all'],
  ])('%s', (_name, filters, by) => {
    expect(planOf(filters).walk.by).toBe(by);
  });

  test('by the number of several terms', () => {
    expect(planOf({ ...number, ...sku, warehouseCode: 'W' })).toEqual({
      walk: { by: 'term', term: numberTerm('LP1') },
      remaining: { ...sku, warehouseCode: 'W' },
    });
    expect(planOf(sku).walk).toEqual({ by: 'term', term: skuTerm('A') });
  });

  test('by a status that passes, and by the warehouse when most forecasts have the status', () => {
    expect(planOf({ status: 5, warehouseCode: 'W' })).toEqual({
      walk: { by: 'status', status: 5 },
      remaining: { warehouseCode: 'W' },
    });
    expect(planOf({ status: 6, warehouseCode: 'W' })).toEqual({
      walk: { by: 'term', term: warehouseTerm('W') },
      remaining: { status: 6 },
    });
  });

  test('within the range of its order, and the other range remains', () => {
    const updated = { updatedFrom: 2, updatedTo: 6 };
    expect(planOf({ ...created, ...updated })).toEqual({ walk: { by: 'change', from: 2, to: 6 }, remaining: created });
    expect(planOf({ ...created, ...updated, ...sku })).toEqual({
      walk: { by: 'term', term: skuTerm('A'), from: 1, to: 5 },
      remaining: updated,
    });
    expect(planOf({ ...created, poPrefix: 'P' }).remaining).toEqual(created);
  });
});

test('a plan is exact when nothing remains', () => {
  for (const filters of [
    {},
    created,
    { status: 1, ...created },
    number,
    { poPrefix: 'P' },
    { updatedFrom: 1 },
    { warehouseCode: 'W' },
  ] as const) {
    expect(isExact(planOf(filters))).toBe(true);
  }
  expect(isExact(planOf({ ...number, ...sku }))).toBe(false);
});

const some = <T>(value: T) => fc.constant(value);
const anyFilters: fc.Arbitrary<ListFilters> = fc.record(
  {
    forecastNo: some('F'),
    poNumber: some('P'),
    trackingNumber: some('LP1'),
    skuCode: some('A'),
    poPrefix: some('P'),
    warehouseCode: some('W'),
    status: fc.constantFrom(1, 6),
    hasException: fc.boolean(),
    onHold: fc.boolean(),
    createdFrom: some(1),
    createdTo: some(2),
    updatedFrom: some(3),
    updatedTo: some(4),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ListFilters>;

test('each filter is either what is walked or remains, and the order is that of the walk', () => {
  const orders = { po_prefix: 'po_number', change: 'changed' } as Readonly<Record<string, string>>;
  fc.assert(
    fc.property(anyFilters, (filters) => {
      const { walk, remaining } = planOf(filters);
      expect(orderOf(filters)).toBe(orders[walk.by] ?? 'created');
      const { by: _, ...walked } = walk;
      const count = (values: object) => Object.values(values).filter((value) => value !== undefined).length;
      expect(count(remaining) + count(walked)).toBe(Object.keys(filters).length);
    }),
  );
});
