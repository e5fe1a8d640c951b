/** How long a request may take to arrive, from its first byte on; milliseconds. */
export interface ArrivalTimeouts {
  readonly headersMs: number;
  /** The body included. At least as long. */
  readonly requestMs: number;
}
