import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';

/** What a vendor grants an account in the place of its standard limits. A limit that is absent is the standard one. */
export interface GrantedLimits {
  readonly requestsPerSecond?: number;
  /** In a day that begins at 00:00 UTC. */
  readonly callsPerDay?: number;
  /** In 24 hours, spread evenly. */
  readonly fetchesPerParcelPerDay?: number;
}

/** Limits as the API, TRACKING_SOURCES and the stores write them. */
export function grantedLimits(written: ConnectionLimits): GrantedLimits {
  const { requests_per_second, calls_per_day, fetches_per_parcel_per_day } = written;
  return {
    ...(requests_per_second !== undefined && { requestsPerSecond: requests_per_second }),
    ...(calls_per_day !== undefined && { callsPerDay: calls_per_day }),
    ...(fetches_per_parcel_per_day !== undefined && { fetchesPerParcelPerDay: fetches_per_parcel_per_day }),
  };
}

/** Undoes {@link grantedLimits}. */
export function writtenLimits(granted: GrantedLimits): ConnectionLimits {
  const { requestsPerSecond, callsPerDay, fetchesPerParcelPerDay } = granted;
  return {
    ...(requestsPerSecond !== undefined && { requests_per_second: requestsPerSecond }),
    ...(callsPerDay !== undefined && { calls_per_day: callsPerDay }),
    ...(fetchesPerParcelPerDay !== undefined && { fetches_per_parcel_per_day: fetchesPerParcelPerDay }),
  };
}
