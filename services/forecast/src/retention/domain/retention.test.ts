import { describe, expect, test } from '@jest/globals';
import { initialProgress } from '../../store/domain/forecast.ts';
import { contentOf, exceptionAt, photo, record } from '../../testing/samples.ts';
import { batchOf, DAY_MS, expiryMessage, overBefore, overdueFor, retentionOf } from './retention.ts';

const tenant = { tenantId: 'tnt_a', version: 1 };

const never = { forecastMs: undefined, fileMs: undefined };

const installation = { forecastMs: 400 * DAY_MS, fileMs: 90 * DAY_MS };

describe('the retention of a tenant', () => {
  test('is that of the installation where it has chosen none', () => {
    expect(retentionOf(never, undefined)).toEqual(never);
    expect(retentionOf(installation, undefined)).toEqual(installation);
    expect(retentionOf(installation, { ...tenant, forecastDays: null, fileDays: null })).toEqual(installation);
  });

  test('is its own where it has chosen one, longer or shorter', () => {
    expect(retentionOf(never, { ...tenant, forecastDays: 7, fileDays: null })).toEqual({ forecastMs: 7 * DAY_MS, fileMs: 7 * DAY_MS });
    expect(retentionOf(installation, { ...tenant, forecastDays: 1000, fileDays: 30 })).toEqual({
      forecastMs: 1000 * DAY_MS,
      fileMs: 30 * DAY_MS,
    });
    expect(retentionOf(never, { ...tenant, forecastDays: null, fileDays: 30 })).toEqual({ forecastMs: undefined, fileMs: 30 * DAY_MS });
  });

  test('ends files with their forecast at the latest', () => {
    expect(retentionOf(installation, { ...tenant, forecastDays: 10, fileDays: null }).fileMs).toBe(10 * DAY_MS);
    expect(retentionOf({ forecastMs: 5, fileMs: undefined }, undefined).fileMs).toBe(5);
  });
});

describe('what is over', () => {
  const noon = Date.UTC(2026, 10, 26, 12);

  test('counts in whole days of UTC', () => {
    expect(overBefore(noon, 7 * DAY_MS)).toBe(Date.UTC(2026, 10, 19));
    expect(overBefore(noon + DAY_MS / 2 - 1, 7 * DAY_MS)).toBe(Date.UTC(2026, 10, 19));
    expect(overBefore(noon + DAY_MS / 2, 7 * DAY_MS)).toBe(Date.UTC(2026, 10, 20));
    expect(overBefore(noon, DAY_MS)).toBe(Date.UTC(2026, 10, 25));
  });

  test('counts to the millisecond below a day, and is nothing where all is kept', () => {
    expect(overBefore(noon, 2000)).toBe(noon - 2000);
    expect(overBefore(noon, undefined)).toBeUndefined();
  });
});

describe('for how long something has been over', () => {
  const midnight = Date.UTC(2026, 10, 26);

  test('counts from midnight behind the day of its end', () => {
    const ends = [midnight - 8 * DAY_MS, midnight - 7 * DAY_MS - 1];
    expect(ends.map((endedAt) => overdueFor(midnight + 300_000, endedAt, 7 * DAY_MS))).toEqual([300_000, 300_000]);
    expect(overdueFor(midnight, midnight - 9 * DAY_MS, 7 * DAY_MS)).toBe(DAY_MS);
    // One and a half days: over from noon on.
    expect(overdueFor(midnight + DAY_MS / 2 + 7, midnight - DAY_MS - 1, 1.5 * DAY_MS)).toBe(7);
    expect(overdueFor(midnight + 7, midnight - DAY_MS - 1, DAY_MS)).toBe(7);
    expect(overdueFor(midnight + 2007, midnight, 2000)).toBe(7);
  });
});

describe('a batch', () => {
  const sized = (...counts: number[]) => counts.map((itemCount) => ({ value: { itemCount } }));

  test('ends before there are too many items', () => {
    expect(batchOf(sized(2000, 1999, 1, 1))).toEqual(sized(2000, 1999, 1));
    expect(batchOf(sized(1, 2))).toEqual(sized(1, 2));
    expect(batchOf([])).toEqual([]);
  });
});

const token = (letter: string): string => letter.repeat(22);

const file = (letter: string): string => `https://h.example/files/${token(letter)}-${token('s')}.pdf`;

const photoOf = (letter: string) => photo(1, { image_url: `https://h.example/photos/${token(letter)}.jpg` });

test('the message names the files of the forecast, each once, those before a correction too', () => {
  const progress = {
    ...initialProgress(1),
    weighingPhotos: [{ ...photoOf('a'), express_no: '' }],
    attachedPhotos: [{ ...photoOf('b'), image_type: 'package' as const, image_order: 1 }],
    exceptions: [exceptionAt(1, photoOf('a'), photoOf('c'))],
  };
  const content = contentOf('F1', { shipping_label: file('x'), shipping_note: file('y') });
  const changes = [
    { field: 'shipping_label', from: file('w'), to: file('x') },
    { field: 'items[0].sku_code', from: file('v'), to: 'S' },
    { field: 'shipping_note', from: null, to: file('y') },
  ];
  const corrections = [{ version: 2, at: 5, keyId: 'key_1', changes, hasMoreChanges: false }];
  const message = expiryMessage(
    'forecast.expired',
    { record: record('F1', { progress }), content, corrections: corrections as never },
    2000,
  );
  expect(message).toEqual({
    type: 'forecast.expired',
    time: 2000,
    data: {
      forecast_no: 'F1',
      po_number: 'PO-F1',
      expired_at: '1970-01-01T00:00:02.000+00:00',
      files: [token('x'), token('y'), token('w')],
      photos: [token('a'), token('b'), token('c')],
    },
  });
});
