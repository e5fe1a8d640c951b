import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { dayOf, type UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { usageDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { contents } from '../contents/contents-collection.ts';

export interface StorageMeasurementOptions {
  readonly store: Store;
  readonly usage: Pick<UsageStore, 'set'>;
  readonly isErased: (tenantId: string) => boolean;
  readonly clock: Clock;
  /** Each tenant is measured once in each period of this length, milliseconds. Periods begin at multiples of it: those of a day at 00:00 UTC. */
  readonly everyMs: number;
}

/** Files that one step reads, at most. */
export const STORAGE_PAGE = 200;
const RETRY_MS = 60_000;

/** The tenant up to which the work has come in a period; '' when the place is of another one. */
function tenantIn(place: string, period: number): string {
  const [of, tenantId = ''] = place.split(' ');
  return of === String(period) ? tenantId : '';
}

/** The first tenant behind another, in the order of ids. It has files, or has had some: each measurement adds a day of usage. */
async function nextTenant(store: Store, after: string): Promise<string | undefined> {
  const next = { after, limit: 1 };
  const found = await Promise.all([store.groups(contents.by.stored, next), store.groups(usageDays.by.days, next)]);
  return found
    .flat()
    .map(({ group }) => String(group))
    .sort()[0];
}

type Held = Pick<HeldWork, 'place' | 'renew' | 'isOver'>;

/** Measures the PDFs and own images of a tenant, without those that it, or the retention, has deleted. It writes nothing when the work is over before. */
async function measure({ store, usage, isErased, clock }: StorageMeasurementOptions, held: Held, tenantId: string): Promise<void> {
  const day = dayOf(clock.now());
  let [files, bytes] = [0, 0];
  for (const kind of ['pdf', 'image']) {
    let after: string | null | undefined;
    while (after !== null) {
      await held.renew();
      // Pages of a store in this process come without a pause: requests are to get their turn between them.
      await nextTurn();
      if (held.isOver()) return;
      const range = { eq: [tenantId, kind], limit: STORAGE_PAGE, ...(after !== undefined && { after }) };
      const { items, next } = await store.find(contents.by.stored, range);
      files += items.length;
      for (const { value } of items) bytes += value.pdf?.size ?? value.photo?.size ?? 0;
      after = next;
    }
  }
  if (!isErased(tenantId)) await usage.set({ tenantId, day, amounts: { storage_files: files, storage_bytes: bytes } });
}

/**
 * Measures the tenants that the period has not measured yet, one by one. It notes how far it has come, so a crash repeats the last seconds.
 * @returns when to go on, epoch milliseconds
 */
export async function measureTenants(options: StorageMeasurementOptions, held: Held): Promise<number> {
  const { store, isErased, clock, everyMs } = options;
  const period = Math.floor(clock.now() / everyMs) * everyMs;
  let tenantId = await nextTenant(store, tenantIn(held.place, period));
  while (tenantId !== undefined) {
    if (!isErased(tenantId)) await measure(options, held, tenantId);
    if (held.isOver()) return clock.now();
    await held.renew(`${period} ${tenantId}`);
    tenantId = await nextTenant(store, tenantId);
  }
  return period + everyMs;
}

/**
 * Makes the regular measurement of what tenants have stored: soon after each period has begun, or soon after the start, in one process at a time. A day keeps
 * its latest measurement.
 * @param lease which process measures, of those that share the store
 */
export function createStorageMeasurement(options: StorageMeasurementOptions & { readonly logger: Logger }, lease: WorkLease): RegularWork {
  const { clock, logger, everyMs } = options;
  return createLeasedWork({
    ...{ lease, clock, logger, everyMs, retryMs: Math.min(everyMs, RETRY_MS) },
    work: (held) => measureTenants(options, held),
    failure: 'Could not measure what tenants have stored. The next run goes on.',
  });
}
