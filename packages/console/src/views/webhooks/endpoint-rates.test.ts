import { expect, test } from '@jest/globals';
import { ratesOf } from './endpoint-rates.ts';

test('a day without attempts has no rate and no duration', () => {
  const none = { attempts: 0, succeeded: 0, failed: 0, duration_ms_median: null, duration_ms_p95: null };
  const some = { attempts: 8, succeeded: 6, failed: 2, duration_ms_median: 20, duration_ms_p95: 90 };
  expect(
    ratesOf({
      days: [
        { date: '2026-11-20', ...none },
        { date: '2026-11-21', ...some },
      ],
    }),
  ).toEqual({
    success: [
      { day: '2026-11-20', amount: null },
      { day: '2026-11-21', amount: 0.75 },
    ],
    attempts: [
      { day: '2026-11-20', amount: 0 },
      { day: '2026-11-21', amount: 8 },
    ],
    duration: [
      { day: '2026-11-20', amount: null },
      { day: '2026-11-21', amount: 90 },
    ],
  });
});
