import {
  MAX_USAGE_DAYS,
  type Usage,
  type UsageDay,
  type UsageQuery,
  type UsageStorage,
  type UsageTotal,
} from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import { type DayRange, dayRange, daysIn } from '@parcelway/kernel/day-range';
import type { UsageStore } from '@parcelway/kernel/usage-counter';

/** What one service, or the gateway, counted in a day. */
export interface CountedDay {
  readonly day: string;
  readonly amounts: Readonly<Record<string, number>>;
}

/** Reads what the services counted. @throws AppError 50301 when a service is out */
export type ServiceUsage = (tenantId: string, range: DayRange) => Promise<readonly CountedDay[]>;

const WHAT = ['calls', 'failed_calls', 'parcels', 'events', 'files', 'stored_bytes'] as const;

function emptyTotal(): UsageTotal {
  return { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0, storage: null };
}

/** What a part measured in a day, which is the service of files; null when it did not. */
function storageIn({ storage_files: files, storage_bytes: bytes }: CountedDay['amounts']): UsageStorage | null {
  return files === undefined || bytes === undefined ? null : { files, bytes };
}

/** Each day of the range with what was counted in all parts of the platform, and the sum. Of what is measured it has the latest instead. */
export function usageOf(range: DayRange, counted: readonly CountedDay[]): { readonly days: UsageDay[]; readonly total: UsageTotal } {
  const days = new Map<string, UsageDay>(daysIn(range).map((date) => [date, { date, ...emptyTotal() }]));
  const total = emptyTotal();
  for (const { day, amounts } of counted) {
    const into = days.get(day);
    for (const what of WHAT) {
      const amount = amounts[what] ?? 0;
      if (into !== undefined) into[what] += amount;
      total[what] += amount;
    }
    if (into !== undefined) into.storage ??= storageIn(amounts);
  }
  const all = [...days.values()];
  return { days: all, total: { ...total, storage: all.findLast(({ storage }) => storage !== null)?.storage ?? null } };
}

/**
 * What a tenant used in each day of a range, in all parts of the platform.
 * @throws AppError 42201 for a range that is not allowed, 50301 when a part is out
 */
export async function readUsage(
  { usage, services, clock }: { readonly usage: Pick<UsageStore, 'days'>; readonly services: ServiceUsage; readonly clock: Clock },
  tenantId: string,
  asked: UsageQuery,
): Promise<Omit<Usage, 'warnings'>> {
  const range = dayRange(asked, clock.now(), MAX_USAGE_DAYS);
  const [own, others] = await Promise.all([usage.days(tenantId, range.from, range.to), services(tenantId, range)]);
  return usageOf(range, [...own, ...others]);
}
