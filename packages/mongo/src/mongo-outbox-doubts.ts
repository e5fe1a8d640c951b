import type { Carrier } from './mongo-outbox-held.ts';

/** Documents in doubt at most: of more, the messages wait until their lease has run out. */
const MAX_DOUBTS = 1000;
/** How often it is looked whether a document in doubt is there: its write may happen late. */
const LOOK_EVERY_MS = 500;

/** What is remembered of a document that was written under a lease, when nobody knows whether it was. */
export interface Doubt {
  readonly document: unknown;
  /** Id of the first message that the write put there. */
  readonly entry: string;
  readonly lease: string;
  /** End of the lease, epoch milliseconds. */
  readonly until: number;
}

/**
 * Documents that a process may hold: their write failed, or was not acknowledged in time, and may happen yet. Without this the messages of one that is
 * there would wait until its lease has run out.
 */
export class DoubtedWrites {
  /** By id of the first message, which no two writes share. */
  readonly #doubts = new Map<string, Doubt>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Notes documents as they were written, those without a lease left out. */
  add(documents: readonly Carrier[]): void {
    for (const { _id: document, outbox = [], outbox_lease: lease, outbox_due: until = 0 } of documents) {
      const [first] = outbox;
      if (first === undefined || lease === undefined || this.#doubts.size >= MAX_DOUBTS) continue;
      this.#doubts.set(first.id, { document, entry: first.id, lease, until });
      this.#lookedAt = Number.NEGATIVE_INFINITY;
    }
  }

  /**
   * Documents to look for now: all in doubt whose lease has not run out; the others are found by a search, as anybody's. At once after a write, and
   * now and then.
   * @param now epoch milliseconds
   */
  due(now: number): readonly Doubt[] {
    for (const { entry, until } of this.#doubts.values()) if (until <= now) this.#doubts.delete(entry);
    if (this.#doubts.size === 0 || Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return [];
    this.#lookedAt = now;
    return [...this.#doubts.values()];
  }

  /** Documents that are there after all. @returns those that were in doubt until now, and are no more */
  resolve(documents: readonly Carrier[]): readonly Carrier[] {
    // All of the messages are asked about: others may have been before them.
    return documents.filter(({ outbox = [] }) => outbox.filter(({ id }) => this.#doubts.delete(id)).length > 0);
  }
}
