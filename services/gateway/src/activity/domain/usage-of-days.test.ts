import { describe, expect, test } from '@jest/globals';
import { type CountedDay, usageOf } from './usage-of-days.ts';

describe('the days of the usage', () => {
  test('have what all services counted, and zeros', () => {
    const counted: CountedDay[] = [
      { day: '2026-02-28', amounts: { calls: 5, failed_calls: 1 } },
      { day: '2026-02-28', amounts: { parcels: 2 } },
      { day: '2026-03-01', amounts: { calls: 1, other: 7 } },
    ];
    const { days, total } = usageOf({ from: '2026-02-27', to: '2026-03-01' }, counted);
    const none = { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0, storage: null };
    expect(days).toEqual([
      { date: '2026-02-27', ...none },
      { date: '2026-02-28', ...none, calls: 5, failed_calls: 1, parcels: 2 },
      { date: '2026-03-01', ...none, calls: 1 },
    ]);
    expect(total).toEqual({ ...none, calls: 6, failed_calls: 1, parcels: 2 });
  });

  test('have what was measured, null where nothing was, and the latest of it as the total', () => {
    const counted: CountedDay[] = [
      { day: '2026-03-01', amounts: { calls: 5 } },
      { day: '2026-03-01', amounts: { files: 1, storage_files: 3, storage_bytes: 300 } },
      { day: '2026-03-02', amounts: { storage_files: 0, storage_bytes: 0 } },
    ];
    const { days, total } = usageOf({ from: '2026-02-28', to: '2026-03-03' }, counted);
    expect(days.map(({ storage }) => storage)).toEqual([null, { files: 3, bytes: 300 }, { files: 0, bytes: 0 }, null]);
    expect(total).toMatchObject({ files: 1, storage: { files: 0, bytes: 0 } });
  });
});
