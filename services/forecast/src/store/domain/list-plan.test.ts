import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { record } from '../../testing/samples.ts';
import {
  behindPrefix,
  type FilteredForecast,
  type ListFilters,
  MAX_PLACE,
  matches,
  nameOfFilters,
  placeInText,
  planOf,
  textOfPlace,
  type Walk,
} from './list-plan.ts';
import { numberTerm, skuTerm, warehouseTerm } from './search-terms.ts';

const number = { trackingNumber: 'LP1' };

const sku = { skuCode: 'A' };

const created = { createdFrom: 1, createdTo: 5 };

describe('a list is read', () => {
  test.each<[string, ListFilters, Walk['by']]>([
    ['by forecast_no before all else', { forecastNo: 'F', poNumber: 'P', ...number }, 'forecast_no'],
    ['by po_number before numbers', { poNumber: 'P', ...number, poPrefix: 'P' }, 'po'],
    ['by a number before a prefix', { ...number, poPrefix: 'P' }, 'term'],
    ['by an SKU before a prefix', { ...sku, poPrefix: 'P', status: 1 }, 'term'],
    ['by a prefix before changes', { poPrefix: 'P', updatedFrom: 1, status: 1 }, 'po'],
    ['by changes before a warehouse', { updatedTo: 1, warehouseCode: 'W' }, 'changed'],
    [
      'by a hold before an exception, a warehouse and a status',
      { onHold: true, hasException: true, warehouseCode: 'W', status: 1 },
      'term',
    ],
    ['by an exception before a status', { hasException: true, status: 1 }, 'term'],
    ['by a status when there is to be no exception', { hasException: false, onHold: false, status: 1 }, 'status'],
    ['by a warehouse', { warehouseCode: 'W' }, 'term'],
    ['by a status', { status: 7 }, 'status'],
    ['by acceptance', {}, 'newest'],
    ['by acceptance in a range', created, 'newest'],
  ])('%s', (_name, filters, by) => {
    expect(planOf(filters).walk.by).toBe(by);
  });

  test('by a status that passes, and by the warehouse when most forecasts have the status', () => {
    expect(planOf({ status: 5, warehouseCode: 'W' })).toEqual({
      walk: { by: 'status', eq: [5] },
      remaining: { warehouseCode: 'W' },
    });
    expect(planOf({ status: 6, warehouseCode: 'W' })).toEqual({
      walk: { by: 'term', eq: [warehouseTerm('W')] },
      remaining: { status: 6 },
    });
  });

  test('within the range of its order, and the other range remains', () => {
    const updated = { updatedFrom: 2, updatedTo: 6 };
    expect(planOf({ ...created, ...updated })).toEqual({ walk: { by: 'changed', eq: [], from: 2, to: 6 }, remaining: created });
    expect(planOf({ ...created, ...updated, ...sku })).toEqual({
      walk: { by: 'term', eq: [skuTerm('A')], from: 1, to: 5 },
      remaining: updated,
    });
    expect(planOf({ ...created, poPrefix: 'P' })).toEqual({ walk: { by: 'po', eq: [], from: 'P', to: 'Q' }, remaining: created });
  });
});

const forecast: FilteredForecast = {
  ...record('F1', { status: 3, createdAt: 1000, updatedAt: 2000 }),
  hasException: true,
  terms: [numberTerm('LP1')],
};

describe('a forecast', () => {
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

test('filters have the same name in any order, and others another one', () => {
  const name = nameOfFilters({ status: 1, poPrefix: 'A' });
  expect(nameOfFilters({ poPrefix: 'A', status: 1 })).toBe(name);
  expect(name).toMatch(/^[\w-]{11}$/);
  const others = [{}, { status: 1 }, { status: 2, poPrefix: 'A' }, { poPrefix: 'A1' }, { skuCode: 'A', status: 1 }] as const;
  expect(new Set([name, ...others.map(nameOfFilters)]).size).toBe(6);
});

const byPrefix = { poPrefix: 'PO' };

describe('the text of a place', () => {
  const placeOf = (...values: readonly (string | number)[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

  test('leads back to its place, and has a length for a cursor', () => {
    const poNumber = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(poNumber, fc.nat(4e12), (po, at) => {
        const place = placeOf(po, at, 'FC1');
        const text = textOfPlace(byPrefix, place);
        expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text);
        expect(text).toMatch(/\S$/);
        expect(placeInText(byPrefix, text)).toEqual(place);
      }),
    );
    const longest = placeOf('\u{1f600}'.repeat(64), Number.MIN_SAFE_INTEGER, 'FC261121K7Q0Z4M2XT');
    expect(textOfPlace(byPrefix, longest).length).toBeLessThanOrEqual(MAX_PLACE);
  });

  test('is one of its filters alone', () => {
    const text = textOfPlace({ status: 1 }, placeOf(1, 'F'));
    for (const filters of [{ status: 2 }, {}, byPrefix] as const) expect(placeInText(filters, text)).toBeUndefined();
    expect(placeInText({ status: 1 }, text)).toEqual(placeOf(1, 'F'));
    fc.assert(fc.property(fc.string(), (value) => expect(placeInText({}, value)).toBeUndefined()));
  });
});

describe('the first text behind a prefix', () => {
  test.each([
    ['PO-1', 'PO-2'],
    ['PO-9', 'PO-:'],
    ['中', '丮'],
    ['a\ud7ff', 'a\ue000'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('of %j is %j', (prefix, behind) => {
    expect(behindPrefix(prefix)).toBe(behind);
  });
});
