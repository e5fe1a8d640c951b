import type { AskedParcel, QueryResult, TrackingSource } from '../../sources/source.ts';

/** A parcel whose source reported it this short a time ago is not asked for. */
const FRESH_MS = 60_000;
const DAY_MS = 86_400_000;

/** Least time between two questions for a parcel, milliseconds. */
export function gapOf({ limits, freshForMs = FRESH_MS }: Pick<TrackingSource, 'limits' | 'freshForMs'>): number {
  const { fetchesPerParcelPerDay } = limits;
  return Math.max(freshForMs, fetchesPerParcelPerDay === null ? 0 : Math.ceil(DAY_MS / fetchesPerParcelPerDay));
}

/** A parcel of a query. */
export interface QueryItem {
  readonly parcel: AskedParcel;
  /** Notes the question just before the call; null where a parcel may be asked for any time. @returns false when another process has just asked */
  readonly note: (() => Promise<boolean>) | null;
  readonly traceparent?: string | undefined;
}

/** Another process has just asked for the parcel. */
export interface Fresh {
  readonly kind: 'fresh';
}

/** Makes one call for those of the parcels that may be asked for now; none when there is none. @returns in the order of the items */
export async function queryAskable(
  items: readonly QueryItem[],
  call: (parcels: readonly AskedParcel[]) => Promise<readonly QueryResult[]>,
): Promise<readonly (QueryResult | Fresh)[]> {
  const mayAsk = await Promise.all(items.map(({ note }) => note === null || note()));
  const parcels = items.flatMap(({ parcel }, index) => (mayAsk[index] ? [parcel] : []));
  const results = parcels.length === 0 ? [] : await call(parcels);
  if (results.length !== parcels.length) throw new Error(`The call has ${results.length} results for ${parcels.length} parcels`);
  let next = 0;
  return mayAsk.map((isAsked) => (isAsked ? (results[next++] as QueryResult) : { kind: 'fresh' }));
}
