import type { Lease } from './mongo-outbox-fields.ts';
import type { Carrier } from './mongo-outbox-held.ts';

/** Documents in doubt at most: of more, the messages wait until their lease has run out. */
const MAX_DOUBTS = 1000;
/** How often it is looked whether a document in doubt is there: its write may happen late. */
const LOOK_EVERY_MS = 500;

/** What is remembered of a document that was put under a lease, when nobody knows whether it was. */
export interface Doubt {
  readonly document: unknown;
  readonly lease: string;
  /** End of the lease, epoch milliseconds. */
  readonly until: number;
}

const nameOf = (document: unknown, lease: string): string => `${lease} ${document}`;

/**
 * Documents that a process may hold: their write failed, or was not acknowledged in time, and may happen yet. Without this the messages of one that is
 * there would wait until its lease has run out.
 */
export class DoubtedWrites {
  /** By lease and document, which no two writes share. */
  readonly #doubts = new Map<string, Doubt>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Notes documents as they were written, those without a lease left out. */
  add(documents: readonly Carrier[]): void {
    for (const { _id, outbox_lease: token, outbox_due: until = 0 } of documents) if (token !== undefined) this.#note(_id, { token, until });
  }

  /** The result of `leasing`, which puts documents, by their ids, under a lease. When that fails they are in doubt. */
  async unlessDone<T>(documents: readonly unknown[], lease: Lease, leasing: Promise<T>): Promise<T> {
    try {
      return await leasing;
    } catch (error) {
      for (const document of documents) this.#note(document, lease);
      throw error;
    }
  }

  /**
   * Documents to look for now: all in doubt whose lease has not run out; the others are found by a search, as anybody's. At once after a write, and
   * now and then.
   * @param now epoch milliseconds
   */
  due(now: number): readonly Doubt[] {
    for (const [name, { until }] of this.#doubts) if (until <= now) this.#doubts.delete(name);
    if (this.#doubts.size === 0 || Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return [];
    this.#lookedAt = now;
    return [...this.#doubts.values()];
  }

  /** Documents that are under their lease after all. @returns those that were in doubt until now, and are no more */
  resolve(documents: readonly Carrier[]): readonly Carrier[] {
    return documents.filter(({ _id, outbox_lease: lease = '' }) => this.#doubts.delete(nameOf(_id, lease)));
  }

  /** Gives all away: nobody is to look for them any more. */
  takeAll(): readonly Doubt[] {
    const doubts = [...this.#doubts.values()];
    this.#doubts.clear();
    return doubts;
  }

  #note(document: unknown, { token: lease, until }: Lease): void {
    if (this.#doubts.size >= MAX_DOUBTS) return;
    this.#doubts.set(nameOf(document, lease), { document, lease, until });
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }
}
