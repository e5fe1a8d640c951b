import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import type { Static, TObject } from 'typebox';

/** What an index holds. Text is ordered by its UTF-8 bytes, after every number. Instants are epoch milliseconds; booleans are not indexed. */
export type Value = string | number;

type Field<T> = Extract<keyof T, string>;

/** Documents that age ends. */
export interface Expiry {
  /** The list that they are found by: the field behind `within` is an instant, or a day as `YYYY-MM-DD`. */
  readonly by: string;
  /** Values of its first fields. Default: none. */
  readonly within?: readonly Value[];
  /** Milliseconds from that instant on. */
  readonly keptMs: number;
}

/** What a tenant receives of a collection as a copy of its data. */
export interface TenantCopy<T> {
  /** Name of the kind; default: that of the collection. */
  readonly name?: string;
  /** Heavy fields to read as well. */
  readonly with?: readonly string[];
  /** Under the names that the tenant knows, without secrets. Default: all but the tenant, in snake case; null for what it lacks. */
  record?(value: T): Readonly<Record<string, unknown>>;
}

/** A field of an index: rising, falling (`-`), or one entry for each element of an array (at most one such field in an index). */
export type Part<T> = Field<T> | `-${Field<T>}` | { readonly each: Field<T> };

/**
 * What a collection keeps and how it is found: declared once, for every database.
 *
 * A document that lacks a field of an index is not in that index.
 */
export interface Declaration<T> {
  /** A sentence for operators: what is kept. */
  readonly describe: string;
  /** Fields that name a document; text or integers, which never change. They follow the fields of every list, so that its order is total. */
  readonly key: readonly Field<T>[];
  /** No two documents share these values. Each begins with the shard field. With `each`: no two documents share an element. */
  readonly unique?: Readonly<Record<string, readonly Part<T>[]>>;
  /** Orders to read in. Falling fields are last. */
  readonly lists?: Readonly<Record<string, readonly Part<T>[]>>;
  /** Documents that wait for an instant, in the order of `due`, epoch milliseconds; of each `group` by itself if there is one. */
  readonly queues?: Readonly<Record<string, { readonly group?: Field<T>; readonly due: Field<T> }>>;
  /** Large fields: read only when asked for, written only when they change. Text, objects or arrays; optional in the schema. In an index only with `each`. */
  readonly heavy?: readonly Field<T>[];
  /** True when writes of this collection carry messages. */
  readonly hasMessages?: boolean;
  /** True when few documents are read far more often than they change: where one process has the database, pages of them stay in memory. */
  readonly isMostlyRead?: boolean;
  /** The field that holds the tenant, or the reason for having none. */
  readonly tenant: Field<T> | { readonly none: string };
  /** How a sharded cluster divides the documents: by a field, by the key, or not at all, with the reason. */
  readonly shard: Field<T> | 'key' | { readonly unsharded: string };
  /** What ends a document: its age, or a rule, in words for operators. */
  readonly ends: readonly Expiry[] | string;
  /** What its tenant receives of it, or the reason for nothing. Default: {@link TenantCopy} without options. */
  readonly copy?: TenantCopy<T> | string;
}

/** A field of an index. */
export interface IndexField {
  readonly field: string;
  readonly falls: boolean;
  /** One entry for each element. */
  readonly isEach: boolean;
  /** True when documents may lack it. */
  readonly isOptional: boolean;
}

/** A declared index. */
export interface Index<T extends object = object> {
  readonly collection: Collection<T>;
  readonly name: string;
  readonly kind: 'unique' | 'list' | 'queue';
  /** In order; behind the declared ones those of the key that are not among them, in the direction of the last. */
  readonly fields: readonly IndexField[];
  /** How many of {@link fields} were declared. */
  readonly declared: number;
}

