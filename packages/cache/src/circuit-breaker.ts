/** What a {@link CircuitBreaker} is made of. */
export interface CircuitBreakerOptions {
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** Milliseconds between two probes of a server that is away. */
  readonly pauseMs: number;
  /** Called once when the server is found to be away. */
  readonly onAway: (reason: string) => void;
  /** Called once when it responds again. */
  readonly onBack: (awayMs: number) => void;
}

/**
 * Circuit breaker for a server that callers can do without: the first failure opens it, so that not each caller waits to find out.
 * While it is open, callers go without the server, and a probe now and then finds out whether it is back.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #awaySince: number | undefined;
  #nextProbeAt = 0;
  #isProbing = false;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  /** A call has failed. Calls that were made before the server was found away change nothing. */
  failed(reason: string): void {
    if (this.#awaySince !== undefined) return;
    this.#awaySince = this.#options.now();
    this.#nextProbeAt = this.#awaySince + this.#options.pauseMs;
    this.#options.onAway(reason);
  }

  /**
   * Runs a probe when the server is away, the pause is over and no other probe runs.
   * @param probe settles within a deadline of its own; a rejection means that the server is still away
   * @param atOnce true when there is a sign of life, so that the pause need not be over
   */
  probe(probe: () => Promise<unknown>, atOnce = false): void {
    if (this.#awaySince === undefined || this.#isProbing) return;
    if (!atOnce && this.#options.now() < this.#nextProbeAt) return;
    this.#isProbing = true;
    probe().then(
      () => this.#back(),
      () => this.#stillAway(),
    );
  }

  #back(): void {
    const awayMs = this.#options.now() - (this.#awaySince as number);
    this.#isProbing = false;
    this.#awaySince = undefined;
    this.#options.onBack(awayMs);
  }

  #stillAway(): void {
    this.#isProbing = false;
    this.#nextProbeAt = this.#options.now() + this.#options.pauseMs;
  }
}
