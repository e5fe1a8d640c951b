import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import type { CallLimits } from './call-ledger.ts';

/** What a connection may call. */
interface AccountLimits extends CallLimits {
  /** In 24 hours, spread evenly. */
  readonly fetchesPerParcelPerDay: number | null;
}

/** The limits of a source with those that its vendor grants an account in their place; one that is absent is the standard one. */
export function grantedLimits<Limits extends AccountLimits>(standard: Limits, granted: ConnectionLimits | null): Limits {
  const { requests_per_second, calls_per_day, fetches_per_parcel_per_day } = granted ?? {};
  return {
    ...standard,
    requestsPerSecond: requests_per_second ?? standard.requestsPerSecond,
    callsPerDay: calls_per_day ?? standard.callsPerDay,
    fetchesPerParcelPerDay: fetches_per_parcel_per_day ?? standard.fetchesPerParcelPerDay,
  };
}
