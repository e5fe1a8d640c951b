import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { dayOf, type UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { usageDays } from '@parcelway/store/shared/usage-days';
import type { Store, Stored } from '@parcelway/store/store';
import { type Content, contents } from '../contents/contents-collection.ts';

export interface StorageMeasurementOptions {
  /** Which process measures, of those that share the store. */
  readonly lease: WorkLease;
  readonly stored: StoredContents;
  readonly usage: Pick<UsageStore, 'set'>;
  readonly isErased: (tenantId: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Each tenant is measured once in each period of this length, milliseconds. Periods begin at multiples of it: those of a day at 00:00 UTC. */
  readonly everyMs: number;
}

/** Files that one step reads, at most. */
export const STORAGE_PAGE = 200;
const KINDS: readonly StoredKind[] = ['pdf', 'image'];
const RETRY_MS = 60_000;

/** The tenant up to which the work has come in a period; '' when the place is of another one. */
function tenantIn(place: string, period: number): string {
  const [of, tenantId = ''] = place.split(' ');
  return of === String(period) ? tenantId : '';
}

/**
 * Makes the regular measurement of what tenants have stored: soon after each period has begun, or soon after the start when the period has none yet, tenant
 * by tenant, in one process at a time. It notes how far it has come, so a crash repeats the last seconds. A day keeps its latest measurement.
 */
export function createStorageMeasurement(options: StorageMeasurementOptions): RegularWork {
  const { lease, stored, usage, isErased, clock, logger, everyMs } = options;

  /** Measures a tenant. It writes nothing when the work is over before the end. */
  const measure = async (held: HeldWork, tenantId: string): Promise<void> => {
    const day = dayOf(clock.now());
    let files = 0;
    let bytes = 0;
    for (const kind of KINDS) {
      let last = '';
      let count: number;
      do {
        await held.renew();
        // Pages of a store in this process come without a pause: requests are to get their turn between them.
        await nextTurn();
        if (held.isOver()) return;
        const page = await stored.page(tenantId, kind, last, STORAGE_PAGE);
        ({ files: count, last } = page);
        files += count;
        bytes += page.bytes;
      } while (count === STORAGE_PAGE);
    }
    if (!isErased(tenantId)) await usage.set({ tenantId, day, amounts: { storage_files: files, storage_bytes: bytes } });
  };

  const measureAll = async (held: HeldWork): Promise<number> => {
    const period = Math.floor(clock.now() / everyMs) * everyMs;
    let tenantId = await stored.nextTenant(tenantIn(held.place, period));
    while (tenantId !== undefined) {
      if (!isErased(tenantId)) await measure(held, tenantId);
      if (held.isOver()) return clock.now();
      await held.renew(`${period} ${tenantId}`);
      tenantId = await stored.nextTenant(tenantId);
    }
    return period + everyMs;
  };

  return createLeasedWork({
    lease,
    clock,
    logger,
    everyMs,
    retryMs: Math.min(everyMs, RETRY_MS),
    work: measureAll,
    failure: 'Could not measure what tenants have stored. The next run goes on.',
  });
}

const sizeOf = ({ pdf, photo }: Content): number => pdf?.size ?? photo?.size ?? 0;

export type StoredContents = ReturnType<typeof createStoredContents>;
/** What of a tenant is measured: PDFs that it uploaded, or its own images. */
export type StoredKind = NonNullable<Content['stored']>;

/**
 * What tenants have stored: their PDFs and own images, without those that they, or the retention, have deleted. Each step reads an index alone, and throws
 * AppError 50301.
 */
export function createStoredContents(store: Store) {
  return {
    /** The first tenant behind another, in the order of ids. It has files, or has had some. @param after a tenant; '' at first */
    async nextTenant(after: string): Promise<string | undefined> {
      // Whoever has had files has days of usage: each measurement adds one.
      const next = { after, limit: 1 };
      const found = await Promise.all([store.groups(contents.by.stored, next), store.groups(usageDays.by.days, next)]);
      return found
        .flat()
        .map(({ group }) => String(group))
        .sort()[0];
    },
    /**
     * The next files of a kind of a tenant, in an order that nothing changes; fewer than `limit` are the last ones.
     * @param after the place of the last one before, as `last` says it; '' at first
     */
    async page(tenantId: string, kind: StoredKind, after: string, limit: number) {
      const { items } = await store.find(contents.by.stored, { eq: [tenantId, kind], ...(after !== '' && { after }), limit });
      const last: Stored<Content> | undefined = items.at(-1);
      return {
        files: items.length,
        bytes: items.reduce((sum, { value }) => sum + sizeOf(value), 0),
        last: last === undefined ? '' : store.placeIn(contents.by.stored, 2, last),
      };
    },
  };
}
