import { FairShares, type FairSharesOptions } from '@parcelway/kernel/fair-shares';

/**
 * Fair shares of which everybody gets one in the end: who is refused may wait. What becomes free goes to the waiting holder
 * that has the fewest; of several such, to the one that has waited longest for its turn; among its own requests, to the first.
 */
export class FairTurns {
  readonly #shares: FairShares;
  /** By holder, in the order in which they came or last went. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: FairSharesOptions) {
    this.#shares = new FairShares(options);
  }

  /** Takes one at once. @returns false when that exceeds the share of the holder */
  take(holder: string): boolean {
    return this.#shares.take(holder);
  }

  /**
   * Takes one as soon as the share of the holder allows it, perhaps at once.
   * @param go called once it is taken
   * @returns stops waiting
   */
  wait(holder: string, go: () => void): () => void {
    const waiting = this.#waiting.get(holder) ?? new Set();
    this.#waiting.set(holder, waiting.add(go));
    this.#next();
    return () => this.#forget(holder, go);
  }

  /** True when somebody waits for one. */
  get wanted(): boolean {
    return this.#waiting.size > 0;
  }

  /** Gives one back. */
  give(holder: string): void {
    this.#shares.give(holder);
    this.#next();
  }

  #next(): void {
    for (;;) {
      const holder = this.#poorest();
      // Who has more is refused as well.
      if (holder === undefined || !this.#shares.take(holder)) return;
      const waiting = this.#waiting.get(holder) as Set<() => void>;
      const [go] = waiting;
      this.#forget(holder, go as () => void);
      this.#putLast(holder, waiting);
      go?.();
    }
  }

  #poorest(): string | undefined {
    let poorest: string | undefined;
    for (const holder of this.#waiting.keys()) {
      if (poorest === undefined || this.#shares.heldBy(holder) < this.#shares.heldBy(poorest)) poorest = holder;
    }
    return poorest;
  }

  /** Behind the others: of those that have the same, nobody goes twice while another waits. */
  #putLast(holder: string, waiting: Set<() => void>): void {
    if (this.#waiting.delete(holder)) this.#waiting.set(holder, waiting);
  }

  #forget(holder: string, go: () => void): void {
    const waiting = this.#waiting.get(holder);
    waiting?.delete(go);
    if (waiting?.size === 0) this.#waiting.delete(holder);
  }
}
