import { type Collection, compareValues, entriesOf, type Index, type Key, keyOf, nameOfKey, type Value } from '../collection.ts';
import type { Bounds, DriverWrite, StoreDriver } from '../driver.ts';
import type { ApplyOptions, Claimed, ClaimOptions, CountRange, GroupRange, Outcome, Stored } from '../store.ts';

interface Placed {
  readonly entry: readonly Value[];
  readonly stored: Stored;
}

/** The store as its contract says, in memory: what the databases are compared with. Every operation looks at every document. */
export class MemoryStoreDriver implements StoreDriver {
  readonly #documents = new Map<string, Map<string, Stored>>();
  readonly #messages: { readonly topic: string; readonly key: string; readonly value: string }[] = [];

  /** Messages of the writes that were made, in order. */
  get messages() {
    return this.#messages;
  }

  async read(collection: Collection, keys: readonly Key[], heavy: readonly string[]): Promise<readonly Stored[]> {
    return keys.flatMap((key) => this.#of(collection).get(nameOfKey(key)) ?? []).map((stored) => light(collection, stored, heavy));
  }

  async scan(index: Index, { eq, any, from, to, after, limit, backwards }: Bounds, heavy: readonly string[]): Promise<readonly Stored[]> {
    const order = (a: readonly Value[], b: readonly Value[]): number => compareTuples(index.fields.slice(eq.length), backwards, a, b);
    const placed = this.#placed(index, eq).filter(({ entry }) => {
      const tail = entry.slice(eq.length);
      const [first] = tail;
      if (any !== undefined && !any.includes(first as Value)) return false;
      if (first !== undefined && from !== undefined && compareValues(first, from) < 0) return false;
      if (first !== undefined && to !== undefined && compareValues(first, to) >= 0) return false;
      return after === undefined || order(tail, after) > 0;
    });
    placed.sort((a, b) => order(a.entry.slice(eq.length), b.entry.slice(eq.length)));
    return placed.slice(0, limit).map(({ stored }) => light(index.collection, stored, heavy));
  }

  async groups(index: Index, { eq = [], after, limit }: GroupRange) {
    const groups = new Map<Value, Value>();
    for (const { entry } of this.#placed(index, eq)) {
      const [group, first] = entry.slice(eq.length) as unknown as readonly [Value, Value];
      if (after !== undefined && compareValues(group, after) <= 0) continue;
      const known = groups.get(group);
      if (known === undefined || compareValues(first, known) < 0) groups.set(group, first);
    }
    const sorted = [...groups].sort(([a], [b]) => compareValues(a, b)).slice(0, limit);
    return sorted.map(([group, first]) => ({ group, first }));
  }

  async count(index: Index, { eq, to, most }: CountRange) {
    const found = await this.scan(index, { eq, ...(to !== undefined && { to }), limit: Number.POSITIVE_INFINITY, backwards: false }, []);
    const field = index.fields[eq.length]?.field;
    const first = field === undefined ? undefined : ((found[0]?.value as Record<string, Value> | undefined)?.[field] as Value | undefined);
    return { count: Math.min(most, found.length), first };
  }

  async write(writes: readonly DriverWrite[], { together = false }: ApplyOptions): Promise<readonly Outcome[]> {
    if (!together) return writes.map((write) => this.#look(write) ?? this.#write(write));
    const before = new Map([...this.#documents].map(([name, documents]) => [name, new Map(documents)]));
    const messages = this.#messages.length;
    const outcomes: Outcome[] = [];
    for (const [place, write] of writes.entries()) {
      const failure = this.#look(write);
      if (failure === undefined) {
        outcomes.push(this.#write(write));
        continue;
      }
      this.#documents.clear();
      for (const [name, documents] of before) this.#documents.set(name, documents);
      this.#messages.length = messages;
      return writes.map((_, other) => (other === place ? failure : { kind: 'undone' }));
    }
    return outcomes;
  }

  async claim(queue: Index, { group, now, until, limit }: ClaimOptions, heavy: readonly string[]): Promise<readonly Claimed[]> {
    const due = queue.fields[queue.declared - 1]?.field as string;
    const found = await this.scan(
      queue,
      { eq: group === undefined ? [] : [group], to: now + 1, limit, backwards: false },
      queue.collection.heavy,
    );
    return found.map(({ value, version }) => {
      const claimed = { value: { ...value, [due]: until }, version: version + 1 };
      const key = keyOf(queue.collection, value);
      this.#of(queue.collection).set(nameOfKey(key), claimed);
      return { ...light(queue.collection, claimed, heavy), dueAt: (value as Record<string, number>)[due] as number };
    });
  }

  async plan(): Promise<readonly string[]> {
    return [];
  }

  #of({ name }: Collection): Map<string, Stored> {
    let documents = this.#documents.get(name);
    if (documents === undefined) {
      documents = new Map();
      this.#documents.set(name, documents);
    }
    return documents;
  }

  #placed(index: Index, eq: readonly Value[]): Placed[] {
    const all = [...this.#of(index.collection).values()].flatMap((stored) =>
      entriesOf(index, stored.value).map((entry) => ({ entry, stored })),
    );
    return all.filter(({ entry }) => eq.every((value, place) => entry[place] === value));
  }

  #look(write: DriverWrite): Outcome | undefined {
    const current = this.#of(write.in).get(nameOfKey(write.key));
    if (write.kind === 'insert') {
      if (current !== undefined) return { kind: 'taken', index: 'key', holder: light(write.in, current, []) };
    } else if (current?.version !== write.version) return { kind: 'lost', current: current && light(write.in, current, []) };
    if (!('value' in write)) return undefined;
    for (const index of write.in.indexes) {
      if (index.kind !== 'unique') continue;
      for (const entry of entriesOf(index, write.value)) {
        const holder = this.#placed(index, entry).find(({ stored }) => stored !== current);
        if (holder !== undefined) return { kind: 'taken', index: index.name, holder: light(write.in, holder.stored, []) };
      }
    }
    return undefined;
  }

  #write(write: DriverWrite): Outcome {
    const documents = this.#of(write.in);
    const id = nameOfKey(write.key);
    const current = documents.get(id);
    const version = write.kind === 'insert' ? 1 : write.version + 1;
    this.#messages.push(...write.messages);
    if (write.kind === 'delete') documents.delete(id);
    else if (write.kind === 'touch') documents.set(id, { value: (current as Stored).value, version });
    else if (write.kind === 'insert') documents.set(id, { value: write.value, version });
    else {
      const heavy = write.in.heavy;
      const kept = heavy.filter((field) => !write.changed.includes(field) && !(field in write.value));
      const unread = Object.fromEntries(kept.map((field) => [field, (current as Stored).value[field as never]]));
      const value = Object.fromEntries(Object.entries({ ...unread, ...write.value }).filter(([, one]) => one !== undefined));
      documents.set(id, { value, version });
    }
    return { kind: 'written', version };
  }
}

function light(collection: Collection, { value, version }: Stored, heavy: readonly string[]): Stored {
  const left = collection.heavy.filter((field) => !heavy.includes(field));
  return { value: structuredClone(Object.fromEntries(Object.entries(value).filter(([field]) => !left.includes(field)))), version };
}

function compareTuples(fields: Index['fields'], backwards: boolean, a: readonly Value[], b: readonly Value[]): number {
  for (const [place, value] of a.entries()) {
    const order = compareValues(value, b[place] as Value);
    if (order !== 0) return fields[place]?.falls !== backwards ? -order : order;
  }
  return 0;
}
