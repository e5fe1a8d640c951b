import { MAX_USAGE_DAYS, type Usage, type UsageQuery } from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import { dayRange } from '@parcelway/kernel/day-range';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import { usageOf } from './domain/usage-of-days.ts';
import type { ServiceUsage } from './ports.ts';

/** What the usage is read from. */
export interface ReadUsageOptions {
  readonly usage: Pick<UsageStore, 'days'>;
  readonly services: ServiceUsage;
  readonly clock: Clock;
}

/**
 * What a tenant used in each day of a range, in all parts of the platform.
 * @throws AppError 42201 for a range that is not allowed, 50301 when a part is out
 */
export async function readUsage(
  { usage, services, clock }: ReadUsageOptions,
  tenantId: string,
  asked: UsageQuery,
): Promise<Omit<Usage, 'warnings'>> {
  const range = dayRange(asked, clock.now(), MAX_USAGE_DAYS);
  const [own, others] = await Promise.all([usage.days(tenantId, range.from, range.to), services.read(tenantId, range)]);
  return usageOf(range, [...own, ...others]);
}
