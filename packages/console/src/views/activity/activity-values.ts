import type { AuditEntry, Usage, UsageTotal } from '@parcelway/contracts/activity-api';
import type { Scope } from '@parcelway/contracts/scopes';
import { membersOf } from '@parcelway/page/members-of';
import { bytesText, numberText } from '../../format.ts';
import type { DayAmount } from '../../parts/chart-scale.ts';
import type { Route } from '../../routing/route.ts';

export type Metric = Exclude<keyof UsageTotal, 'storage'>;
export const metrics = membersOf<Metric>({ calls: true, failed_calls: true, parcels: true, events: true, files: true, stored_bytes: true });
export const ranges = [7, 31, 92] as const;
const STANDARD_DAYS = 31;
const DAY_MS = 86_400_000;
/** Days of a range in an address; anything but one of {@link ranges} is 31. */
export const daysOf = (text: string): number => ranges.find((days) => String(days) === text) ?? STANDARD_DAYS;

/** Days, both included; UTC, such as `2026-11-21`. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The latest days. Both ends are named, so that the range keeps its length at midnight. @param days today included @param now epoch milliseconds */
export function latestDays(days: number, now: number): DayRange {
  const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return { from: dayAt(now - (days - 1) * DAY_MS), to: dayAt(now) };
}

export const amountText = (metric: Metric, amount: number, locale: string): string =>
  metric === 'stored_bytes' ? bytesText(amount, locale) : numberText(amount, locale);

/** The amounts of one metric, oldest first. */
export const amountsOf = (usage: Usage, metric: Metric): readonly DayAmount[] =>
  usage.days.map((day) => ({ day: day.date, amount: day[metric] }));

/** The bytes that were stored, oldest first; null for a day that was not measured. */
export const storedBytesOf = (usage: Usage): readonly DayAmount[] =>
  usage.days.map(({ date, storage }) => ({ day: date, amount: storage?.bytes ?? null }));

type Kind = AuditEntry['resource']['type'];

const PLACES: Partial<Readonly<Record<Kind, { readonly scopes: readonly Scope[]; readonly route: (id: string) => Route }>>> = {
  key: { scopes: ['keys:manage'], route: () => ({ view: 'keys' }) },
  forecast: { scopes: ['forecasts:write', 'weighing:read'], route: (poNumber) => ({ view: 'parcel', poNumber }) },
  import: { scopes: ['forecasts:write'], route: (importId) => ({ view: 'import', importId, state: '' }) },
  endpoint: { scopes: ['webhooks:manage'], route: (endpointId) => ({ view: 'endpoint', endpointId, status: '' }) },
  connection: { scopes: ['connections:manage'], route: () => ({ view: 'connections' }) },
};

/** The view of a resource; undefined without a view, without permission, or after deletion. */
export function placeOf({ action, resource }: AuditEntry, can: (scope: Scope) => boolean): Route | undefined {
  const place = PLACES[resource.type];
  if (place === undefined || resource.id === null || action.endsWith('.deleted') || !place.scopes.some(can)) return undefined;
  return place.route(resource.id);
}
