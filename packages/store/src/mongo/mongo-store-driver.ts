import { randomBytes } from 'node:crypto';
import { UNCAST } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey, refusalsOf } from '@parcelway/mongo/mongo-errors';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { type Model, mongo } from 'mongoose';
import { type Collection, entriesOf, type Index, type Key, keyOf, nameOfKey, type Value } from '../collection.ts';
import type { Bounds, DriverWrite, StoreDriver } from '../driver.ts';
import type { ApplyOptions, Claimed, ClaimOptions, CountRange, GroupRange, Outcome, Stored } from '../store.ts';
import {
  bareProjection,
  deletableOf,
  documentOf,
  type Existing,
  filterOf,
  filterOfKeys,
  fixed,
  fixedFields,
  type Insert,
  orderOf,
  type Patch,
  projection,
  raised,
  stored,
  updateOf,
  versionOf,
} from './mongo-statements.ts';
import { mongoCollection, presenceOf, type StoredDocument } from './mongo-store-schema.ts';
import { MongoTransactions } from './mongo-transactions.ts';

type Operations = Parameters<Model<StoredDocument>['bulkWrite']>[0];

/** A write, and its place among those of the caller. */
interface Placed<W extends DriverWrite = DriverWrite> {
  readonly write: W;
  readonly place: number;
}

/** Documents that a claim takes, or may have taken when its response was lost. */
interface Claim {
  readonly token: string;
  readonly until: number;
  readonly dueAt: ReadonlyMap<string, number>;
}

const BY_ID = { _id: 1 } as const;

const newToken = (): string => randomBytes(9).toString('base64url');
const isPatch = ({ kind }: DriverWrite): boolean => kind === 'patch' || kind === 'touch';

/** Makes writes. @returns those that a unique index refuses, by their place */
async function refusedBy(write: () => Promise<unknown>): Promise<ReadonlyMap<number, Error>> {
  try {
    await write();
    return new Map();
  } catch (error) {
    const refusals = refusalsOf(error);
    if (refusals === undefined) throw error;
    return refusals;
  }
}

/** Documents in MongoDB, over models of mongoose. */
export class MongoStoreDriver implements StoreDriver {
  readonly #database: MongoDatabase;
  readonly #outboxes = new Map<string, MongoOutbox>();
  readonly #doubts = new Map<string, Claim[]>();
  readonly #transactions: MongoTransactions;