/** A declared collection. */
export interface Collection<T extends object = object, Names extends string = string> {
  readonly name: string;
  readonly describe: string;
  readonly schema: TObject;
  readonly key: readonly string[];
  readonly heavy: readonly string[];
  readonly hasMessages: boolean;
  readonly isMostlyRead: boolean;
  readonly tenant: string | { readonly none: string };
  readonly shard: string | { readonly unsharded: string };
  readonly ends: readonly Expiry[] | string;
  readonly copy: TenantCopy<T> | string;
  /** The index to read all documents of a tenant by; undefined without one. */
  readonly owned: Index<T> | undefined;
  readonly indexes: readonly Index<T>[];
  /** Fields of the key and of indexes. */
  readonly indexed: readonly string[];
  /** Arrays whose elements belong to one document. */
  readonly uniqueArrays: readonly string[];
  readonly by: Readonly<Record<Names, Index<T>>>;
  readonly required: readonly string[];
  /** Of whole documents. */
  readonly validator: Validator<unknown>;
  /** Of some fields of a document. */
  readonly changes: Validator<unknown>;
  /** Never set: carries the type of the documents. */
  readonly document?: T;
}

/** The values of a key, in the order of the declaration. */
export type Key = readonly Value[];

type Indexes<T> = Pick<Declaration<T>, 'unique' | 'lists' | 'queues'>;
type NamesOf<D> = {
  [K in keyof Indexes<never>]-?: D extends { readonly [P in K]: Readonly<Record<infer N, unknown>> } ? Extract<N, string> : never;
}[keyof Indexes<never>];

/** A document whose fields are not known here. */
type AnyDocument = Readonly<Record<string, unknown>>;

/** Names that the databases use beside those of a document. */
const RESERVED = ['_id', '_v', '_w', 'n', 'v', 'outbox', 'outbox_due', 'outbox_since', 'outbox_lease'];

/**
 * Declares a collection. Its indexes are found by name: `parcels.by.newest`.
 * @param name of the collection, unique in its service; lower case with underscores
 * @throws Error when the declaration contradicts itself
 */
