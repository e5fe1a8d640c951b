import type { Logger } from '@parcelway/kernel/logger';
import { PeriodicWriter } from '@parcelway/kernel/periodic-writer';
import type { Collection, Key } from '@parcelway/store/collection';
import type { Store, Write } from '@parcelway/store/store';

/** The last use is shown to the minute, so it is not written more often. */
const FLUSH_MS = 60_000;
/** More distinct keys than this between two writes are not noted; the list is for people, not for accounting. */
const MAX_PENDING = 50_000;
/** Documents of one write. */
const AT_ONCE = 500;
/** Nobody waits for it. */
const IN_COMPANY = { deferMs: 25 } as const;

interface Used {
  readonly lastUsedAt: number | null;
}

/** Collects the last use of the documents of a collection and stores it every minute, so that requests do not wait for it. */
export class LastUse<T extends Used = Used> extends PeriodicWriter {
  readonly #store: Store;
  readonly #collection: Collection<T>;
  readonly #logger: Logger;
  #pending = new Map<string, number>();

  /** @param collection whose documents have one text as their key */
  constructor(store: Store, collection: Collection<T>, logger: Logger) {
    super(FLUSH_MS);
    this.#store = store;
    this.#collection = collection;
    this.#logger = logger;
  }

  /** Notes a use. `now`: epoch milliseconds. */
  note(id: string, now: number): void {
    if (this.#pending.size < MAX_PENDING || this.#pending.has(id)) this.#pending.set(id, now);
  }

  /** Stores what was noted; never moves a use backwards. When the store fails, the notes of a minute are lost. */
  protected async write(): Promise<void> {
    const uses = [...this.#pending];
    this.#pending.clear();
    try {
      for (let first = 0; first < uses.length; first += AT_ONCE) await this.#writeSome(uses.slice(first, first + AT_ONCE));
    } catch (error) {
      this.#logger.warn({ err: error, uses: uses.length }, `Cannot store the last use of ${this.#collection.name}`);
    }
  }

  async #writeSome(uses: readonly (readonly [id: string, at: number])[]): Promise<void> {
    const collection = this.#collection;
    const keys = uses.map(([id]): Key => [id]);
    await this.#store.change(
      [{ in: collection as Collection, keys }],
      (known) => {
        const writes = uses.flatMap(([id, at]): Write<T>[] => {
          const stored = known.get(collection, [id]);
          if (stored === undefined || (stored.value.lastUsedAt ?? 0) >= at) return [];
          return [{ in: collection, patch: stored, set: { lastUsedAt: at } as Partial<T> }];
        });
        return { writes: writes as unknown as readonly Write[], result: undefined };
      },
      IN_COMPANY,
    );
  }
}
