import type { Clock } from '@parcelway/kernel/clock';
import type { KeyCache } from './key-cache.ts';

interface Entry<T> {
  value: T;
  setAt: number;
  expiresAt: number;
  /** Read since the last look at eviction: it gets a second chance. */
  used: boolean;
}

/** Values kept by default. */
const DEFAULT_MAX_ENTRIES = 10_000;

/** Eviction looks at no more entries than this before it takes the next one, whatever its use. */
const MAX_SECOND_CHANCES = 16;

/** True also for a value from the future: the clock was set back, and the value would live longer by that much. */
function hasExpired(entry: Entry<unknown>, now: number): boolean {
  return now >= entry.expiresAt || now < entry.setAt;
}

class MemoryKeyCache<T> implements KeyCache<T> {
  readonly #clock: Clock;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock;
    this.#maxEntries = maxEntries;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (hasExpired(entry, this.#clock.now())) {
      this.#entries.delete(key);
      return undefined;
    }
    entry.used = true;
    return entry.value;
  }

  set(key: string, value: T, ttlMs: number): void {
    this.#entries.delete(key);
    if (ttlMs <= 0) return;
    const now = this.#clock.now();
    if (this.#entries.size >= this.#maxEntries) this.#evictOne(now);
    this.#entries.set(key, { value, setAt: now, expiresAt: now + ttlMs, used: false });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Takes the oldest entry that has expired or was not read since the last look; used ones go to the back once. */
  #evictOne(now: number): void {
    let looked = 0;
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      looked += 1;
      if (!entry.used || hasExpired(entry, now) || looked > MAX_SECOND_CHANCES) return;
      entry.used = false;
      this.#entries.set(key, entry);
    }
  }
}

/**
 * A cache in the memory of this process. At most `maxEntries` values; seldom-read ones make room (second chance, which
 * costs a read one flag where strict least-recently-used costs two map writes).
 * @param options.maxEntries at least 1, by default 10,000
 */
export function createMemoryKeyCache<T>(options: { readonly clock: Clock; readonly maxEntries?: number }): KeyCache<T> {
  const { clock, maxEntries = DEFAULT_MAX_ENTRIES } = options;
  if (!(maxEntries >= 1)) throw new RangeError('maxEntries must be at least 1');
  return new MemoryKeyCache<T>(clock, maxEntries);
}
