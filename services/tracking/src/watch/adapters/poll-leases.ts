import { keyText, type ParcelKey } from '../domain/parcel-key.ts';

/**
 * The leases of a process that has its shipments to itself, as it has its data directory: in memory, as a lease ends with the process. Whoever opens the
 * file next polls once more what was being polled.
 */
export class PollLeases {
  readonly #ends = new Map<string, number>();

  /** Ends the leases that have run out. @param now epoch milliseconds @returns how many shipments are held */
  expire(now: number): number {
    for (const [id, end] of this.#ends) if (end <= now) this.#ends.delete(id);
    return this.#ends.size;
  }

  has(parcel: ParcelKey): boolean {
    return this.#ends.has(keyText(parcel));
  }

  /** @param until epoch milliseconds */
  begin(parcel: ParcelKey, until: number): void {
    this.#ends.set(keyText(parcel), until);
  }

  end(parcel: ParcelKey): void {
    this.#ends.delete(keyText(parcel));
  }
}
