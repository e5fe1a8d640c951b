import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { type Collection, compareValues, type Index, type Key, keyOf, nameOfKey, type Value } from './collection.ts';
import type { Bounds, DriverWrite, StoreDriver } from './driver.ts';
import type {
  ApplyOptions,
  Claimed,
  ClaimOptions,
  CountRange,
  Decision,
  FindOptions,
  GroupRange,
  Known,
  Outcome,
  Page,
  ReadOptions,
  Store,
  Stored,
  Wanted,
  Write,
} from './store.ts';

/** Writes of one group at most. */
const MAX_TOGETHER = 5000;
/** Values of one field at most. */
const MAX_ANY = 2000;
/** Combinations of values that one page merges at most. */
const MAX_MERGED = 200;

/** The store over any database: checks what is written, merges pages, repeats decisions. */
export class CheckedStore implements Store {
  readonly #driver: StoreDriver;

  constructor(driver: StoreDriver) {
    this.#driver = driver;
  }

  async read<T extends object>(
    collection: Collection<T>,
    keys: readonly Key[],
    { with: heavy = [] }: ReadOptions<T> = {},
  ): Promise<readonly Stored<T>[]> {
    if (keys.length === 0) return [];
    const each = keys.length === 1 ? keys : [...new Map(keys.map((key) => [textOfKey(key), key])).values()];
    return (await this.#driver.read(collection, each, heavy)) as readonly Stored<T>[];
  }

  async get<T extends object>(collection: Collection<T>, key: Key, options: ReadOptions<T> = {}): Promise<Stored<T> | undefined> {
    return (await this.read(collection, [key], options))[0];
  }

  find<T extends object>(index: Index<T>, options: FindOptions<T>): Promise<Page<T>> {
    return this.#page(index, options, false);
  }

  async #page<T extends object>(index: Index<T>, options: FindOptions<T>, isBare: boolean): Promise<Page<T>> {
    const { eq, any, after, limit, backwards = false, with: heavy = [] } = options;
    if (any?.length === 0) return { items: [], next: null };
    if (any !== undefined && any.length > MAX_ANY) throw new Error(`More than ${MAX_ANY} values`);
    const combinations = combinationsOf(eq);
    const tail = index.fields.slice(eq.length);
    const isOfArray = any !== undefined && tail[0]?.isEach === true;
    if (!isOfArray) assertOrdered(index, tail, any !== undefined);
    const place = after === undefined ? undefined : placeOf(after, tail.length);
    // `eq` names one document, so no other can follow it.
    if (place?.length === 0) return { items: [], next: null };
    const falls = (tail[0]?.falls ?? false) !== backwards;
    const sorted = any && [...new Set(any)].sort(compareValues);
    if (falls) sorted?.reverse();
    const { from, to, after: behind } = narrowest(options, place, falls);
    const scan = (values: readonly Value[]) =>
      this.#driver.scan(index, { eq: values, any: sorted, from, to, after: behind, limit: limit + 1, backwards, isBare }, heavy);
    const pages = combinations.length === 1 ? [await scan(combinations[0] ?? [])] : await Promise.all(combinations.map(scan));
    if (isOfArray)
      return { items: distinct(index.collection, pages.flat()).slice(0, limit) as unknown as readonly Stored<T>[], next: null };
    const found = pages.length === 1 ? (pages[0] as readonly Stored[]) : merged(pages, tail, backwards);
    const items = (found.length > limit ? found.slice(0, limit) : found) as unknown as readonly Stored<T>[];
    const last = items.at(-1);
    return { items, next: found.length > limit && last !== undefined ? cursorOf(tail, last.value) : null };
  }

  placeIn<T extends object>(index: Index<T>, fixed: number, { value }: { readonly value: Partial<T> }): string {
    return cursorOf(index.fields.slice(fixed), value);
  }

  groups<T extends object>(index: Index<T>, range: GroupRange) {
    return this.#driver.groups(index, range);
  }

  count<T extends object>(index: Index<T>, range: CountRange) {
    return this.#driver.count(index, range);
  }

  async apply(writes: readonly Write[], options: ApplyOptions = {}): Promise<readonly Outcome[]> {
    if (writes.length === 0) {
      // What a decision without writes acknowledges has been written by another.
      if (!options.flushLater) await this.#driver.flushed?.();
      return [];
    }
    const checked = writes.map(checkedWrite);
    if (checked.length > 1) assertDistinct(checked);
    if (options.together) checkTogether(checked);
    else if (checked.some(({ kind }) => kind === 'touch')) throw new Error('touch needs together');
    return this.#driver.write(checked, options);
  }

  async flushed(): Promise<void> {
    await this.#driver.flushed?.();
  }

