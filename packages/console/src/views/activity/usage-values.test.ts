import { expect, test } from '@jest/globals';
import { MAX_USAGE_DAYS, type Usage, UsageTotal } from '@parcelway/contracts/activity-api';
import { amountsOf, amountText, daysOf, latestDays, metrics, ranges, storedBytesOf } from './usage-values.ts';

const NOW = Date.parse('2026-11-24T23:59:59Z');

test('metrics are those of the contract, and the longest range is what one call may span', () => {
  expect([...metrics, 'storage']).toEqual(Object.keys(UsageTotal.properties));
  expect(Math.max(...ranges)).toBe(MAX_USAGE_DAYS);
});

test.each([
  ['7', 7],
  ['31', 31],
  ['92', 92],
  ['', 31],
  ['365', 31],
  ['7.0', 31],
])('a range of %j has %d days', (text, days) => {
  expect(daysOf(text)).toBe(days);
});

test('a range ends today, which counts', () => {
  expect(latestDays(1, NOW)).toEqual({ from: '2026-11-24', to: '2026-11-24' });
  expect(latestDays(31, NOW)).toEqual({ from: '2026-10-25', to: '2026-11-24' });
});

test('only a size has a unit', () => {
  expect(amountText('calls', 12_345, 'en-GB')).toBe('12,345');
  expect(amountText('stored_bytes', 12_345, 'en-GB')).toBe('12.3 kB');
});

test('the amounts of a metric stay in the order of the days', () => {
  const day = (date: string, calls: number) => ({ date, calls, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0 });
  const usage = { days: [day('2026-11-22', 4), day('2026-11-23', 9), day('2026-11-24', 9)] } as unknown as Usage;
  expect(amountsOf(usage, 'calls').map(({ amount }) => amount)).toEqual([4, 9, 9]);
});

test('a day that was not measured has no amount, an empty store has 0', () => {
  const storages = [null, { files: 2, bytes: 900 }, { files: 0, bytes: 0 }];
  const days = storages.map((storage, index) => ({ date: `2026-11-2${index}`, storage }));
  expect(storedBytesOf({ days } as unknown as Usage)).toEqual([
    { day: '2026-11-20', amount: null },
    { day: '2026-11-21', amount: 900 },
    { day: '2026-11-22', amount: 0 },
  ]);
});
