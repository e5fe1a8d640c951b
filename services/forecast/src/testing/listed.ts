import { listForecasts, type PlannedList, planList } from '../lists/list-forecasts.ts';
import { placeInText, textOfPlace } from '../store/domain/list-cursor.ts';
import type { ListFilters } from '../store/domain/list-filters.ts';
import type { ForecastLister } from '../store/forecast-store.ts';
import type { ListedForecast } from '../store/ports.ts';

export interface ListedOptions {
  /** Forecasts of a page; default 100. */
  readonly limit?: number;
  readonly tenantId?: string;
}

/** More pages than any list of a test has: a cursor that leads back would go round for ever. */
const MOST_PAGES = 200;

/** The forecasts that meet filters, from page to page, as a client that follows the cursors sees them. */
export async function listed(
  store: ForecastLister,
  filters: ListFilters = {},
  { limit = 100, tenantId = 'tnt_a' }: ListedOptions = {},
): Promise<ListedForecast[]> {
  const list = planList(filters) as PlannedList;
  const found: ListedForecast[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await listForecasts(store, tenantId, list, limit, after);
    found.push(...page.forecasts);
    if (page.next === null) return found;
    after = placeInText(filters, textOfPlace(filters, store.placeBehind(list.plan.walk, page.next)));
    if (after === undefined) throw new Error('A place has no text that leads back to it');
  }
  throw new Error(`The list has more than ${MOST_PAGES} pages`);
}

/** As {@link listed}, the forecast_no of each. */
export async function listedNos(store: ForecastLister, filters?: ListFilters, options?: ListedOptions): Promise<string[]> {
  return (await listed(store, filters, options)).map(({ forecastNo }) => forecastNo);
}
