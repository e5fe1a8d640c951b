import { AppError } from '@parcelway/kernel/app-error';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { ApplyOptions, Store, Stored, Write } from '@parcelway/store/store';
import { type Expected, expected } from '../expected/expected-collection.ts';
import { type EventDocument, events, type ResolutionDocument, resolutions } from '../reports/report-collections.ts';

/** Documents that one step deletes. */
const AT_ONCE = 500;
/** More places than a forecast has been at. */
const MAX_PLACES = 2000;

/** What waits for claims that a crash left open is nobody's again. The next upkeep looks at it: facts have passed it by. */
async function freeReserved(store: Store, claims: readonly Stored<ResolutionDocument>[]): Promise<void> {
  const free = { resolution: undefined, unfinishedSince: 0 } as unknown as Partial<EventDocument>;
  for (const { value } of claims.filter((claim) => claim.value.open !== undefined)) {
    for (let isLeft = true; isLeft; ) {
      const { items } = await store.find(events.by.resolved, { eq: [value.warehouseCode, value.id], limit: AT_ONCE });
      await store.apply(items.map((one) => ({ in: events, patch: one, set: free }) as Write));
      isLeft = items.length > 0;
    }
  }
}

/** Deletes what was applied to forecasts, what names them and waits, because it came from another warehouse, and what was resolved. */
export async function eraseReports(
  store: Store,
  forecastNos: readonly string[],
  options: Pick<ApplyOptions, 'sparesMessages' | 'flushLater'> = {},
): Promise<void> {
  for (const by of [events.by.forecast, events.by.named, resolutions.by.forecast]) {
    for (let isLeft = true; isLeft; ) {
      const { items } = await store.find(by as typeof events.by.forecast, { eq: [], any: forecastNos, limit: AT_ONCE });
      if (by === resolutions.by.forecast) await freeReserved(store, items as unknown as readonly Stored<ResolutionDocument>[]);
      const outcomes = await store.apply(
        items.map((one) => ({ in: by.collection, delete: one }) as Write),
        options,
      );
      // An event carries its message. The message names photos, so it is not lost with the event.
      if (outcomes.some((outcome) => outcome.kind === 'lost' && outcome.current !== undefined))
        throw AppError.unavailable('Reports of expired forecasts are not published yet');
      isLeft = items.length === AT_ONCE;
    }
  }
}

export type ExpiredForecasts = ReturnType<typeof createExpiredForecasts>;

export function createExpiredForecasts(store: Store) {
  return {
    /**
     * Takes forecasts out of the directory and of the warehouses' view, with what former warehouses are shown of them, what was reported of them and how
     * it was resolved: nothing else says any more whose it was. A repeat has no effect.
     * @throws AppError 50301
     */
    async drop(forecasts: readonly { readonly tenantId: string; readonly forecastNo: string }[]): Promise<void> {
      const tenants = new Map(forecasts.map(({ tenantId, forecastNo }) => [forecastNo, tenantId]));
      const limit = MAX_PLACES * tenants.size;
      const read = async (any: readonly string[]) => (await store.find(expected.by.forecast, { eq: [], any, limit })).items;
      // Numbers of forecasts are unique over all tenants but for chance: what another tenant has stays.
      const isOther = ({ value }: Stored<Expected>): boolean =>
        value.tenantId !== undefined && value.tenantId !== tenants.get(value.forecastNo);
      const others = new Set((await read([...tenants.keys()])).filter(isOther).map(({ value }) => value.forecastNo));
      const own = [...tenants.keys()].filter((forecastNo) => !others.has(forecastNo));
      await untilWritten(async () => {
        const left = await read(own);
        // The fact comes again until all is done.
        await store.apply(
          left.map((one) => ({ in: expected, delete: one }) as Write),
          { flushLater: true },
        );
        return left.length === 0 || undefined;
      });
      // After the forecasts: no further report is published for them.
      await eraseReports(store, own, { sparesMessages: true, flushLater: true });
    },
  };
}
