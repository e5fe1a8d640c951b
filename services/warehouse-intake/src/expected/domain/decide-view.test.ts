import { describe, expect, test } from '@jest/globals';
import { exampleChange } from '@parcelway/contracts/examples';
import { compileValidator } from '@parcelway/contracts/validator';
import { MAX_CHANGE_BYTES, WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { acceptance, forecastEvent, NOW, viewForecast, viewItem } from '../../testing/samples.ts';
import * as decisions from './decide-view.ts';
import { changeMessage, noteEntry, type ReadItems } from './decide-view.ts';
import type { ViewEvent, ViewForecast } from './forecast-copy.ts';
import { shownItem } from './seen-by-warehouse.ts';

const ssccOf = (forecastId: number): string => `sscc ${forecastId}`;

const decideView = (events: readonly ViewEvent[], before?: ViewForecast) => decisions.decideView(events, before, ssccOf);

const decideItems = (found: ReadItems, before?: ViewForecast) => decisions.decideItems(found, before, ssccOf);

const accepted = (items: readonly object[] | null) => forecastEvent('forecast.accepted', { ...acceptance, items });

const arrived = forecastEvent('parcel.arrived', { status: 2 });

describe('a batch of events', () => {
  test('changes its forecast once, and reports each event in its order', () => {
    expect(decideView([accepted([viewItem()]), arrived])).toMatchObject({
      forecast: { forecastNo: 'FC1', status: 2, itemsVersion: 1, content: { sscc: 'sscc 1' } },
      items: [viewItem()],
      notes: [
        { change: 'accepted', changedAt: isoInstant(NOW) },
        { change: 'status', changedAt: isoInstant(NOW) },
      ],
    });
    expect(decideView([accepted(null), forecastEvent('forecast.cancelled', {})])?.notes?.map(({ change }) => change)).toEqual([
      'accepted',
      'cancelled',
    ]);
  });

  test('changes nothing where all of it was followed before', () => {
    const first = decideView([accepted([viewItem()]), arrived]);
    expect(decideView([accepted([viewItem()]), arrived], first?.forecast)).toBeUndefined();
  });

  test('reports nothing of a forecast whose acceptance is not known', () => {
    const change = decideView([forecastEvent('forecast.cancelled', {})]);
    expect(change).toMatchObject({ forecast: { forecastNo: 'FC1', warehouseCode: null } });
    expect(change?.notes).toBeUndefined();
  });

  test('leaves the items of an event without them to be read', () => {
    const change = decideView([accepted(null)]);
    expect(change?.items).toBeUndefined();
    expect(change?.forecast.itemsVersion).toBe(0);
  });
});

test('items that were read are stored once, and not over those of a newer version', () => {
  const found = { event: accepted(null), version: 1, items: [viewItem()] };
  expect(decideItems(found, viewForecast({ itemsVersion: 0 }))).toMatchObject({ forecast: { itemsVersion: 1 }, items: [viewItem()] });
  expect(decideItems(found, viewForecast({ itemsVersion: 2 }))).toBeUndefined();
  expect(decideItems(found)).toBeUndefined();
});

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

test('a warehouse sees everything of an item but its price', () => {
  const item = viewItem({ forecast_price: 3.5 });
  expect(shownItem(item, false)).toEqual({ ...item, forecast_price: undefined });
  expect(shownItem(item, false)).not.toHaveProperty('forecast_price');
});
