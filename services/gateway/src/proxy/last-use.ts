import type { Logger } from '@parcelway/kernel/logger';
import type { KeyLookup } from './ports.ts';

/** The last use is shown to the minute, so it is not written more often. */
const FLUSH_MS = 60_000;
/** More distinct keys than this between two writes are not noted; the list is for people, not for accounting. */
const MAX_PENDING = 50_000;

/** Collects the last use of keys and stores it every minute, so that requests do not wait for it. */
export class LastUse {
  readonly #keys: Pick<KeyLookup, 'recordUse'>;
  readonly #logger: Logger;
  readonly #what: string;
  #pending = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param what is used, for the log */
  constructor(keys: Pick<KeyLookup, 'recordUse'>, logger: Logger, what = 'API keys') {
    this.#keys = keys;
    this.#logger = logger;
    this.#what = what;
  }

  /** Notes a use. `now`: epoch milliseconds. */
  note(keyId: string, now: number): void {
    if (this.#pending.size < MAX_PENDING || this.#pending.has(keyId)) this.#pending.set(keyId, now);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Stores what was noted. When the store fails, the notes of a minute are lost. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    try {
      await this.#keys.recordUse(uses);
    } catch (error) {
      this.#logger.warn({ err: error, keys: uses.size }, `Cannot store the last use of ${this.#what}`);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }
}
