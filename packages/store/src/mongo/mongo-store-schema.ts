import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { Schema, type SchemaDefinition, type SchemaDefinitionProperty } from 'mongoose';
import type { TObject, TSchema } from 'typebox';
import type { Collection, Index } from '../collection.ts';

/** What the store itself keeps in a document. */
export interface Envelope {
  readonly _id: string;
  readonly _v: number;
  /** Tokens of the last writes of several documents. */
  readonly _w?: readonly string[];
}

/** A document as MongoDB has it. */
export type StoredDocument = Envelope & OutboxFields & Readonly<Record<string, unknown>>;

/** Tokens kept: so many writes may follow one before somebody asks whether it was made. */
export const TOKENS_KEPT = 4;

const declared = new WeakMap<Collection, MongoCollection<StoredDocument>>();

/** The collection of MongoDB that a declaration asks for: a schema with every field, and every index by name. */
export function mongoCollection(collection: Collection): MongoCollection<StoredDocument> {
  const known = declared.get(collection);
  if (known !== undefined) return known;
  const made = declare(collection);
  declared.set(collection, made);
  return made;
}

function declare(collection: Collection): MongoCollection<StoredDocument> {
  const { hasMessages, shard } = collection;
  const fields = {
    ...fieldsOf(collection.schema),
    _id: { type: String, required: true },
    _v: { type: Number, required: true },
    _w: { type: [String], default: undefined },
    ...(hasMessages && outboxFields),
  };
  // Documents are plain objects: no field of theirs meets a method of mongoose.
  const schema = new Schema(fields, { suppressReservedKeysWarning: true });
  for (const index of collection.indexes) {
    const present = index.fields.filter(({ isOptional }) => isOptional).map(({ field }) => [field, { $exists: true }]);
    schema.index(Object.fromEntries(index.fields.map(({ field, falls }) => [field, falls ? -1 : 1])), {
      name: index.name,
      ...(index.kind === 'unique' && { unique: true }),
      ...(present.length > 0 && { partialFilterExpression: Object.fromEntries(present) }),
    });
  }
  if (hasMessages) indexOutbox(schema);
  const sharding = typeof shard === 'object' ? shard : { key: shard === 'key' ? ({ _id: 'hashed' } as const) : ({ [shard]: 1 } as const) };
  return defineCollection<StoredDocument>(collection.name, schema, { sharding });
}

function fieldsOf(schema: TObject): SchemaDefinition {
  const { properties } = schema as unknown as { readonly properties: Readonly<Record<string, TSchema>> };
  return Object.fromEntries(Object.entries(properties).map(([field, one]) => [field, fieldOf(one)]));
}

interface Described {
  readonly type?: string;
  readonly properties?: object;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: unknown;
}

const SCALARS: Readonly<Record<string, unknown>> = { string: String, number: Number, integer: Number, boolean: Boolean };

/** A field as mongoose declares it. Nothing is filled in: what a document lacks, it lacks in the database. */
function fieldOf(schema: TSchema): SchemaDefinitionProperty {
  const { type = '', properties, items, anyOf, additionalProperties } = schema as unknown as Described;
  const others = anyOf?.filter((one) => (one as unknown as Described).type !== 'null') ?? [];
  if (others.length === 1) return fieldOf(others[0] as TSchema);
  if (others.length > 1) {
    const types = new Set(others.map((one) => (one as unknown as Described).type));
    const [only] = types;
    return { type: (types.size === 1 && SCALARS[only ?? '']) || Schema.Types.Mixed } as SchemaDefinitionProperty;
  }
  if (SCALARS[type] !== undefined) return { type: SCALARS[type] } as SchemaDefinitionProperty;
  if (type === 'array' && items !== undefined) return { type: [fieldOf(items)], default: undefined } as SchemaDefinitionProperty;
  if (type === 'object' && properties !== undefined && additionalProperties === false)
    return {
      type: new Schema(fieldsOf(schema as unknown as TObject), { _id: false, strict: 'throw', minimize: false }),
      default: undefined,
    } as SchemaDefinitionProperty;
  // Its names are anybody's, and MongoDB does not take all of them.
  if (type === 'object') return { type: String } as SchemaDefinitionProperty;
  return { type: Schema.Types.Mixed } as SchemaDefinitionProperty;
}

const opaque = new WeakMap<Collection, readonly string[]>();

/** The fields that MongoDB has as JSON: objects whose names the schema does not give. */
export function opaqueFields(collection: Collection): readonly string[] {
  const known = opaque.get(collection);
  if (known !== undefined) return known;
  const { properties } = collection.schema as unknown as { readonly properties: Readonly<Record<string, Described>> };
  const fields = Object.entries(properties).flatMap(([field, { type, additionalProperties }]) =>
    type === 'object' && additionalProperties !== false ? [field] : [],
  );
  opaque.set(collection, fields);
  return fields;
}

/** What a filter says so that a partial index can serve it. */
export function presenceOf(index: Index, fixed: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const open = index.fields.filter(({ field, isOptional }) => isOptional && !fixed.has(field));
  return Object.fromEntries(open.map(({ field }) => [field, { $exists: true }]));
}
