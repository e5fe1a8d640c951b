import type { WarehouseForecast, WarehouseForecastList, WarehouseListedForecast } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import type { Candidate } from '../domain/bench.ts';
import { comparable } from '../domain/entry.ts';

/** Most parcels that are remembered. */
export const MAX_EXPECTED = 5000;
/** Most candidates of a scan. */
const MAX_CANDIDATES = 50;
/** Statuses of parcels that are expected or here: ACCEPTED to PROCESSING. */
const LAST_PRESENT_STATUS = 4;
/** Shortest code of a label: what holds a number is longer than the number. */
const MIN_LABEL = 20;

/** The parcels that the warehouse expects or holds, as the list last showed them. A scan is looked up among them while the platform does not respond. */
export class ExpectedParcels {
  readonly #forecasts = new Map<string, WarehouseForecast>();

  get size(): number {
    return this.#forecasts.size;
  }

  /** Version of a parcel; undefined for one that is not remembered. */
  versionOf(forecastNo: string): number | undefined {
    return this.#forecasts.get(forecastNo)?.version;
  }

  apply(forecasts: readonly WarehouseListedForecast[]): void {
    for (const forecast of forecasts) {
      this.#forecasts.delete(forecast.forecast_no);
      if (forecast.status <= LAST_PRESENT_STATUS && !forecast.moved) this.#forecasts.set(forecast.forecast_no, forecast);
    }
    const excess = this.#forecasts.size - MAX_EXPECTED;
    if (excess <= 0) return;
    const longestUnchanged = [...this.#forecasts.values()].sort((a, b) => Date.parse(a.update_time) - Date.parse(b.update_time));
    for (const { forecast_no } of longestUnchanged.slice(0, excess)) this.#forecasts.delete(forecast_no);
  }

  /** What a scan may mean, never a guess: several are several. Codes of products are not known here. */
  lookUp(scan: string): Candidate[] {
    const wanted = comparable(scan);
    const found: Candidate[] = [];
    for (const forecast of this.#forecasts.values()) {
      const matched_by = matchOf(forecast, wanted);
      if (matched_by !== undefined) found.push({ forecast, matched_by, reason: '' });
      if (found.length === MAX_CANDIDATES) break;
    }
    return found;
  }
}

function matchOf({ forecast_no, po_number, tracking_numbers }: WarehouseForecast, wanted: string): Candidate['matched_by'] | undefined {
  if (comparable(forecast_no) === wanted) return 'forecast_no';
  if (tracking_numbers.some((number) => comparable(number) === wanted)) return 'tracking_number';
  if (po_number !== '' && comparable(po_number) === wanted) return 'po_number';
  return wanted.length >= MIN_LABEL && wanted.includes(comparable(forecast_no)) ? 'label' : undefined;
}

/** Milliseconds between two looks for changes. */
const EXPECTED_POLL_MS = 15_000;
/** Milliseconds that clocks of the platform may differ. */
const CLOCK_MARGIN_MS = 60_000;

export interface ListQuery {
  readonly cursor?: string;
  /** ISO 8601; only what has changed since. The same in every page of a loop. */
  readonly updated_from?: string;
}

interface FollowOptions {
  readonly parcels: ExpectedParcels;
  readonly list: (query: ListQuery, signal: AbortSignal) => Promise<WarehouseForecastList>;
  /** Epoch milliseconds by the clock of the platform. */
  readonly platformTime: () => number;
  readonly onChange: () => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Loads the expected parcels and follows their changes until `signal` aborts. */
export async function followExpected(options: FollowOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(options, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The platform no longer accepts the cursor: start again from the first page.
      await options.sleep(EXPECTED_POLL_MS, signal);
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ApiFailure && error.code === '42201';

/**
 * Reads the changes of the last minute first. Later rounds show every change since then, so the round of all parcels may
 * stop at {@link MAX_EXPECTED}.
 */
async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const updated_from = new Date(options.platformTime() - CLOCK_MARGIN_MS).toISOString();
  let cursor = await round(options, { updated_from }, signal);
  await round(options, {}, signal, MAX_EXPECTED);
  while (!signal.aborted) {
    cursor = await round(options, { updated_from, cursor }, signal);
    await options.sleep(EXPECTED_POLL_MS, signal);
  }
}

/** A round of the list, page by page. @param most forecasts after which it ends @returns the cursor of the next round */
async function round(options: FollowOptions, first: ListQuery, signal: AbortSignal, most = Number.POSITIVE_INFINITY): Promise<string> {
  let { cursor = '' } = first;
  for (let shown = 0, hasMore = true; hasMore && shown < most && !signal.aborted; ) {
    const page = await pageOf(options, cursor === '' ? first : { ...first, cursor }, signal);
    if (page === undefined) continue;
    options.parcels.apply(page.forecasts);
    options.onChange();
    shown += page.forecasts.length;
    cursor = page.next_cursor;
    hasMore = page.has_more;
  }
  return cursor;
}

/** A page; undefined after a wait when the platform cannot be reached. @throws ApiFailure for a query that is refused */
async function pageOf({ list, sleep }: FollowOptions, query: ListQuery, signal: AbortSignal): Promise<WarehouseForecastList | undefined> {
  try {
    return await list(query, signal);
  } catch (error) {
    if (!(error instanceof ApiFailure) || isRefusal(error)) throw error;
    await sleep(EXPECTED_POLL_MS, signal);
    return undefined;
  }
}
