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
    const none = { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0 };
    expect(days).toEqual([
      { date: '2026-02-27', ...none },
      { date: '2026-02-28', ...none, calls: 5, failed_calls: 1, parcels: 2 },
      { date: '2026-03-01', ...none, calls: 1 },
    ]);
    expect(total).toEqual({ ...none, calls: 6, failed_calls: 1, parcels: 2 });
  });
});
