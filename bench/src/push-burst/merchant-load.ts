import type { Merchant } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { percentile } from '../statistics.ts';

/** How long a merchant's calls of one route took. Milliseconds. */
export interface CallTimes {
  readonly calls: number;
  /** Responses that were no success. */
  readonly failed: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The calls that a merchant makes, one after the other. */
export interface MerchantTimes {
  readonly trackingQuery: CallTimes;
  readonly forecastQuery: CallTimes;
}

interface Calls {
  readonly ms: number[];
  failed: number;
}

async function timed(calls: Calls, call: () => Promise<{ readonly code: string }>): Promise<void> {
  const startedAt = performance.now();
  const { code } = await call();
  calls.ms.push(performance.now() - startedAt);
  if (code !== '0') calls.failed += 1;
}

function timesOf({ ms, failed }: Calls): CallTimes {
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map((percent) => percentile(ms, percent));
  return { calls: ms.length, failed, p50, p95, p99 };
}

/** A merchant asks for the tracking of a parcel and for its forecast in turn, until `isOver`, once at least. */
export async function queryUntil(merchant: Merchant, po_number: string, isOver: () => boolean): Promise<MerchantTimes> {
  const [tracking, forecast]: [Calls, Calls] = [
    { ms: [], failed: 0 },
    { ms: [], failed: 0 },
  ];
  do {
    await timed(tracking, () => callRoute(merchant.client, 'queryTracking', { query: { po_number } }));
    await timed(forecast, () => callRoute(merchant.client, 'getForecast', { path: { po_number } }));
  } while (!isOver());
  return { trackingQuery: timesOf(tracking), forecastQuery: timesOf(forecast) };
}
