import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { MemoryStore, reportWith } from '../testing/queue.ts';
import {
  eventOf,
  loadOf,
  MAX_PHOTO_BYTES,
  MAX_REPORTS,
  nextWork,
  outcomeOf,
  type QueuedReport,
  QueueFull,
  ReportQueue,
} from './queued-report.ts';
import { afterFailure, STORE_FAILED, waitMs } from './sender.ts';

test('tabs for two warehouses, or for the sandbox and production, do not wait for each other', async () => {
  const nameOf = async (environment: string, warehouseCode: string) =>
    (await ReportQueue.open({ store: new MemoryStore(), environment, warehouseCode, newId: () => 'e', now: () => 0 })).name;
  const names = [await nameOf('sandbox', 'SZ01'), await nameOf('sandbox', 'HK01'), await nameOf('production', 'SZ01')];
  expect(new Set(names).size).toBe(3);
});

test.each([
  ...['offline', 'timeout', 'unreadable', STORE_FAILED, '42207', '42901', '50001', '50301'].map((code) => [code, 'retry'] as const),
  ...['40003', '40101', '40301', '40302'].map((code) => [code, 'stop'] as const),
  ...['40001', '40403', '42201', 'photo_lost'].map((code) => [code, 'refused'] as const),
])('after a call that failed with %s: %s', (code, meaning) => {
  expect(afterFailure(new ApiFailure(code))).toBe(meaning);
});

test.each([
  [1, 0.5, undefined, 1000],
  [1, 1, undefined, 1200],
  [1000, 0.5, undefined, 30_000],
  [1, 0.5, 10, 10_000],
  [1, 0.5, 86_400, 60_000],
])('after %d failures, with random %d and Retry-After %p s, the wait is %d ms', (failures, random, retryAfter, expected) => {
  expect(waitMs(failures, random, retryAfter)).toBe(expected);
});

const open = { id: 'a', size: 10 };
const sent = { id: 'b', size: 10, photoId: 'ph_b' };
const fault = { code: '42201', message: 'wrong', errors: [] };

describe('what is sent next', () => {
  test.each<[string, QueuedReport[], unknown]>([
    ['nothing', [], undefined],
    ['nothing of what was refused', [reportWith(1, { fault })], undefined],
    ['events up to one with a photo', [reportWith(1), reportWith(2), reportWith(3, { photos: [open] })], [1, 2]],
    ['the photo of the first', [reportWith(1, { photos: [sent, open] }), reportWith(2)], 'a'],
    ['events whose photos are sent', [reportWith(1, { photos: [sent] })], [1]],
    ['what follows one that was refused', [reportWith(1, { fault, photos: [open] }), reportWith(2)], [2]],
  ])('%s', (_what, reports, expected) => {
    const work = nextWork(reports);
    expect(work?.send === 'photo' ? work.photo.id : work?.reports.map(({ seq }) => seq)).toEqual(expected);
  });

  test('no more than a call takes', () => {
    const work = nextWork(
      Array.from({ length: 120 }, (_, index) => reportWith(index + 1)),
      50,
    );
    expect(work).toMatchObject({ send: 'events' });
    expect(work?.send === 'events' && work.reports.length).toBe(50);
  });
});

describe('the load of a queue', () => {
  test.each([
    [MAX_REPORTS * 0.5, 0, 'room'],
    [MAX_REPORTS * 0.8, 0, 'nearly-full'],
    [MAX_REPORTS, 0, 'full'],
    [1, MAX_PHOTO_BYTES * 0.8, 'nearly-full'],
    [1, MAX_PHOTO_BYTES, 'full'],
  ])('of %d reports and %d bytes is %s', (count, size, level) => {
    const reports = Array.from({ length: count }, (_, index) => reportWith(index + 1, { photos: index === 0 ? [{ id: 'a', size }] : [] }));
    expect(loadOf(reports).level).toBe(level);
  });

  test('counts what waits, what was refused, and the photos that are still here', () => {
    expect(loadOf([reportWith(1, { photos: [open, sent] }), reportWith(2, { fault })])).toEqual({
      waiting: 1,
      refused: 1,
      photos: 1,
      bytes: 10,
      level: 'room',
    });
  });

  test('that is full takes nothing more, and loses nothing', async () => {
    const queue = await ReportQueue.open({
      store: new MemoryStore(),
      environment: 'sandbox',
      warehouseCode: 'SZ01',
      newId: () => 'e',
      now: () => 0,
    });
    const arrival = { title: 'PO', draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [] } as const;
    await queue.add(...Array.from({ length: MAX_REPORTS }, () => arrival));
    await expect(queue.add(arrival)).rejects.toThrow(QueueFull);
    expect(queue.reports).toHaveLength(MAX_REPORTS);
  });
});

test('an event names its photos as its type does', () => {
  const weighing = { type: 'weighing', forecast_no: 'FC1', weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 } as const;
  expect(eventOf(reportWith(1, { draft: weighing, photos: [sent] }))).toMatchObject({ photo_ids: ['ph_b'] });
  expect(eventOf(reportWith(1, { draft: weighing }))).not.toHaveProperty('photo_ids');
  const photo = { type: 'photo', forecast_no: 'FC1', image_type: 'package' } as const;
  expect(eventOf(reportWith(1, { draft: photo, photos: [sent] }))).toMatchObject({ photo_id: 'ph_b' });
});

const reports = [reportWith(1), reportWith(2), reportWith(3)];

test('a warning belongs to the report at its position, and is dropped without a position', () => {
  const warning = { field: 'express_no', rule: 'no_forecast', message: 'none' } as const;
  const { accepted, warnings } = outcomeOf(reports, {
    ...{ accepted: 3, duplicates: 0, waiting: 0, rejected: [] },
    warnings: [{ ...warning, index: 2, event_id: 'e3' }, warning],
  });
  expect([accepted, warnings]).toEqual([reports, [{ report: reports[2], rule: 'no_forecast', message: 'none' }]]);
});
