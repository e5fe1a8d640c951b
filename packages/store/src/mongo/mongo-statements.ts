import { type Collection, type Index, type Key, nameOfKey, type Value } from '../collection.ts';
import type { Bounds, DriverWrite } from '../driver.ts';
import type { Stored } from '../store.ts';
import { opaqueFields, presenceOf, type StoredDocument, TOKENS_KEPT } from './mongo-store-schema.ts';

/** A write of a document that stays. */
export type Patch = Extract<DriverWrite, { kind: 'patch' | 'touch' }>;
export type Insert = Extract<DriverWrite, { kind: 'insert' }>;
/** A write of a document that is there. */
export type Existing = Exclude<DriverWrite, Insert>;

const ENVELOPE = ['_w', 'outbox', 'outbox_due', 'outbox_since', 'outbox_lease'];

/** Raises the version, and leaves a token by which the writer finds what it wrote. */
export const raised = (token: string) => ({ $inc: { _v: 1 }, $push: { _w: { $each: [token], $slice: -TOKENS_KEPT } } });

export function updateOf(write: Patch, token: string | undefined): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const rise = token === undefined ? { $inc: { _v: 1 } } : raised(token);
  if (write.kind === 'touch') return rise;
  const value = bson(write.in, write.value);
  const set = write.changed.filter((field) => value[field] !== undefined).map((field) => [field, value[field]]);
  const unset = write.changed.filter((field) => value[field] === undefined).map((field) => [field, '']);
  return {
    ...rise,
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset) }),
  };
}

/** Finds documents by their keys, on their shards where the key says which. */
export function filterOfKeys({ key, shard }: Collection, keys: readonly Key[]): Readonly<Record<string, unknown>> {
  const place = typeof shard === 'string' ? key.indexOf(shard) : -1;
  const onShards = place < 0 ? {} : { [shard as string]: { $in: [...new Set(keys.map((one) => one[place]))] } };
  return { ...onShards, _id: { $in: keys.map(nameOfKey) } };
}

/** Finds a document at the version that was read, on its shard. */
export function versionOf(write: Existing): { readonly _id: string; readonly _v: number } {
  const { shard } = write.in;
  const field = typeof shard === 'string' && shard !== 'key' ? shard : undefined;
  const onShard = field === undefined ? {} : { [field]: (write.before as Readonly<Record<string, unknown>>)[field] };
  return { ...onShard, _id: nameOfKey(write.key), _v: write.version };
}

/** Finds a document that may be deleted. */
export function deletableOf(write: Existing, sparesMessages: boolean): object {
  return { ...versionOf(write), ...(sparesMessages && write.in.hasMessages && { outbox: { $exists: false } }) };
}

export function documentOf({ in: collection, key, value }: Insert): StoredDocument {
  return { _id: nameOfKey(key), _v: 1, ...bson(collection, value) };
}

/** The fields of a document as MongoDB has them. An empty array is none: nothing is found by it. */
function bson(collection: Collection, value: object): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...value };
  for (const field of opaqueFields(collection)) if (fields[field] !== undefined) fields[field] = JSON.stringify(fields[field]);
  return fields;
}

export function stored(collection: Collection, document: StoredDocument): Stored {
  const {
    _id,
    _v: version,
    _w,
    outbox,
    outbox_due,
    outbox_since,
    outbox_lease,
    ...value
  } = document as StoredDocument & Record<string, unknown>;
  for (const field of opaqueFields(collection)) if (typeof value[field] === 'string') value[field] = JSON.parse(value[field]) as unknown;
  return { value, version };
}

/** What names a document, and its version. */
export function bareProjection({ indexed, shard }: Collection): Readonly<Record<string, 1>> {
  const shards = typeof shard === 'string' && shard !== 'key' ? [shard] : [];
  return Object.fromEntries(['_v', ...indexed, ...shards].map((field) => [field, 1]));
}

export function projection(collection: Collection, heavy: readonly string[]): Readonly<Record<string, 0>> {
  const { heavy: all } = collection;
  return Object.fromEntries([...ENVELOPE, ...all.filter((field) => !heavy.includes(field))].map((field) => [field, 0]));
}

export const fixed = (index: Index, values: readonly Value[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(values.map((value, place) => [index.fields[place]?.field ?? '', value]));

export const fixedFields = (index: Index, values: readonly Value[]): ReadonlySet<string> => new Set(Object.keys(fixed(index, values)));

export function filterOf(index: Index, { eq, any, from, to, after, backwards }: Bounds): Readonly<Record<string, unknown>> {
  const tail = index.fields.slice(eq.length);
  const next = tail[0]?.field;
  const isBounded = next !== undefined && (any !== undefined || from !== undefined || to !== undefined || after !== undefined);
  const range = { ...(any !== undefined && { $in: any }), ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const clauses: object[] = [];
  if (isBounded && after !== undefined) {
    const behind = (place: number): string => (tail[place]?.falls !== backwards ? '$lt' : '$gt');
    // The first makes the bounds of the index; the others distinguish those of equal values.
    clauses.push({ [next]: { [`${behind(0)}e`]: after[0] } });
    const alternatives = tail.map(({ field }, place) => ({
      ...Object.fromEntries(tail.slice(0, place).map((one, before) => [one.field, after[before]])),
      [field]: { [behind(place)]: after[place] },
    }));
    clauses.push({ $or: alternatives });
  }
  const present = presenceOf(index, new Set([...fixedFields(index, eq), ...(isBounded ? [next] : [])]));
  const within = isBounded && Object.keys(range).length > 0 ? { [next]: range } : {};
  return { ...fixed(index, eq), ...present, ...within, ...(clauses.length > 0 && { $and: clauses }) };
}

export const orderOf = (index: Index, first: number, backwards: boolean): Readonly<Record<string, 1 | -1>> =>
  Object.fromEntries(index.fields.slice(first).map(({ field, falls }) => [field, falls !== backwards ? -1 : 1]));