export function collection<S extends TObject, const D extends Declaration<Static<S>>>(
  name: string,
  schema: S,
  declaration: D,
): Collection<Static<S>, NamesOf<D>> {
  const {
    describe,
    key,
    heavy = [],
    hasMessages = false,
    isMostlyRead = false,
    tenant,
    shard,
    ends,
    copy = {},
    unique = {},
    lists = {},
    queues = {},
  } = declaration as Declaration<AnyDocument>;
  const { required: listed = [], additionalProperties } = schema as {
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  const required = new Set(listed);
  const refuse = (why: string): never => {
    throw new Error(`The declaration of ${name} is wrong: ${why}`);
  };
  for (const field of RESERVED) if (field in schema.properties) refuse(`the store itself has a field ${field}`);
  if (additionalProperties !== false) refuse('its schema must not allow additional properties');
  for (const field of key) if (!required.has(field)) refuse(`the key field ${field} is optional`);
  for (const field of heavy) if (required.has(field)) refuse(`the heavy field ${field} is required`);

  const made = {
    name,
    describe,
    schema,
    key,
    heavy,
    hasMessages,
    isMostlyRead,
    tenant,
    shard,
    ends,
    copy,
    required: listed,
    validator: compileValidator(schema),
    changes: compileValidator({ ...schema, required: [] } as TObject),
  } as unknown as Collection;
  const indexOf = indexesOf(made, required, refuse);
  const indexes = [
    ...Object.entries(unique).map(([index, parts]) => indexOf('unique', index, parts)),
    ...Object.entries(lists).map(([index, parts]) => indexOf('list', index, parts)),
    ...Object.entries(queues).map(([index, { group, due }]) => indexOf('queue', index, group === undefined ? [due] : [group, due])),
  ];
  const lost = (typeof ends === 'string' ? [] : ends).find(
    ({ by, within = [] }) =>
      !indexes.some(({ kind, name: index, declared }) => kind === 'list' && index === by && declared > within.length),
  );
  if (lost !== undefined) refuse(`it ends by ${lost.by}, which is no such list`);
  const indexed = [...new Set([...key, ...indexes.flatMap(({ fields }) => fields.map(({ field }) => field))])];
  if (indexed.includes('body')) refuse('a field with the name body cannot be indexed');
  const uniqueArrays = indexes.flatMap(({ kind, fields }) => (kind === 'unique' ? fields.filter(({ isEach }) => isEach) : []));
  const ofTenant = indexes.filter((index) => isOfTenant(index, tenant));
  return Object.assign(made, {
    indexes,
    owned: ofTenant.find(({ kind }) => kind === 'list') ?? ofTenant[0],
    indexed,
    uniqueArrays: uniqueArrays.map(({ field }) => field),
    by: Object.fromEntries(indexes.map((index) => [index.name, index])),
  }) as never;
}

/** Makes the indexes of a collection. @param refuse throws */
function indexesOf(made: Collection, required: ReadonlySet<string>, refuse: (why: string) => never) {
  const { schema, heavy, key, shard } = made;
  return (kind: Index['kind'], index: string, parts: readonly Part<AnyDocument>[]): Index => {
    const fields = parts.map((part): IndexField => {
      const isEach = typeof part === 'object';
      const falls = typeof part === 'string' && part.startsWith('-');
      const field = isEach ? part.each : falls ? part.slice(1) : part;
      if (!(field in schema.properties)) refuse(`${index} names ${field}, which is no field`);
      if (heavy.includes(field) && !isEach) refuse(`${index} names the heavy field ${field}`);
      return { field, falls, isEach, isOptional: !required.has(field) };
    });
    // Each shard checks uniqueness by itself.
    if (kind === 'unique' && typeof shard === 'string' && fields[0]?.field !== shard)
      refuse(`${index} is unique and does not begin with the shard field`);
    const falls = fields.at(-1)?.falls ?? false;
    const firstFalling = fields.findIndex((one) => one.falls);
    if (firstFalling >= 0 && !fields.slice(firstFalling).every((one) => one.falls)) refuse(`falling fields of ${index} must be last`);
    if (fields.filter(({ isEach }) => isEach).length > 1) refuse(`${index} has two arrays`);
    const named = new Set(fields.map(({ field }) => field));
    const rest = key.filter((field) => !named.has(field)).map((field) => ({ field, falls, isEach: false, isOptional: false }));
    // Behind the fields of a unique index there is one document at most.
    return { collection: made, name: index, kind, fields: kind === 'unique' ? fields : [...fields, ...rest], declared: fields.length };
  };
}

/** True for an order that begins with the tenant and lacks no document of it. */
function isOfTenant({ kind, fields: [first, ...rest] }: Index, tenant: Collection['tenant']): boolean {
  return kind !== 'queue' && first?.field === tenant && !rest.some(({ isOptional, isEach }) => isOptional || isEach);
}

/** The key of a document. */
export function keyOf({ key }: Collection, value: object): Key {
  return key.map((field) => (value as AnyDocument)[field] as Value);
}

/** A key as one text, from which it can be read. Its parts are separated by spaces; their own spaces are escaped. */
export function nameOfKey(key: Key): string {
  return key
    .map((part) => (typeof part === 'number' ? `#${part}` : part.replaceAll('%', '%25').replaceAll(' ', '%20').replace(/^#/, '%23')))
    .join(' ');
}

/** The entries that a document has in an index: none, one, or one for each element. */
export function entriesOf({ fields }: Index, value: object): readonly (readonly Value[])[] {
  let entries: readonly (readonly Value[])[] = [[]];
  for (const { field, isEach } of fields) {
    const found = (value as AnyDocument)[field];
    const values = isEach ? [...new Set((found ?? []) as readonly Value[])] : found === undefined || found === null ? [] : [found as Value];
    entries = entries.flatMap((entry) => values.map((one) => [...entry, one]));
  }
  return entries;
}

const BEYOND = /[\uD800-\uFFFF]/;

/** Orders two values as the stores do: numbers before text, text by its UTF-8 bytes. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  // Only behind these do the bytes of UTF-8 order otherwise than the units of UTF-16.
  if (!BEYOND.test(a) && !BEYOND.test(b)) return a < b ? -1 : Number(a > b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
