import { within } from '@parcelway/kernel/within';
import { refusalsOf } from './mongo-errors.ts';

/** What one command inserts at most. A document that weighs a sixteenth of this by itself goes alone: sharing saves nothing that counts beside it. */
const MAX_SHARED = { documents: 100, weight: 1_000_000 } as const;
const MAX_WEIGHT = MAX_SHARED.weight / 16;
/** A command that takes longer holds up the next one no more, milliseconds. */
const WAIT_MS = 50;
/**
 * Least time between the starts of two commands, milliseconds. Each command costs the store a commit, however few documents it has.
 * A full command starts at once, and so does one after a command of a single document: a client that inserts one after another never waits.
 */
const EVERY_MS = 15;

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
 * and a busy store gets fewer commands. Each request learns the outcome of its document. A document waits at most {@link EVERY_MS},
 * or {@link WAIT_MS} behind a slow command.
 *
 * Not for a sharded cluster: a shard that is out would hold up the documents of others.
 */
export class GatheredInserts<D> {
  readonly #insertAll: InsertAll<D>;
  #waiting: Waiting<D>[] = [];
  #isTaking = false;
  /** When the last command began, an instant of `performance.now()`. */
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Documents of that command. */
  #lastCount = 0;

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
      const earlyMs = this.#begunAt + EVERY_MS - performance.now();
      if (earlyMs > 0 && this.#lastCount > 1 && this.#firstBehind() === -1) await new Promise((resolve) => setTimeout(resolve, earlyMs));
      const { shared, isFull } = this.#takeShared();
      this.#begunAt = performance.now();
      this.#lastCount = shared.length;
      const writing = this.#write(shared);
      // A full one leaves nothing to wait for.
      if (!isFull) await within(WAIT_MS, writing, () => new Error('late')).catch(() => undefined);
    }
    this.#isTaking = false;
  }

  /** Index of the first document that does not fit into the next command; -1 when all fit. */
  #firstBehind(): number {
    let weight = 0;
    return this.#waiting.findIndex((one, place) => {
      weight += one.weight;
      return place === MAX_SHARED.documents || weight > MAX_SHARED.weight;
    });
  }

  #takeShared(): { readonly shared: readonly Waiting<D>[]; readonly isFull: boolean } {
    const end = this.#firstBehind();
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
