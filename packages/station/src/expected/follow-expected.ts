import type { WarehouseForecastList } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { type ExpectedParcels, MAX_EXPECTED } from './expected-parcels.ts';

/** Milliseconds between two looks for changes. */
export const EXPECTED_POLL_MS = 15_000;
/** Milliseconds that clocks of the platform may differ. */
const CLOCK_MARGIN_MS = 60_000;

/** What a page of the list is asked with. */
export interface ListQuery {
  readonly cursor?: string;
  /** ISO 8601; only what has changed since. The same in every page of a loop. */
  readonly updated_from?: string;
}

/** What {@link followExpected} needs. */
export interface FollowOptions {
  readonly parcels: ExpectedParcels;
  readonly list: (query: ListQuery, signal: AbortSignal) => Promise<WarehouseForecastList>;
  /** Epoch milliseconds by the clock of the platform. */
  readonly platformTime: () => number;
  /** Called after each page. */
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
 * The round of the last minute comes first: it is short, and the rounds after it show every change since it began. So the round of all
 * parcels, which begins later, may end as soon as no more are remembered.
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
