import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { Schema } from 'mongoose';

/** A connection. */
export interface ConnectionDocument {
  readonly _id: string;
  /** Empty for the operator. */
  readonly owner: string;
  /** Place among the connections of the owner: two inserts at the same time do not exceed the limit. */
  readonly slot: number;
  readonly source: string;
  readonly base_url: string | null;
  readonly carriers: readonly string[];
  /** In the place of the vendor's own; absent for those. */
  readonly limits?: ConnectionLimits;
  readonly sealed_credentials: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** What a connection has called. */
export interface CallLedgerDocument {
  readonly _id: string;
  readonly day: number;
  readonly used: number;
  readonly next_call_at: number;
  readonly blocked_until: number;
  readonly last_push_at: number;
  readonly revision: number;
}

const name = { type: String, required: true };
const whole = { type: Number, required: true };

const limitsSchema = new Schema({ requests_per_second: Number, calls_per_day: Number, fetches_per_parcel_per_day: Number }, { _id: false });

const connectionSchema = new Schema({
  _id: name,
  owner: { type: String },
  slot: whole,
  source: name,
  base_url: { type: String, default: null },
  carriers: { type: [String], required: true },
  limits: limitsSchema,
  sealed_credentials: name,
  created_at: whole,
  updated_at: whole,
});
/** Index of the places of an owner. */
export const SLOT_INDEX = 'by_owner';
connectionSchema.index({ owner: 1, slot: 1 }, { name: SLOT_INDEX, unique: true });

const ledgerSchema = new Schema({
  _id: name,
  day: whole,
  used: whole,
  next_call_at: whole,
  blocked_until: whole,
  last_push_at: whole,
  revision: whole,
});

export const connections = defineCollection<ConnectionDocument>('connections', connectionSchema, {
  sharding: { unsharded: 'a few small documents for each tenant; a push names a connection and no tenant' },
});
export const callLedgers = defineCollection<CallLedgerDocument>('call_ledgers', ledgerSchema, {
  sharding: { unsharded: 'one small document for each connection' },
});

/** Everything that connections keep in MongoDB. */
export const connectionCollections: readonly MongoCollection<unknown>[] = [connections, callLedgers];