  /** @param database migrated with {@link mongoCollection} of each collection */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#transactions = new MongoTransactions(database, this);
  }

  /** The messages of a collection that wait to be published. */
  outbox(collection: Collection): MongoOutbox {
    let outbox = this.#outboxes.get(collection.name);
    if (outbox === undefined) {
      outbox = new MongoOutbox(this.#database, mongoCollection(collection));
      this.#outboxes.set(collection.name, outbox);
    }
    return outbox;
  }

  async read(collection: Collection, keys: readonly Key[], heavy: readonly string[]): Promise<readonly Stored[]> {
    const found = await this.#database.run(() =>
      this.model(collection).find(filterOfKeys(collection, keys), projection(collection, heavy)).lean(),
    );
    return (found as StoredDocument[]).map((document) => stored(collection, document));
  }

  async scan(index: Index, bounds: Bounds, heavy: readonly string[]): Promise<readonly Stored[]> {
    const { collection } = index;
    const fields = bounds.isBare ? bareProjection(collection) : projection(collection, heavy);
    const found = await this.#database.run(() => this.#query(index, bounds, fields).lean());
    return (found as StoredDocument[]).map((document) => stored(collection, document));
  }

  async plan(index: Index, bounds: Bounds): Promise<readonly string[]> {
    const plan = await this.#database.run(() => this.#query(index, bounds, {}).explain('queryPlanner'));
    const stages = JSON.stringify(plan).matchAll(/"stage":"(\w+)"/g);
    return [...stages].map(([, stage]) => stage ?? '').filter((stage) => stage === 'COLLSCAN' || stage === 'SORT');
  }

  async groups(index: Index, { eq = [], after, limit }: GroupRange) {
    const [field = '', next = ''] = index.fields.slice(eq.length).map((one) => one.field);
    const present = presenceOf(index, fixedFields(index, [...eq, '']));
    const groups: { readonly group: Value; readonly first: Value }[] = [];
    // One seek a group: a grouping by the server would go through all of them.
    for (let last = after; groups.length < limit; last = groups.at(-1)?.group) {
      const filter = { ...fixed(index, eq), ...present, [field]: last === undefined ? { $exists: true } : { $gt: last } };
      const [found] = (await this.#database.run(() =>
        this.model(index.collection)
          .find(filter, { [field]: 1, [next]: 1, _id: 0 })
          .sort(orderOf(index, eq.length, false))
          .hint(index.name)
          .limit(1)
          .lean(),
      )) as StoredDocument[];
      if (found === undefined) break;
      groups.push({ group: found[field] as Value, first: found[next] as Value });
    }
    return groups;
  }

  async count(index: Index, { eq, to, most }: CountRange) {
    const next = index.fields[eq.length]?.field;
    const filter = filterOf(index, { eq, ...(to !== undefined && { to }), limit: 1, backwards: false });
    const model = this.model(index.collection);
    return this.#database.run(async () => {
      const count = await model.countDocuments(filter, { limit: most, hint: index.name });
      if (next === undefined || count === 0) return { count, first: undefined };
      const [first] = await model
        .find(filter, { [next]: 1, _id: 0 })
        .sort(orderOf(index, eq.length, false))
        .hint(index.name)
        .limit(1)
        .lean();
      return { count, first: (first as StoredDocument | undefined)?.[next] as Value | undefined };
    });
  }

  async write(writes: readonly DriverWrite[], { together = false, sparesMessages = false }: ApplyOptions): Promise<readonly Outcome[]> {
    if (together) return this.#transactions.write(writes, sparesMessages);
    const groups = new Map<string, Placed[]>();
    for (const [place, write] of writes.entries()) {
      const kind = write.kind === 'insert' ? 'inserts' : 'updates';
      const name = `${kind} ${write.in.name} ${write.messages.length > 0}`;
      const group = groups.get(name);
      if (group) group.push({ write, place });
      else groups.set(name, [{ write, place }]);
    }
    const outcomes: Outcome[] = [];
    const made = await Promise.all([...groups.values()].map((group) => this.#writeGroup(group, sparesMessages)));
    for (const [place, outcome] of made.flat()) outcomes[place] = outcome;
    return outcomes;
  }

  async claim(queue: Index, { group, now, until, limit }: ClaimOptions, heavy: readonly string[]): Promise<readonly Claimed[]> {
    const { collection } = queue;
    const due = queue.fields[queue.declared - 1]?.field as string;
    const model = this.model(collection);
    const name = `${collection.name} ${queue.name} ${group ?? ''}`;
    const isDue = { ...(group !== undefined && { [queue.fields[0]?.field ?? '']: group }), [due]: { $lte: now } };
    // What an earlier call may have taken belongs to this one.
    const ours = (this.#doubts.get(name) ?? []).filter((doubt) => doubt.until > now);
    this.#doubts.delete(name);
    try {
      const found = (await this.#database.run(() =>
        model
          .find(isDue, { [due]: 1 })
          .sort(orderOf(queue, group === undefined ? 0 : 1, false))
          .hint(queue.name)
          .limit(limit)
          .lean(),
      )) as StoredDocument[];
      if (found.length > 0) {
        const claim: Claim = { token: newToken(), until, dueAt: new Map(found.map((document) => [document._id, document[due] as number])) };
        ours.push(claim);
        const filter = { _id: { $in: [...claim.dueAt.keys()] }, ...isDue };
        await this.#database.run(() => model.updateMany(filter, { $set: { [due]: until }, ...raised(claim.token) }, { hint: BY_ID }));
      }
      const taken: Claimed[] = [];
      for (const claim of ours) {
        const filter = { _id: { $in: [...claim.dueAt.keys()] }, _w: claim.token, [due]: claim.until };
        const documents = (await this.#database.run(() =>
          model.find(filter, projection(collection, heavy)).hint(BY_ID).lean(),
        )) as StoredDocument[];
        taken.push(...documents.map((document) => ({ ...stored(collection, document), dueAt: claim.dueAt.get(document._id) as number })));
      }
      return taken.sort((a, b) => a.dueAt - b.dueAt);
    } catch (error) {
      this.#doubts.set(name, [...(this.#doubts.get(name) ?? []), ...ours]);
      throw error;
    }
  }

  model(collection: Collection): Model<StoredDocument> {
    return this.#database.model(mongoCollection(collection));
  }

  #query(index: Index, bounds: Bounds, fields: Readonly<Record<string, 0 | 1>>) {
    // Of elements of an array there is no order: a sort by them would go through all documents found.
    const isOfArray = bounds.any !== undefined && index.fields[bounds.eq.length]?.isEach;
    return this.model(index.collection)
      .find(filterOf(index, bounds), fields)
      .sort(isOfArray ? {} : orderOf(index, bounds.eq.length, bounds.backwards))
      .hint(index.name)
      .limit(bounds.limit);
  }

  /** Writes of one collection, with or without messages. */
  async #writeGroup(group: readonly Placed[], sparesMessages: boolean): Promise<readonly (readonly [number, Outcome])[]> {
    const [{ write: first }] = group as readonly [Placed];
    const deletes = group.filter(({ write }) => write.kind === 'delete') as readonly Placed<Existing>[];
    const others = group.filter(({ write }) => write.kind !== 'delete') as readonly Placed<Insert | Patch>[];
    const isSilent = first.messages.length === 0;
    const made =
      first.kind === 'insert'
        ? await (isSilent ? this.#insert(others as readonly Placed<Insert>[]) : this.#insertWithMessages(others))
        : others.length === 0
          ? []
          : await (isSilent ? this.#update(others as readonly Placed<Patch>[]) : this.#updateWithMessages(others));
    return [...made, ...(await this.#delete(deletes, sparesMessages))];
  }

  async #insert(group: readonly Placed<Insert>[]): Promise<readonly (readonly [number, Outcome])[]> {
    const { in: collection } = (group[0] as Placed).write;
    const documents = group.map(({ write }) => documentOf(write));
    const refusals = await refusedBy(() =>
      this.#database.run(() => this.model(collection).insertMany(documents, { ...UNCAST, ordered: false })),
    );
    return this.#outcomesOf(group, { matched: 0, refusals, token: undefined });
  }

  async #update(group: readonly Placed<Patch>[]): Promise<readonly (readonly [number, Outcome])[]> {
    const { in: collection } = (group[0] as Placed).write;
    const token = group.length > 1 ? newToken() : undefined;
    const operations = group.map(({ write }) => ({
      updateOne: { filter: versionOf(write), update: updateOf(write, token), hint: BY_ID },
    }));
    let matched = 0;
    const refusals = await refusedBy(async () => {
      try {
        const options = { ordered: false, timestamps: false, throwOnValidationError: true, strict: 'throw' } as const;
        ({ matchedCount: matched } = await this.#database.run(() => this.model(collection).bulkWrite(operations as Operations, options)));
      } catch (error) {
        if (error instanceof mongo.MongoBulkWriteError) matched = error.result.matchedCount;
        throw error;
      }
    });
    return this.#outcomesOf(group, { matched, refusals, token });
  }

  /** What became of writes, from what the server says of all of them together. */
  async #outcomesOf(
    group: readonly Placed<Insert | Patch>[],
    {
      matched,
      refusals,
      token,
    }: { readonly matched: number; readonly refusals: ReadonlyMap<number, Error>; readonly token: string | undefined },
  ): Promise<readonly (readonly [number, Outcome])[]> {
    const accepted = group.filter((_, index) => !refusals.has(index));
    const patches = accepted.filter(({ write }) => isPatch(write)) as readonly Placed<Patch>[];
    const lost = matched === patches.length ? new Map<string, Stored | undefined>() : await this.#lostOf(patches, matched, token);
    return Promise.all(
      group.map(async ({ write, place }, index) => {
        const refusal = refusals.get(index);
        if (refusal !== undefined) return [place, await this.takenBy(write, refusal)] as const;
        const id = nameOfKey(write.key);
        if (lost.has(id)) return [place, { kind: 'lost', current: lost.get(id) }] as const;
        return [place, { kind: 'written', version: write.kind === 'insert' ? 1 : write.version + 1 }] as const;
      }),
    );
  }

  /** Which of several updates did not find their version: the server returns only how many did. */
  async #lostOf(
    patches: readonly Placed<Patch>[],
    matched: number,
    token: string | undefined,
  ): Promise<ReadonlyMap<string, Stored | undefined>> {
    const { in: collection } = (patches[0] as Placed).write;
    const ids = patches.map(({ write }) => nameOfKey(write.key));
    const fields = projection(collection, []);
    const { _w: _tokens, ...withTokens } = fields;
    const found = (await this.#database.run(() =>
      this.model(collection)
        .find(
          filterOfKeys(
            collection,
            patches.map(({ write }) => write.key),
          ),
          withTokens,
        )
        .lean(),
    )) as StoredDocument[];
    const now = new Map(found.map((document) => [document._id, document]));
    const lost = ids.filter((id) => matched === 0 || !(now.get(id)?._w ?? []).includes(token ?? ''));
    return new Map(lost.map((id) => [id, now.has(id) ? stored(collection, now.get(id) as StoredDocument) : undefined]));
  }

  /** What a unique index has refused a write for. */
  async takenBy(write: DriverWrite, refusal: Error): Promise<Outcome> {
    const { in: collection } = write;
    const index = collection.indexes.find(({ kind, name }) => kind === 'unique' && isDuplicateKey(refusal, name));
    if (index === undefined || !('value' in write))
      return { kind: 'taken', index: 'key', holder: (await this.read(collection, [write.key], []))[0] };
    for (const entry of entriesOf(index, write.value)) {
      const filter = { ...fixed(index, entry), _id: { $ne: nameOfKey(write.key) } };
      const holder = (await this.#database.run(() =>
        this.model(collection).findOne(filter, projection(collection, [])).lean(),
      )) as StoredDocument | null;
      if (holder !== null) return { kind: 'taken', index: index.name, holder: stored(collection, holder) };
    }
    return { kind: 'taken', index: index.name, holder: undefined };
  }

  async #delete(group: readonly Placed<Existing>[], sparesMessages: boolean): Promise<readonly (readonly [number, Outcome])[]> {
    if (group.length === 0) return [];
    const { in: collection } = (group[0] as Placed).write;
    if (group.some(({ write }) => write.messages.length > 0)) throw new Error('Deletion with messages is not supported yet');
    const operations = group.map(({ write }) => ({ deleteOne: { filter: deletableOf(write, sparesMessages), hint: BY_ID } }));
    const { deletedCount } = await this.#database.run(() => this.model(collection).bulkWrite(operations as Operations, { ordered: false }));
    const keys = group.map(({ write }) => write.key);
    const left = deletedCount === group.length ? [] : await this.read(collection, keys, []);
    const current = new Map(left.map((one) => [nameOfKey(keyOf(collection, one.value)), one]));
    return group.map(({ write, place }) => {
      const known = current.get(nameOfKey(write.key));
      // The server returns only how many it deleted, so that of several nobody knows which were gone before.
      const isDeleted = known === undefined && deletedCount > 0;
      return [place, isDeleted ? { kind: 'written', version: write.version + 1 } : { kind: 'lost', current: known }];
    });
  }

  async #insertWithMessages(group: readonly Placed<Insert | Patch>[]): Promise<readonly (readonly [number, Outcome])[]> {
    const inserts = group as readonly Placed<Insert>[];
    const outbox = this.outbox((inserts[0] as Placed).write.in);
    const refusals = await refusedBy(async () => {
      const instants = outbox.instants(inserts.length);
      const documents = inserts.map(({ write }, place) => ({
        ...documentOf(write),
        ...outbox.holding(write.messages, instants[place] as number),
      }));
      await outbox.insert(documents);
    });
    return this.#outcomesOf(inserts, { matched: 0, refusals, token: undefined });
  }

  async #updateWithMessages(group: readonly Placed<Insert | Patch>[]): Promise<readonly (readonly [number, Outcome])[]> {
    const patches = group as readonly Placed<Patch>[];
    const outbox = this.outbox((patches[0] as Placed).write.in);
    // Always: the outbox may write a document in a second step.
    const token = newToken();
    const updates = patches.map(({ write }) => {
      const { _id: id, ...condition } = versionOf(write);
      return { id, condition, update: updateOf(write, token), messages: write.messages };
    });
    let matched = Number.NaN;
    const refusals = await refusedBy(async () => {
      matched = await outbox.update(updates);
    });
    return this.#outcomesOf(patches, { matched, refusals, token });
  }
}
