import type { Usage, UsageTotal } from '@parcelway/contracts/activity-api';
import { membersOf } from '@parcelway/page/members-of';
import type { DayRange } from '../../api/activity.ts';
import { numberText } from '../../format/number.ts';
import type { DayAmount } from '../../parts/day-amounts.ts';

/** Something that is counted for each day. */
export type Metric = keyof UsageTotal;

/** What is counted, in the order in which it is shown. */
export const metrics = membersOf<Metric>({ calls: true, failed_calls: true, parcels: true, events: true, files: true, stored_bytes: true });

/** Days that the usage can be asked for, today included. */
export const ranges = [7, 31, 92] as const;

const STANDARD_DAYS = 31;
const DAY_MS = 86_400_000;

/** Days of a range in an address; anything but one of {@link ranges} is 31. */
export function daysOf(text: string): number {
  return ranges.find((days) => String(days) === text) ?? STANDARD_DAYS;
}

/** The latest days. Both ends are named, so that a day that ends in the meantime makes no range longer. @param days today included @param now epoch milliseconds */
export function latestDays(days: number, now: number): DayRange {
  const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return { from: dayAt(now - (days - 1) * DAY_MS), to: dayAt(now) };
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit of which there is one, to one decimal, such as `1.5 MB`. */
export function bytesText(bytes: number, locale: string): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = BYTE_UNITS[power] ?? 'byte';
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** power);
}

/** An amount as the reader writes it. */
export function amountText(metric: Metric, amount: number, locale: string): string {
  return metric === 'stored_bytes' ? bytesText(amount, locale) : numberText(amount, locale);
}

/** The amounts of one metric, oldest first. */
export function amountsOf(usage: Usage, metric: Metric): readonly DayAmount[] {
  return usage.days.map((day) => ({ day: day.date, amount: day[metric] }));
}