  change<R>(reads: readonly Wanted[], decide: (known: Known) => Decision<R>, options: ApplyOptions = {}) {
    return untilWritten(async () => {
      const { writes, result } = decide(await this.#known(reads));
      const outcomes = await this.apply(writes, options);
      const isMade = outcomes.every(({ kind }) => kind === 'written' || kind === 'taken');
      // All or none: what another holds decides, not that the rest was undone.
      return isMade || (options.together && outcomes.some(({ kind }) => kind === 'taken')) ? { result, outcomes } : undefined;
    });
  }

  async claimDue<T extends object>(queue: Index<T>, options: ClaimOptions & ReadOptions<T>): Promise<readonly Claimed<T>[]> {
    if (queue.kind !== 'queue') throw new Error(`${queue.name} is no queue`);
    if ((queue.declared === 2) !== (options.group !== undefined)) throw new Error(`${queue.name}: a group is given when it has one`);
    return (await this.#driver.claim(queue, options, options.with ?? [])) as readonly Claimed<T>[];
  }

  async deleteRange<T extends object>(
    index: Index<T>,
    options: Pick<FindOptions<T>, 'eq' | 'to' | 'limit' | 'backwards'>,
  ): Promise<number> {
    const { items } = await this.#page(index, options, true);
    const writes = items.map(({ value, version }) => {
      return { kind: 'delete', in: index.collection, key: keyOf(index.collection, value), messages: [], version, before: value } as const;
    });
    const outcomes = writes.length === 0 ? [] : await this.#driver.write(writes, { sparesMessages: true });
    return outcomes.filter(({ kind }) => kind === 'written').length;
  }

  async #known(reads: readonly Wanted[]): Promise<Known> {
    const found = new Map<string, Stored>();
    const nameOf = (collection: { readonly name: string }, key: Key): string => `${collection.name} ${nameOfKey(key)}`;
    const pages = await Promise.all(reads.map((wanted) => this.read(wanted.in, wanted.keys, wanted)));
    for (const [place, page] of pages.entries()) {
      const { in: collection } = reads[place] as Wanted;
      for (const stored of page) found.set(nameOf(collection, keyOf(collection, stored.value)), stored);
    }
    return { get: <T extends object>(collection: Collection<T>, key: Key) => found.get(nameOf(collection, key)) as Stored<T> | undefined };
  }
}

/** @param isOfSeveral the first field has several values: what has one of them comes after what has another @throws Error when documents have no order */
function assertOrdered({ name }: Index, tail: Index['fields'], isOfSeveral: boolean): void {
  if (tail.some(({ isEach }) => isEach)) throw new Error(`find of ${name}: eq must fix the array`);
  const ordered = isOfSeveral ? tail.slice(1) : tail;
  if (ordered.some(({ falls }) => falls) && !ordered.every(({ falls }) => falls))
    throw new Error(`find of ${name}: eq must fix what rises`);
}

/** The bounds of a page, one on each side: of two, a database may begin at the wider one, and read what lies between. */
function narrowest(
  { from, to }: Pick<FindOptions<object>, 'from' | 'to'>,
  after: readonly Value[] | undefined,
  falls: boolean,
): Partial<Bounds> {
  if (after === undefined) return { from, to };
  const bound = falls ? to : from;
  const [first] = after;
  const isWithin = first !== undefined && (bound === undefined || compareValues(first, bound) < 0 === falls);
  return {
    ...(from !== undefined && (falls || !isWithin) && { from }),
    ...(to !== undefined && !(falls && isWithin) && { to }),
    ...(isWithin && { after }),
  };
}

/** All combinations of the values of the first fields. */
function combinationsOf(eq: FindOptions<object>['eq']): readonly (readonly Value[])[] {
  if (!eq.some(Array.isArray)) return [eq as readonly Value[]];
  let combinations: readonly (readonly Value[])[] = [[]];
  for (const values of eq) {
    const each = Array.isArray(values) ? [...new Set(values as readonly Value[])] : [values as Value];
    combinations = combinations.flatMap((before) => each.map((one) => [...before, one]));
    if (combinations.length > MAX_MERGED) throw new Error(`More than ${MAX_MERGED} combinations of values`);
  }
  return combinations;
}

/** Where a document is in the fields of an index. */
function tupleOf(fields: Index['fields'], value: object): readonly Value[] {
  return fields.map(({ field }) => (value as Readonly<Record<string, Value>>)[field] as Value);
}

const cursorOf = (fields: Index['fields'], value: object): string =>
  Buffer.from(JSON.stringify(tupleOf(fields, value))).toString('base64url');

/** @throws Error when it is no cursor of this index */
function placeOf(cursor: string, length: number): readonly Value[] {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(place) && place.length === length && place.every((one) => typeof one === 'string' || typeof one === 'number'))
      return place;
  } catch {
    // Said below.
  }
  throw new Error('This is no cursor of the index');
}

const distinct = (collection: Collection, found: readonly Stored[]): readonly Stored[] => [
  ...new Map(found.map((stored) => [nameOfKey(keyOf(collection, stored.value)), stored])).values(),
];

