/** Pause after a write that failed. */
const RETRY_DELAY_MS = 1000;

/** How positions are written down. */
export interface LazyPositionsOptions<K, V> {
  /** Positions are written so long after the first of them has moved, milliseconds; a crash repeats at most the records finished since the last were. */
  readonly delayMs: number;
  /**
   * Writes positions down. One write runs at a time.
   * @param isCurrent false once the positions were forgotten
   * @throws when they are not written; they are kept for the next try
   */
  readonly write: (positions: ReadonlyMap<K, V>, isCurrent: () => boolean) => Promise<void>;
  /** Hears of the first of a run of failures in the background. @param isLast no further try follows */
  readonly failed: (error: unknown, isLast: boolean) => void;
}

/** Writes the positions of consumers in groups, a little later, so that a batch costs no extra write. */
export class LazyPositions<K, V> {
  readonly #options: LazyPositionsOptions<K, V>;
  #dirty = new Map<K, V>();
  /** How often positions were forgotten. */
  #forgotten = 0;
  #failing = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun, because one before it has not ended. */
  #waiting: Promise<void> | undefined;

  constructor(options: LazyPositionsOptions<K, V>) {
    this.#options = options;
  }

  /** A position has moved. */
  moved(key: K, value: V): void {
    this.#dirty.set(key, value);
    this.#plan(this.#options.delayMs);
  }

  /** Writes down what has moved until now. @throws when it cannot be written; it is tried again */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a write that took longer would move a position back.
    this.#waiting ??= this.#last
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.#write();
      });
    this.#last = this.#waiting;
    return this.#waiting;
  }

  /** Forgets what is not written: the positions now belong to somebody else. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dirty = new Map();
    this.#forgotten += 1;
  }

  /** Writes down what it can, and nothing any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush().catch((error: unknown) => this.#options.failed(error, true));
  }

  #plan(delayMs: number): void {
    // A write that waits takes what has moved by then.
    if (this.#closed || this.#waiting !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        if (!this.#failing) this.#options.failed(error, false);
        this.#failing = true;
      });
    }, delayMs).unref();
  }

  async #write(): Promise<void> {
    const positions = this.#dirty;
    if (positions.size === 0) return;
    const forgotten = this.#forgotten;
    this.#dirty = new Map();
    try {
      await this.#options.write(positions, () => forgotten === this.#forgotten);
      this.#failing = false;
    } catch (error) {
      if (forgotten === this.#forgotten) {
        this.#dirty = new Map([...positions, ...this.#dirty]);
        this.#plan(RETRY_DELAY_MS);
      }
      throw error;
    }
  }
}
