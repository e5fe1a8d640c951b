import { describe, expect, test } from '@jest/globals';
import { MemoryStore } from '../testing/memory-store.ts';
import { reportWith } from '../testing/reports.ts';
import { loadOf, MAX_PHOTO_BYTES, MAX_REPORTS } from './queue-limits.ts';
import { QueueFull, ReportQueue } from './report-queue.ts';

const open = { id: 'a', size: 10 };
const sent = { id: 'b', size: 10, photoId: 'ph_b' };
const fault = { code: '42201', message: 'wrong', errors: [] };

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
