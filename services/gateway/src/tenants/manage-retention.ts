import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { type RetentionWish, retentionChanged, type TenantRetentionRecord } from './domain/tenant-retention.ts';
import type { TenantRetentionStore } from './ports.ts';

/** What changing a retention works with. */
export interface ManageRetentionOptions {
  readonly environment: Environment;
  readonly stores: { readonly retentions: TenantRetentionStore };
  readonly clock: Clock;
}

/** How long data of a tenant is kept. @throws AppError 40403 when there is no such tenant */
export async function readRetention({ stores }: Pick<ManageRetentionOptions, 'stores'>, tenantId: string): Promise<TenantRetentionRecord> {
  const found = await stores.retentions.find(tenantId);
  if (found === undefined) throw new AppError('40403', 'The tenant does not exist');
  return found;
}

/**
 * Sets how long data of a tenant is kept. Services hear of it by an event.
 * @throws AppError 40403 when there is no such tenant, 42201 when files are to be kept for longer than their forecast, 50301 when others changed it
 * each time in between
 */
export async function changeRetention(
  options: ManageRetentionOptions,
  tenantId: string,
  wish: RetentionWish,
): Promise<TenantRetentionRecord> {
  const { environment, stores, clock } = options;
  return untilWritten(async () => {
    const known = await readRetention(options, tenantId);
    const change = retentionChanged(known, wish, { environment, now: clock.now() });
    if (change === undefined) return known;
    return (await stores.retentions.change(change)) ? change.retention : undefined;
  });
}