/** Pages of one order as one page. */
function merged(pages: readonly (readonly Stored[])[], fields: Index['fields'], backwards: boolean): readonly Stored[] {
  const placed = pages.flat().map((stored) => ({ stored, at: tupleOf(fields, stored.value) }));
  placed.sort((a, b) => {
    for (const [place, value] of a.at.entries()) {
      const order = compareValues(value, b.at[place] as Value);
      if (order !== 0) return fields[place]?.falls !== backwards ? -order : order;
    }
    return 0;
  });
  return placed.map(({ stored }) => stored);
}

function checkedWrite(write: Write): DriverWrite {
  const { in: collection, messages = [] } = write;
  const { name } = collection;
  if (messages.length > 0 && !collection.hasMessages) throw new Error(`${name} is declared without messages`);
  if ('insert' in write) {
    const value = withoutUndefined(write.insert);
    check(collection, value, collection.validator);
    return { in: collection, messages, kind: 'insert', key: keyOf(collection, value), value };
  }
  if ('patch' in write) {
    const { set } = write;
    const { value: before, version } = write.patch;
    for (const field in set) {
      if (collection.key.includes(field)) throw new Error(`The key of ${name} never changes`);
      if (set[field as never] === undefined && collection.required.includes(field))
        throw new Error(`A document of ${name} does not fit its schema: ${field} is required`);
    }
    const value = withoutUndefined({ ...before, ...set });
    // What was read fits: only what is set is checked.
    check(collection, withoutUndefined(set), collection.changes);
    return { in: collection, messages, kind: 'patch', key: keyOf(collection, before), version, before, value, changed: changedOf(write) };
  }
  const [kind, stored] = 'delete' in write ? (['delete', write.delete] as const) : (['touch', write.touch] as const);
  return { in: collection, messages, kind, key: keyOf(collection, stored.value), version: stored.version, before: stored.value };
}

/** The fields that a patch changes or removes. Drivers leave the indexes of all other fields alone. */
function changedOf({ set, patch }: Extract<Write, { readonly patch: unknown }>): readonly string[] {
  const before = patch.value as Readonly<Record<string, unknown>>;
  const after = set as typeof before;
  return Object.keys(after).filter((field) => after[field] === undefined || after[field] !== before[field]);
}

const hasZero = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\u0000') : Array.isArray(value) && value.some(hasZero);

/** @throws Error when a document is not what its collection declares: a defect of the caller */
function check({ name, indexed, uniqueArrays }: Collection, value: object, validator: Collection['validator']): void {
  // SQLite ends a text there.
  for (const field of indexed) {
    if (hasZero((value as Readonly<Record<string, unknown>>)[field]))
      throw new Error(`A document of ${name} has a zero character in ${field}, which is indexed`);
  }
  // MongoDB would take it for a value that documents share.
  if (uniqueArrays.some((field) => (value as Readonly<Record<string, readonly unknown[]>>)[field]?.length === 0))
    throw new Error(`A document of ${name} has an empty array that is to be unique: leave it out`);
  if (validator.is(value)) return;
  const [first] = validator.errors(value);
  throw new Error(`A document of ${name} does not fit its schema: ${first?.field ?? '$'} ${first?.message ?? ''}`);
}

/** Distinguishes keys of a collection. No key has a zero character. */
const textOfKey = (key: Key): string => (key.length === 1 ? String(key[0]) : key.join('\u0000'));

/** @throws Error when two writes are of one document */
function assertDistinct(writes: readonly DriverWrite[]): void {
  const seen = new Map<Collection, Set<string>>();
  for (const { in: collection, key } of writes) {
    let keys = seen.get(collection);
    if (keys === undefined) {
      keys = new Set();
      seen.set(collection, keys);
    }
    const text = textOfKey(key);
    if (keys.has(text)) throw new Error('Two writes of one document in one call');
    keys.add(text);
  }
}

function checkTogether(writes: readonly DriverWrite[]): void {
  if (writes.length > MAX_TOGETHER) throw new Error(`More than ${MAX_TOGETHER} writes together`);
  const shards = new Set(writes.map(shardOf));
  if (shards.size > 1) throw new Error('Writes together must be of one shard value');
}

function shardOf(write: DriverWrite): string {
  const { shard } = write.in;
  const value = (write.kind === 'insert' ? write.value : write.before) as Readonly<Record<string, unknown>>;
  if (typeof shard === 'object') return 'unsharded';
  return shard === 'key' ? nameOfKey(write.key) : String(value[shard]);
}

function withoutUndefined(value: object): object {
  const fields = value as Readonly<Record<string, unknown>>;
  let lacks = false;
  for (const field in fields) lacks ||= fields[field] === undefined;
  if (!lacks) return value;
  const present: Record<string, unknown> = {};
  for (const field in fields) if (fields[field] !== undefined) present[field] = fields[field];
  return present;
}
