import type { Logger } from '@parcelway/kernel/logger';
import { PeriodicWriter } from '@parcelway/kernel/periodic-writer';

/** The last use is shown to the minute, so it is not written more often. */
const FLUSH_MS = 60_000;
/** More distinct keys than this between two writes are not noted; the list is for people, not for accounting. */
const MAX_PENDING = 50_000;

/** Collects the last use of keys and stores it every minute, so that requests do not wait for it. */
export class LastUse extends PeriodicWriter {
  readonly #record: (uses: ReadonlyMap<string, number>) => Promise<void>;
  readonly #logger: Logger;
  readonly #what: string;
  #pending = new Map<string, number>();

  /** @param record stores the latest use of each, epoch milliseconds @param what is used, for the log */
  constructor(record: (uses: ReadonlyMap<string, number>) => Promise<void>, logger: Logger, what = 'API keys') {
    super(FLUSH_MS);
    this.#record = record;
    this.#logger = logger;
    this.#what = what;
  }

  /** Notes a use. `now`: epoch milliseconds. */
  note(keyId: string, now: number): void {
    if (this.#pending.size < MAX_PENDING || this.#pending.has(keyId)) this.#pending.set(keyId, now);
  }

  /** Stores what was noted. When the store fails, the notes of a minute are lost. */
  protected async write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    try {
      await this.#record(uses);
    } catch (error) {
      this.#logger.warn({ err: error, keys: uses.size }, `Cannot store the last use of ${this.#what}`);
    }
  }
}
