import { AppError } from '@parcelway/kernel/app-error';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Write } from '@parcelway/store/store';
import { expected } from '../expected/expected-collection.ts';
import type { ExpiredForecasts } from '../expected/ports.ts';
import { events, resolutions } from '../reports/report-collections.ts';

/** Documents that one step deletes. */
const AT_ONCE = 500;
/** More places than a forecast has been at. */
const MAX_PLACES = 2000;

/** What is deleted with a forecast, beside its own documents. */
export interface ForecastReports {
  /** Deletes what was applied to forecasts, what names them and waits, because it came from another warehouse, and what was resolved. */
  erase(forecastNos: readonly string[], options?: { readonly overwrite?: boolean; readonly sparesMessages?: boolean }): Promise<void>;
}

export function createForecastReports(store: Store): ForecastReports {
  return {
    async erase(forecastNos, options = {}) {
      for (const by of [events.by.forecast, events.by.named, resolutions.by.forecast]) {
        for (const forecastNo of forecastNos) {
          await untilWritten(async () => {
            const { items, next } = await store.find(by as typeof events.by.forecast, { eq: [forecastNo], limit: AT_ONCE });
            const outcomes = await store.apply(
              items.map((one) => ({ in: by.collection, delete: one }) as Write),
              options,
            );
            // An event carries its message. The message names photos, so it is not lost with the event.
            if (outcomes.some((outcome) => outcome.kind === 'lost' && outcome.current !== undefined))
              throw AppError.unavailable('Reports of expired forecasts are not published yet');
            return next === null || undefined;
          });
        }
      }
    },
  };
}

/** Takes expired forecasts out of what warehouses expect. */
export function createExpiredForecasts(store: Store): ExpiredForecasts {
  const reports = createForecastReports(store);
  return {
    async drop(forecasts) {
      const own: string[] = [];
      for (const { tenantId, forecastNo } of forecasts) {
        const { items } = await store.find(expected.by.forecast, { eq: [forecastNo], limit: MAX_PLACES });
        // Numbers of forecasts are unique over all tenants but for chance: what another tenant has stays.
        if (items.some(({ value }) => value.tenantId !== undefined && value.tenantId !== tenantId)) continue;
        own.push(forecastNo);
        await untilWritten(async () => {
          const { items: left } = await store.find(expected.by.forecast, { eq: [forecastNo], limit: MAX_PLACES });
          await store.apply(left.map((one) => ({ in: expected, delete: one }) as Write));
          return left.length === 0 || undefined;
        });
      }
      // After the forecasts: no further report is published for them.
      await reports.erase(own, { sparesMessages: true });
    },
  };
}
