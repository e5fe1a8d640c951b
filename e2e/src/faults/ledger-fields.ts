/** What of a connection's calls these tests set. A platform has no other clock than the machine's, so hours and days pass here. */
export interface LedgerFields {
  /** Days since 1970 (UTC). */
  readonly day: number;
  /** Calls of that day. */
  readonly used: number;
  /** Epoch milliseconds. */
  readonly blocked_until: number;
}
