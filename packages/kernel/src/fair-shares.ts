/** What of its free part one holder may take of a pool. */
export interface FairSharesOptions {
  /** Units there are: connections, calls or bytes. */
  readonly capacity: number;
  /** A holder may have at most this part of what is free: with a fifth, the first holder stops at a sixth of the pool. Above 1, at more than half of it. */
  readonly part: number;
}

/**
 * A pool that no holder can use up: what a holder has may not exceed a part of what is free. So a share shrinks as the pool
 * fills, whoever has the most is refused first, and there is room for whoever has nothing (dynamic thresholds: Choudhury and
 * Hahne, 1998). A holder that has nothing gets one piece as long as that fits at all.
 */
export class FairShares {
  readonly #capacity: number;
  readonly #part: number;
  readonly #held = new Map<string, number>();
  #free: number;

  constructor({ capacity, part }: FairSharesOptions) {
    this.#capacity = capacity;
    this.#part = part;
    this.#free = capacity;
  }

  /** True when a holder may take `amount` now. */
  allows(holder: string, amount = 1): boolean {
    const held = this.heldBy(holder);
    return held === 0 ? amount <= this.#free : held + amount <= this.#part * this.#free;
  }

  /** Takes `amount` for a holder. @returns false when that exceeds its share; nothing is taken then */
  take(holder: string, amount = 1): boolean {
    if (!this.allows(holder, amount)) return false;
    this.#held.set(holder, this.heldBy(holder) + amount);
    this.#free -= amount;
    return true;
  }

  /** Gives back what a holder took. @throws RangeError for more than it has */
  give(holder: string, amount = 1): void {
    const left = (this.#held.get(holder) ?? 0) - amount;
    if (left < 0) throw new RangeError(`${amount} given back, ${left + amount} held`);
    if (left === 0) this.#held.delete(holder);
    else this.#held.set(holder, left);
    this.#free += amount;
  }

  /** What a holder has. */
  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Units taken by all holders. */
  get used(): number {
    return this.#capacity - this.#free;
  }

  /** The most that one holder can have while nobody else has anything. */
  static mostOf({ capacity, part }: FairSharesOptions): number {
    return Math.floor((part * (capacity + 1)) / (1 + part));
  }
}

/**
 * Fair shares of which everybody gets one in the end: who is refused may wait. What becomes free goes to the waiting holder
 * that has the fewest; of several such, to the one that has waited longest for its turn; among its own requests, to the first.
 */
export class FairTurns extends FairShares {
  /** By holder, in the order in which they came or last went. */
  readonly #waiting = new Map<string, Set<() => void>>();

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

  /** Gives back what a holder took, which goes to those who wait. @throws RangeError for more than it has */
  override give(holder: string, amount = 1): void {
    super.give(holder, amount);
    this.#next();
  }

  #next(): void {
    // Who has nothing is refused last: while even such a holder would be, nobody's turn has come.
    while (this.allows('')) {
      const holder = this.#poorest();
      // Who has more is refused as well.
      if (holder === undefined || !this.take(holder)) return;
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
      if (poorest === undefined || this.heldBy(holder) < this.heldBy(poorest)) poorest = holder;
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
