import type { Clock } from '@parcelway/kernel/clock';

/** A process sees the changes of another one after this time at the latest. */
export const SEEN_WITHIN_MS = 5000;
/** Look-ups that are remembered; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Remembers a bounded number of look-ups for a short time. A look-up under way is shared. */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: Promise<T>; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.at < SEEN_WITHIN_MS) return known.value;
    this.#entries.delete(key);
    const entry = { value: read(), at: now };
    this.#entries.set(key, entry);
    // A failure is not remembered; whoever waits for it gets it.
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    if (this.#entries.size > MAX_REMEMBERED) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
