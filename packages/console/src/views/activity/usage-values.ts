import type { Usage, UsageTotal } from '@parcelway/contracts/activity-api';
import { membersOf } from '@parcelway/page/members-of';
import type { DayRange } from '../../api/activity.ts';
import { bytesText, numberText } from '../../format/number.ts';
import type { DayAmount } from '../../parts/day-amounts.ts';

/** Something that is counted for each day. */
export type Metric = Exclude<keyof UsageTotal, 'storage'>;

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

/** An amount as the reader writes it. */
export function amountText(metric: Metric, amount: number, locale: string): string {
  return metric === 'stored_bytes' ? bytesText(amount, locale) : numberText(amount, locale);
}

/** The amounts of one metric, oldest first. */
export function amountsOf(usage: Usage, metric: Metric): readonly DayAmount[] {
  return usage.days.map((day) => ({ day: day.date, amount: day[metric] }));
}

/** The bytes that were stored, oldest first; null for a day that was not measured. */
export function storedBytesOf(usage: Usage): readonly DayAmount[] {
  return usage.days.map(({ date, storage }) => ({ day: date, amount: storage?.bytes ?? null }));
}
