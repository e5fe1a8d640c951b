/** A source is not asked now, because of a limit that we keep. It is no failure: what is stored is the best there is. */
export class NotNow extends Error {
  /** When asking again is worthwhile, epoch milliseconds. */
  readonly until: number;
  /** For the log and the metrics. */
  readonly reason: string;
  /** Whether another source may be asked instead: not where the parcel itself was reported a moment ago. */
  readonly maySkip: boolean;

  constructor(until: number, reason: string, { maySkip = true }: { readonly maySkip?: boolean } = {}) {
    super(`The source is not asked now: ${reason}`);
    this.name = 'NotNow';
    this.until = until;
    this.reason = reason;
    this.maySkip = maySkip;
  }
}
