import { MAX_USAGE_DAYS, type UsageDay, type UsageQuery, type UsageTotal } from '@parcelway/contracts/activity-api';
import { AppError } from '@parcelway/kernel/app-error';

/** Days, both included; UTC, `YYYY-MM-DD`. */
export interface UsageRange {
  readonly from: string;
  readonly to: string;
}

/** What one service, or the gateway, counted in a day. */
export interface CountedDay {
  readonly day: string;
  readonly amounts: Readonly<Record<string, number>>;
}

const DAY_MS = 86_400_000;
/** Days before the last one that a range without a first one begins at. */
const DEFAULT_DAYS = 30;
const WHAT = ['calls', 'failed_calls', 'parcels', 'events', 'files', 'stored_bytes'] as const;

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The days that are asked for.
 * @param now epoch milliseconds
 * @throws AppError 42201 when `from_date` is behind `to_date`, or the range is too long
 */
export function usageRange({ from_date, to_date }: UsageQuery, now: number): UsageRange {
  const to = to_date ?? dayAt(now);
  const from = from_date ?? dayAt(Date.parse(to) - DEFAULT_DAYS * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= MAX_USAGE_DAYS) return { from, to };
  const message =
    days < 1
      ? `from_date must not be after to_date (${to})`
      : `from_date must be at most ${MAX_USAGE_DAYS - 1} days before to_date (${to}); ask for the days before in further calls`;
  throw AppError.validation([{ field: 'from_date', rule: 'range', message }]);
}

function emptyTotal(): UsageTotal {
  return { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0 };
}

/** Each day of the range with what was counted in all parts of the platform, and the sum. */
export function usageOf(
  { from, to }: UsageRange,
  counted: readonly CountedDay[],
): { readonly days: UsageDay[]; readonly total: UsageTotal } {
  const days = new Map<string, UsageDay>();
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.set(dayAt(at), { date: dayAt(at), ...emptyTotal() });
  const total = emptyTotal();
  for (const { day, amounts } of counted) {
    const into = days.get(day);
    for (const what of WHAT) {
      const amount = amounts[what] ?? 0;
      if (into !== undefined) into[what] += amount;
      total[what] += amount;
    }
  }
  return { days: [...days.values()], total };
}
