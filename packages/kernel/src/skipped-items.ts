const FIRST_RETRY_MS = 10 * 60_000;
const MAX_RETRY_MS = 86_400_000;
/** More than a week together. Then an item is not tried again until the process starts anew. */
export const MAX_TRIES = 14;

interface Skipped {
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** Items that a repeated job passes over because they failed: when each is tried again. In memory: a new process tries them all once more. */
export class SkippedItems {
  readonly #skipped = new Map<string, Skipped>();
  /** At most so many are kept; of more, the oldest are tried in each turn. */
  readonly max: number;

  /** @param max far more than are bad in an installation that works */
  constructor(max: number) {
    this.max = max;
  }

  /** How many are kept. */
  get size(): number {
    return this.#skipped.size;
  }

  /** True when an item may be tried: it has not failed, or long enough ago and not too often. @param now epoch milliseconds */
  isDue(key: string, now: number): boolean {
    const skipped = this.#skipped.get(key);
    return skipped === undefined || (skipped.tries < MAX_TRIES && skipped.dueAt <= now);
  }

  /** Notes that an item failed. @returns how often it has, this time included */
  failed(key: string, now: number): number {
    const before = this.#skipped.get(key);
    const tries = (before?.tries ?? 0) + 1;
    const isFull = before === undefined && this.#skipped.size >= this.max;
    const oldest = isFull ? this.#skipped.keys().next().value : undefined;
    if (oldest !== undefined) this.#skipped.delete(oldest);
    this.#skipped.set(key, { tries, dueAt: now + Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS) });
    return tries;
  }

  /** Notes that an item did not fail any more. */
  settled(key: string): void {
    this.#skipped.delete(key);
  }
}
