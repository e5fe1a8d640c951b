import { AppError } from '@parcelway/kernel/app-error';
import { refusedOf } from './mongo-errors.ts';
import { WritePace } from './mongo-write-pace.ts';

/** From some 170 inserts a second on they begin to share commands, and a command begins no later than this after the one before, milliseconds. */
const PACE = { maxGapMs: 12, gapForEachMs: 6 } as const;
/** What one command inserts at most. A document that has a sixteenth of these characters by itself goes alone: sharing saves nothing that counts beside it. */
const MAX_SHARED = { documents: 100, characters: 1_000_000 } as const;
const MAX_CHARACTERS = MAX_SHARED.characters / 16;
/** A command that takes longer, or fails, may have documents for a shard that is out, milliseconds. */
const SLOW_MS = 1000;
/** For so long behind such a command each document is inserted by itself, so that one shard does not hold up the documents of others; milliseconds. */
const ALONE_MS = 10_000;

/** Inserts documents, unordered. @throws as MongoOutbox.insert does */
type InsertAll<D> = (documents: readonly D[]) => Promise<void>;

/** A document that is to be inserted. */
interface Waiting<D> {
  readonly document: D;
  readonly characters: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inserts of different requests that share commands: what comes within some milliseconds of the command before goes with the next. The store then
 * commits once for all of them. Each request gets the outcome of its own document. Few at a time do not wait.
 */
export class GatheredInserts<D> {
  readonly #insertAll: InsertAll<D>;
  readonly #pace = new WritePace(PACE.maxGapMs, PACE.gapForEachMs);
  #waiting: Waiting<D>[] = [];
  #isTaking = false;
  /** Until then nothing is shared; an instant of `performance.now()`. */
  #aloneUntil = Number.NEGATIVE_INFINITY;

  constructor(insertAll: InsertAll<D>) {
    this.#insertAll = insertAll;
  }

  /**
   * Inserts a document.
   * @param characters of its content
   * @throws MongoServerError when a unique index refuses it; AppError 50301, then it may be there
   */
  insert(document: D, characters: number): Promise<void> {
    if (characters > MAX_CHARACTERS || performance.now() < this.#aloneUntil) return this.#insertAll([document]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ document, characters, resolve, reject });
      if (!this.#isTaking) void this.#take();
    });
  }

  /** Takes what waits, command by command. Never rejects. */
  async #take(): Promise<void> {
    this.#isTaking = true;
    while (this.#waiting.length > 0) {
      await this.#pace.turn();
      const shared = this.#takeShared();
      this.#pace.begun(shared.length);
      void this.#write(shared);
    }
    this.#isTaking = false;
  }

  #takeShared(): readonly Waiting<D>[] {
    let characters = 0;
    const end = this.#waiting.findIndex((one, place) => {
      characters += one.characters;
      return place === MAX_SHARED.documents || characters > MAX_SHARED.characters;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Never rejects. */
  async #write(shared: readonly Waiting<D>[]): Promise<void> {
    const begun = performance.now();
    try {
      await this.#insertAll(shared.map(({ document }) => document));
      for (const { resolve } of shared) resolve();
    } catch (error) {
      await this.#settleEach(shared, error);
    } finally {
      if (performance.now() - begun >= SLOW_MS) this.#goAlone();
    }
  }

  async #settleEach(shared: readonly Waiting<D>[], error: unknown): Promise<void> {
    if (error instanceof AppError) this.#goAlone();
    if (error instanceof AppError || shared.length === 1) {
      for (const { reject } of shared) reject(error);
      return;
    }
    // What was refused is inserted by itself, for an error that says by what. So is everything after an error that nobody knows.
    const refused = refusedOf(error);
    await Promise.all(
      shared.map(({ document, resolve, reject }, place) =>
        refused?.has(place) === false ? resolve() : this.#insertAll([document]).then(resolve, reject),
      ),
    );
  }

  #goAlone(): void {
    this.#aloneUntil = performance.now() + ALONE_MS;
  }
}
