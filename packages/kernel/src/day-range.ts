import { AppError } from './app-error.ts';

/** Days, both included; UTC, `YYYY-MM-DD`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Days as a query names them. */
export interface AskedDays {
  readonly from_date?: string;
  readonly to_date?: string;
}

const DAY_MS = 86_400_000;
/** Days before the last one that a range without a first one begins at. */
const DEFAULT_DAYS = 30;

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The days that a query asks for: 31 up to today, unless it names others.
 * @param now epoch milliseconds
 * @param most days of a range, both ends included
 * @throws AppError 42201 when `from_date` is behind `to_date`, or the range is too long
 */
export function dayRange({ from_date, to_date }: AskedDays, now: number, most: number): DayRange {
  const to = to_date ?? dayAt(now);
  const from = from_date ?? dayAt(Date.parse(to) - DEFAULT_DAYS * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= most) return { from, to };
  const message =
    days < 1
      ? `from_date must not be after to_date (${to})`
      : `from_date must be at most ${most - 1} days before to_date (${to}); ask for the days before in further calls`;
  throw AppError.validation([{ field: 'from_date', rule: 'range', message }]);
}

/** Each day of a range, in order. */
export function daysIn({ from, to }: DayRange): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(dayAt(at));
  return days;
}
