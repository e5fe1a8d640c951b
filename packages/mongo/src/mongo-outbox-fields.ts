import { Schema, type SchemaDefinition } from 'mongoose';
import { uuidv7 } from 'uuidv7';

/** A message to be published once the write that carries it has been acknowledged. */
export interface OutboxEntry {
  readonly topic: string;
  /** Messages of one key stay in order when one document carries them all. */
  readonly key: string;
  readonly value: string;
}

/** An entry as it lies in its document. */
export interface StoredEntry extends OutboxEntry {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A lease of one or more documents, which no other has the name of. */
export interface Lease {
  readonly token: string;
  /** Its end, epoch milliseconds. */
  readonly until: number;
}

/** The fields that a document with an outbox has. Absent when nothing waits. */
export interface OutboxFields {
  readonly outbox?: readonly StoredEntry[];
  /** From when on the entries may be leased, epoch milliseconds; in the future while another holds them. */
  readonly outbox_due?: number;
  /** Time of the oldest entry, epoch milliseconds. */
  readonly outbox_since?: number;
  /** Names the lease by which a process holds them. */
  readonly outbox_lease?: string;
}

/** Schema of {@link OutboxFields}; spread it into the aggregate's. Only this package makes entries, and a cast costs more than their write. */
export const outboxFields = {
  outbox: { type: [Schema.Types.Mixed], default: undefined },
  outbox_due: Number,
  outbox_since: Number,
  outbox_lease: String,
} satisfies SchemaDefinition;

/** Name of the index by which the relay finds what waits, over all tenants: it is the platform's own work. */
export const OUTBOX_INDEX = 'outbox_due';

/** Adds the relay's index to the schema of an aggregate with an outbox. */
export function indexOutbox(schema: Schema): void {
  schema.index({ outbox_due: 1, outbox_since: 1 }, { name: OUTBOX_INDEX, partialFilterExpression: { outbox_due: { $exists: true } } });
}

/** Messages as they lie in a document, each with an id of its own. @param now epoch milliseconds */
export function storedEntries(messages: readonly OutboxEntry[], now: number): StoredEntry[] {
  return messages.map(({ topic, key, value }) => ({ id: uuidv7(), topic, key, value, at: now }));
}

/** The outbox of a document that is inserted with messages; spread it into the document. Empty when there are none. */
export function newOutbox(messages: readonly OutboxEntry[], now: number): OutboxFields {
  return messages.length === 0 ? {} : { outbox: storedEntries(messages, now), outbox_due: now, outbox_since: now };
}

/** What an update of a document appends. */
interface OutboxAppend {
  readonly $push?: { readonly outbox: { readonly $each: StoredEntry[] } };
  readonly $max?: { readonly outbox_due: number };
  readonly $min?: { readonly outbox_since: number };
}

/**
 * The operators that append messages in the update that changes the document; merge them into it. `$max` leaves a lease
 * as it is: who holds the document publishes these as well, behind the ones before them.
 */
function appendToOutbox(messages: readonly OutboxEntry[], now: number): OutboxAppend {
  if (messages.length === 0) return {};
  return { $push: { outbox: { $each: storedEntries(messages, now) } }, $max: { outbox_due: now }, $min: { outbox_since: now } };
}

/** An update with operators. */
export type Update = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * An update of a document that appends messages as well.
 * @throws Error when both would touch the same field by the same operator: one of them would silently win
 */
export function withOutbox(update: Update, messages: readonly OutboxEntry[], now: number): Update {
  const merged: Record<string, Readonly<Record<string, unknown>>> = { ...update };
  for (const [operator, fields] of Object.entries(appendToOutbox(messages, now))) {
    const own = merged[operator] ?? {};
    const twice = Object.keys(fields).filter((field) => field in own);
    if (twice.length > 0) throw new Error(`The update and the outbox both ${operator} ${twice.join(', ')}`);
    merged[operator] = { ...own, ...fields };
  }
  return merged;
}
