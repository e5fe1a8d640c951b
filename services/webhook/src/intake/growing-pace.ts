/** What a write holds the next one up for, milliseconds for each that it writes: above 250 a second writes begin to be put together. */
const GAP_FOR_EACH_MS = 4;

/**
 * Puts writes together when there is much to write: a write of some is followed by a pause in which the next ones gather. The more there were,
 * the longer, so that few are written at once and many cost few writes.
 */
export class GrowingPace {
  readonly #maxGapMs: number;
  readonly #gapForEachMs: number;
  /** By the clock of {@link performance}. */
  #nextAt = 0;

  /**
   * @param maxGapMs writes begin at most this far apart, milliseconds; 0 for no pause
   * @param gapForEachMs how far for each that a write has, milliseconds
   */
  constructor(maxGapMs: number, gapForEachMs: number = GAP_FOR_EACH_MS) {
    this.#maxGapMs = maxGapMs;
    this.#gapForEachMs = gapForEachMs;
  }

  /** How long the next write is to wait, milliseconds. */
  waitMs(): number {
    return Math.max(0, this.#nextAt - performance.now());
  }

  /** Resolves when the next write may begin. */
  async turn(): Promise<void> {
    const wait = this.waitMs();
    if (wait >= 1) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  /** Notes that a write of so many begins. */
  begun(count: number): void {
    this.#nextAt = performance.now() + Math.min(this.#maxGapMs, count * this.#gapForEachMs);
  }
}
