import type { Store } from '@parcelway/store/store';
import { type DeliveryDocument, deliveries, documentOf } from './deliveries-collection.ts';
import type { Delivery, LeasedDelivery } from './domain/delivery.ts';

/**
 * A first attempt that takes longer does not keep its delivery from being stored: then it is stored as one that is being sent. Below the time
 * that the log gives its consumers to make durable what they have handled.
 */
export const STORE_WITHIN_MS = 1000;

/**
 * A delivery that lacks although its event plans it may be on its way to the receiver while the event is younger than this, milliseconds. Longer
 * than the first attempt may go unstored, with room for a store that is slow and for clocks that differ.
 */
export const MAY_BE_UNSTORED_MS = 10_000;

/** Results of webhooks that were sent are written together within this time: nobody waits for them. */
export const DEFER_RESULTS_MS = 50;

interface Unstored {
  readonly leased: LeasedDelivery;
  /** By the clock of {@link performance}. */
  readonly addedAt: number;
  readonly batch: Batch;
  /** Set while it is being written. */
  writing?: Promise<unknown>;
}

/** Deliveries that were added together. */
interface Batch {
  left: number;
  readonly stored: Promise<void>;
  readonly resolve: () => void;
}

function newBatch(left: number): Batch {
  let resolve = (): void => undefined;
  const stored = new Promise<void>((done) => {
    resolve = done;
  });
  return { left, stored, resolve };
}

/** Names a delivery in maps. An endpoint has one tenant. */
export const nameOf = ({ eventId, endpointId }: Pick<Delivery, 'eventId' | 'endpointId'>): string => `${eventId} ${endpointId}`;

/**
 * Deliveries that this process sends before it has stored them: one that ends at its first attempt is one insert with its outcome, instead of
 * an insert and an update, and has no entry in the indexes of what is waiting.
 *
 * Crashes: their events are stored, and the log keeps those events until {@link settled} has resolved. So after the end of this process they
 * come again, to any process, which inserts the deliveries that lack. A delivery that another has inserted meanwhile (a replay, or a process that
 * got the event again while this one lived) refuses the insert here; its result is then written as for any stored delivery.
 */
export class UnstoredDeliveries {
  readonly #store: Store;
  /** In the order in which they were added. */
  readonly #open = new Map<string, Unstored>();
  readonly #batches = new Set<Batch>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds deliveries that this process has leased and is about to send. */
  add(added: readonly LeasedDelivery[]): void {
    if (added.length === 0) return;
    const batch = newBatch(added.length);
    this.#batches.add(batch);
    const addedAt = performance.now();
    for (const leased of added) this.#open.set(nameOf(leased.delivery), { leased, addedAt, batch });
    this.#arm();
  }

  /** True while a delivery is sent and not stored. @param name see {@link nameOf} */
  has(name: string): boolean {
    return this.#open.has(name);
  }

  /** Resolves when all that were added so far are stored. */
  async settled(): Promise<void> {
    await Promise.all([...this.#batches].map(({ stored }) => stored));
  }

  /**
   * Stores those of the deliveries that are not stored yet.
   * @param documents what is stored of each, by name
   * @returns the names of those that it has stored so; the others were stored before, and are as they were
   * @throws AppError 50301; then they may be stored or not, and the same call is to be made again
   */
  async store(documents: ReadonlyMap<string, DeliveryDocument>): Promise<ReadonlySet<string>> {
    for (let writing = this.#writing(documents); writing.length > 0; writing = this.#writing(documents)) await Promise.allSettled(writing);
    const names = [...documents.keys()].filter((name) => this.#open.has(name));
    if (names.length === 0) return new Set();
    const work = this.#store.apply(
      names.map((name) => ({ in: deliveries, insert: documents.get(name) as DeliveryDocument })),
      // Whoever waits for them to be settled waits for the disk too.
      { deferMs: DEFER_RESULTS_MS, flushLater: true },
    );
    for (const name of names) (this.#open.get(name) as Unstored).writing = work;
    try {
      const outcomes = await work;
      for (const name of names) this.#close(name);
      return new Set(names.filter((_, place) => outcomes[place]?.kind === 'written'));
    } finally {
      for (const name of names) delete this.#open.get(name)?.writing;
    }
  }

  #writing(documents: ReadonlyMap<string, unknown>): readonly Promise<unknown>[] {
    return [...new Set([...documents.keys()].flatMap((name) => this.#open.get(name)?.writing ?? []))];
  }

  #close(name: string): void {
    const batch = this.#open.get(name)?.batch;
    this.#open.delete(name);
    if (batch === undefined) return;
    batch.left -= 1;
    if (batch.left > 0) return;
    this.#batches.delete(batch);
    batch.resolve();
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#storeOld();
    }, STORE_WITHIN_MS / 2).unref();
  }

  /** Stores what would be too old at the next look. */
  async #storeOld(): Promise<void> {
    const before = performance.now() - STORE_WITHIN_MS / 2;
    const old = new Map<string, DeliveryDocument>();
    for (const [name, { addedAt, writing, leased }] of this.#open) {
      if (addedAt > before) break;
      if (writing === undefined) old.set(name, documentOf(leased.delivery, leased.leaseUntil));
    }
    // Whoever waits for `settled` reports it when the store stays out; it is tried again at the next look.
    await this.store(old).catch(() => undefined);
    if (this.#open.size > 0) this.#arm();
  }
}
