import { describe, expect, test } from '@jest/globals';
import { MAX_FILE_BYTES as ofFiles } from '@parcelway/contracts/file-api';
import { feedEventTypes } from '@parcelway/contracts/webhook-event-types';
import { MAX_FILE_BYTES } from './files.ts';
import { apiQueryOf, isFiltered, NO_FILTER } from './forecast-filter.ts';
import { askedTypes } from './webhooks.ts';

const filter = { ...NO_FILTER, prefix: ' PO-1 ', status: '3', createdFrom: '2026-11-30', createdTo: '2026-11-30' };

describe('the API is asked', () => {
  test('for what the filter names, and nothing else', () => {
    expect(apiQueryOf({ ...NO_FILTER, skuCode: 'S 1', trackingNumber: 'SF1' })).toEqual({ sku_code: 'S 1', tracking_number: 'SF1' });
    expect(apiQueryOf({ ...NO_FILTER, hasException: 'true' })).toEqual({ has_exception: 'true' });
  });

  test('for the whole of the last day of a range, in the zone of the reader', () => {
    expect(apiQueryOf(filter)).toEqual({
      status: '3',
      q: 'PO-1',
      created_from: new Date(2026, 10, 30).toISOString(),
      created_to: new Date(2026, 11, 1).toISOString(),
    });
  });

  test('leaves an invalid day unchanged', () => {
    expect(apiQueryOf({ ...NO_FILTER, updatedTo: 'soon' })).toEqual({ updated_to: 'soon' });
  });
});

test('a filter counts when it has a condition besides those that do not count', () => {
  expect([isFiltered(NO_FILTER), isFiltered({ ...NO_FILTER, prefix: ' ' })]).toEqual([false, false]);
  expect([isFiltered(filter), isFiltered({ ...NO_FILTER, status: '1' }, ['status'])]).toEqual([true, false]);
});

test.each([
  ['', 'every type of the feed', feedEventTypes.join(',')],
  ['parcel.arrived', 'that type alone', 'parcel.arrived'],
  ['standard', 'what the feed shows unasked', ''],
])('the choice %j asks for %s', (choice, _what, asked) => {
  expect(askedTypes(choice)).toBe(asked);
});

test('files may be as large as the contract says', () => {
  expect(MAX_FILE_BYTES).toBe(ofFiles);
});
