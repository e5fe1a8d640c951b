import type { OutboxEntry, OutboxFields, StoredEntry } from './mongo-outbox-fields.ts';

/** An entry in the outbox, with an id that names document and entry. */
export interface WaitingEntry extends OutboxEntry {
  readonly id: string;
}

/** A document as far as its outbox is concerned. */
export type Carrier = OutboxFields & { readonly _id: unknown };

/** A document that this process holds. */
export interface Held {
  readonly document: unknown;
  readonly entries: readonly StoredEntry[];
  /** Names the lease by which it is held. */
  readonly lease: string;
  /** End of the lease, epoch milliseconds. */
  readonly until: number;
  /** True of a document whose messages are published, and which has others. */
  readonly hasMore?: boolean;
}

const SEPARATOR = '#';

/** Characters of messages. */
export const lengthOf = (entries: readonly StoredEntry[]): number => entries.reduce((sum, { value }) => sum + value.length, 0);

/** The leases by which documents are held. */
export const leasesOf = (held: readonly Pick<Held, 'lease'>[]): string[] => [...new Set(held.map(({ lease }) => lease))];

const firstAt = ({ entries }: Held): number => entries[0]?.at ?? 0;

/** The documents that a process holds: those with messages to publish, and those whose messages are published and not removed yet. */
export class HeldDocuments {
  /** By id of the document, in the order of the leases. */
  #waiting = new Map<string, Held>();
  /** The latest time of the first message of a document that was held. */
  #lastAt = 0;
  /** Of the messages to publish. */
  #characters = 0;
  readonly #published = new Map<string, Held>();
  /** Held documents to which messages were appended that this process does not know. */
  readonly #appended = new Set<string>();

  /** Documents with messages to publish. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Length of the messages to publish, in characters. */
  get characters(): number {
    return this.#characters;
  }

  /** True when the document is held. */
  has(id: unknown): boolean {
    const name = String(id);
    return this.#waiting.has(name) || this.#published.has(name);
  }

  /** Takes documents that this process has leased. All that are held are published in the order in which their messages were written. */
  keep(documents: readonly Carrier[]): void {
    let isInOrder = true;
    for (const { _id, outbox = [], outbox_lease: lease = '', outbox_due: until = 0 } of documents) {
      const name = String(_id);
      const at = outbox[0]?.at ?? 0;
      isInOrder &&= at >= this.#lastAt;
      this.#lastAt = Math.max(at, this.#lastAt);
      this.#remove(name);
      this.#characters += lengthOf(outbox);
      this.#waiting.set(name, { document: _id, entries: outbox, lease, until });
      this.#appended.delete(name);
    }
    if (!isInOrder) this.#waiting = new Map([...this.#waiting].sort(([, a], [, b]) => firstAt(a) - firstAt(b)));
  }

  /** Notes that a document has more messages than are known here, if it is held. */
  append(id: unknown): void {
    if (this.has(id)) this.#appended.add(String(id));
  }

  /** The oldest messages to publish: at most `limit`, and no further one once they have `room` characters. */
  entries(limit: number, room = Number.POSITIVE_INFINITY): readonly WaitingEntry[] {
    const entries: WaitingEntry[] = [];
    let characters = 0;
    for (const [document, held] of this.#waiting) {
      for (const { id, topic, key, value } of held.entries) {
        if (entries.length === limit || characters >= room) return entries;
        characters += value.length;
        entries.push({ id: `${document}${SEPARATOR}${id}`, topic, key, value });
      }
    }
    return entries;
  }

  /** Notes that messages are published. A document of which others are not is published no further: it has to be leased again. */
  publish(ids: readonly string[]): void {
    const published = new Set(ids);
    for (const [name, held] of this.#waiting) {
      const done = held.entries.filter(({ id }) => published.has(`${name}${SEPARATOR}${id}`));
      if (done.length === 0) continue;
      this.#noteAsPublished(name, { ...held, entries: done });
      this.#remove(name);
      if (done.length < held.entries.length) this.#appended.add(name);
    }
  }

  /** True when a published document has messages that are not published. */
  get hasMore(): boolean {
    return [...this.#published.keys()].some((name) => this.#appended.has(name) && !this.#waiting.has(name));
  }

  /** Documents with messages to publish that have more of them than are known here, until they are kept again. */
  appendedTo(): readonly Held[] {
    return [...this.#appended].flatMap((name) => this.#waiting.get(name) ?? []);
  }

  /**
   * Gives away the published documents, with the entries to be removed from them. One that is held anew, with other messages, stays until those are
   * published as well: its lease is not to be released.
   */
  takePublished(): readonly Held[] {
    const published = [...this.#published].filter(([name]) => !this.#waiting.has(name));
    for (const [name] of published) this.#published.delete(name);
    return published.map(([name, held]) => ({ ...held, hasMore: this.#appended.delete(name) }));
  }

  /** Takes back what could not be removed. */
  putBack(published: readonly Held[]): void {
    for (const held of published) {
      const name = String(held.document);
      // What was published since has the later lease.
      this.#noteAsPublished(name, { ...held, lease: this.#published.get(name)?.lease ?? held.lease });
      if (held.hasMore) this.#appended.add(name);
    }
  }

  /** True if a held document has unpublished messages and its lease ends by `at`, epoch milliseconds. */
  hasEndingBy(at: number): boolean {
    return [...this.#waiting.values()].some(({ until }) => until <= at);
  }

  /** Lets go of all documents whose messages are not published. @returns them */
  dropAll(): readonly Held[] {
    const all = [...this.#waiting];
    for (const [name] of all) this.#appended.delete(name);
    this.#waiting = new Map();
    this.#characters = 0;
    return all.map(([, held]) => held);
  }

  #noteAsPublished(name: string, held: Held): void {
    const others = this.#published.get(name)?.entries ?? [];
    this.#published.set(name, { ...held, entries: [...others, ...held.entries] });
  }

  #remove(name: string): void {
    this.#characters -= lengthOf(this.#waiting.get(name)?.entries ?? []);
    this.#waiting.delete(name);
  }
}
