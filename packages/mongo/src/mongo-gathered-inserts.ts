import { within } from '@parcelway/kernel/within';
import { refusalsOf } from './mongo-errors.ts';

/** What one command inserts at most. A document that weighs a sixteenth of this by itself goes alone: sharing saves nothing that counts beside it. */
const MAX_SHARED = { documents: 100, weight: 1_000_000 } as const;
const MAX_WEIGHT = MAX_SHARED.weight / 16;
/** A command that takes longer holds up the next one no more, milliseconds. */
const WAIT_MS = 50;

/** Inserts documents, unordered. @throws as MongoOutbox.insert does */
type InsertAll<D> = (documents: readonly D[]) => Promise<void>;

/** A document that is to be inserted. */
interface Waiting<D> {
  readonly document: D;
  readonly weight: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inserts of different requests that share commands: what comes while one is under way goes with the next, so that the store commits once for all of them,
 * and a busy store gets fewer commands. Each request gets the outcome of its own document. The first of a command waits for 50 ms at most.
 *
 * Not for a sharded cluster: a shard that is out would hold up the documents of others.
 */
export class GatheredInserts<D> {
  readonly #insertAll: InsertAll<D>;
  #waiting: Waiting<D>[] = [];
  #isTaking = false;

  constructor(insertAll: InsertAll<D>) {
    this.#insertAll = insertAll;
  }

  /**
   * Inserts a document.
   * @param weight characters of its content, and about as much for whatever else it costs the store
   * @throws MongoServerError when a unique index refuses it; AppError 50301, then it may be there
   */
  insert(document: D, weight: number): Promise<void> {
    if (weight > MAX_WEIGHT) return this.#insertAll([document]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ document, weight, resolve, reject });
      if (!this.#isTaking) void this.#take();
    });
  }

  /** Takes what waits, command by command. Never rejects. */
  async #take(): Promise<void> {
    this.#isTaking = true;
    // Requests that came together share the first command as well.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const { shared, isFull } = this.#takeShared();
      const writing = this.#write(shared);
      // A full one leaves nothing to wait for.
      if (!isFull) await within(WAIT_MS, writing, () => new Error('late')).catch(() => undefined);
    }
    this.#isTaking = false;
  }

  #takeShared(): { readonly shared: readonly Waiting<D>[]; readonly isFull: boolean } {
    let weight = 0;
    const end = this.#waiting.findIndex((one, place) => {
      weight += one.weight;
      return place === MAX_SHARED.documents || weight > MAX_SHARED.weight;
    });
    const isFull = end !== -1;
    return { shared: this.#waiting.splice(0, isFull ? end : this.#waiting.length), isFull };
  }

  /** Never rejects. */
  async #write(shared: readonly Waiting<D>[]): Promise<void> {
    try {
      await this.#insertAll(shared.map(({ document }) => document));
      for (const { resolve } of shared) resolve();
    } catch (error) {
      const refusals = refusalsOf(error);
      shared.forEach(({ resolve, reject }, place) => {
        const refusal = refusals === undefined ? error : refusals.get(place);
        if (refusal === undefined) resolve();
        else reject(refusal);
      });
    }
  }
}
