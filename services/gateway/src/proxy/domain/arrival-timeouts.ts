/** How long a request may take to arrive, from its first byte on; milliseconds. */
export interface ArrivalTimeouts {
  readonly headersMs: number;
  /** The body included. At least as long. */
  readonly requestMs: number;
}

/** Unless the operator says otherwise. */
export const ARRIVAL_TIMEOUTS: ArrivalTimeouts = { headersMs: 20_000, requestMs: 120_000 };
