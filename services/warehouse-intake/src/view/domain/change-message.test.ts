import { describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { MAX_CHANGE_BYTES, WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { exampleChange } from '@parcelway/contracts/warehouse-view-examples';
import { changeMessage, noteEntry } from './change-message.ts';

const detail = exampleChange.forecast as WarehouseForecastDetail;
const note = { change: 'corrected', changedAt: '2026-11-21T08:00:00.000+00:00' } as const;
const entry = noteEntry('FC1', note).value;
const valid = compileValidator(WarehouseForecastChange);
const messageOf = (changes: Partial<WarehouseForecastDetail> = {}, hasItems = true): WarehouseForecastChange => {
  const text = changeMessage(entry, { ...detail, ...changes }, hasItems);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_CHANGE_BYTES);
  return valid.parse(JSON.parse(text));
};
const item = detail.items[0] as WarehouseForecastDetail['items'][number];
const exception: WarehouseForecastDetail['exceptions'][number] = {
  event_id: 'e',
  express_no: null,
  occurred_at: note.changedAt,
  reason: 'damaged',
  text: '坏'.repeat(1000),
  photos: [],
};

test('the entry of the outbox names the change alone', () => {
  expect(noteEntry('FC1', note)).toEqual({ topic: 'warehouse.expected.v1', key: 'FC1', value: JSON.stringify(note) });
});

describe('the message', () => {
  test('has the forecast as its warehouse reads it', () => {
    expect(messageOf()).toEqual({ change: 'corrected', changed_at: note.changedAt, forecast: detail });
  });

  test('has no items while they are those of a former version', () => {
    expect(messageOf({}, false).forecast).toEqual({ ...detail, items: null });
  });

  test('leaves the items out when it would be too large, and not before, counted in bytes', () => {
    const sizeWith = (url: string): number => Buffer.byteLength(changeMessage(entry, { ...detail, shipping_note: url }, true));
    const room = MAX_CHANGE_BYTES - sizeWith('');
    const url = '杯'.repeat(Math.floor(room / 3)) + 'x'.repeat(room % 3);
    expect(sizeWith(url)).toBe(MAX_CHANGE_BYTES);
    expect(messageOf({ shipping_note: url }).forecast.items).toHaveLength(1);
    expect(messageOf({ shipping_note: `${url}x` }).forecast.items).toBeNull();
  });

  test('keeps the reports beside items that are too large, and leaves them out when they are too large themselves', () => {
    const items = Array.from({ length: 2000 }, () => ({ ...item, product_name_cn: '杯'.repeat(200) }));
    expect(messageOf({ items, exceptions: [exception] }).forecast).toMatchObject({ items: null, exceptions: [exception] });
    const exceptions = Array.from({ length: 400 }, () => exception);
    expect(messageOf({ exceptions }).forecast).toMatchObject({
      items: null,
      measurements: null,
      photos: null,
      exceptions: null,
      holds: [],
    });
  });
});
