import type { DisabledReason, EndpointPayload } from '@parcelway/contracts/webhook-endpoint-api';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { Schema } from 'mongoose';
import type { Circuit } from '../domain/circuit.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { free, nullableText, nullableWhole, text, whole } from './mongo-access.ts';

/*
 * All times are epoch milliseconds. Indexes start with the tenant, or with a key that does, but for those of the
 * platform's own work over all tenants: `queue` and `leased` for the senders, `to_sweep`, `unpublished`, `paused` and the `by_age`
 * ones for the maintenance. An endpoint is found by its id alone, too, because the senders go from endpoint to endpoint. Nothing that a tenant asks
 * for is read from these.
 *
 * Secrets are stored as they are: every attempt is signed with them, so whoever can send can read them, and a key beside
 * the database would protect nothing. They leave the store only for signing and the two responses that show them.
 */

export interface EndpointDocument {
  /** `ep_…`. */
  readonly _id: string;
  readonly tenant_id: string;
  /** Its place among the tenant's endpoints, from 0; absent once it is deleted. */
  readonly slot?: number;
  readonly url: string;
  readonly event_types: readonly TenantEventType[];
  readonly description: string;
  /** JSON, as the next two: the names in it are the tenant's, and may hold what a name of a field must not. */
  readonly filter: string;
  readonly headers: string;
  readonly metadata: string;
  readonly rate_limit: number | null;
  readonly payload: EndpointPayload;
  readonly status: Endpoint['status'];
  readonly disabled_reason: DisabledReason | null;
  readonly paused_at: number | null;
  readonly disabling_to_publish: number | null;
  readonly circuit: { readonly open_until: number; readonly cooldown_ms: number } | null;
  readonly slowed_until: number | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** Counts the writes: who changes it says which state the decision was made on. */
  readonly version: number;
  /** What the maintenance has still to do with its deliveries. */
  readonly sweep?: 'hold' | 'purge';
}

/** Name of the index that gives each place of a tenant to one endpoint. */
export const SLOT_INDEX = 'by_slot';

const circuitSchema = new Schema({ open_until: whole, cooldown_ms: whole }, { _id: false });

const endpointSchema = new Schema({
  _id: text,
  tenant_id: text,
  slot: Number,
  url: text,
  event_types: { type: [String], required: true },
  description: free,
  filter: text,
  headers: text,
  metadata: text,
  rate_limit: nullableWhole,
  payload: text,
  status: text,
  disabled_reason: nullableText,
  paused_at: nullableWhole,
  disabling_to_publish: nullableWhole,
  circuit: { type: circuitSchema, default: null },
  slowed_until: nullableWhole,
  secret: free,
  former_secret: nullableText,
  former_secret_until: nullableWhole,
  failing_since: nullableWhole,
  created_at: whole,
  updated_at: whole,
  version: whole,
  sweep: String,
});
endpointSchema.index({ tenant_id: 1, slot: 1 }, { name: SLOT_INDEX, unique: true, partialFilterExpression: { slot: { $exists: true } } });
endpointSchema.index({ sweep: 1, _id: 1 }, { name: 'to_sweep', partialFilterExpression: { sweep: { $exists: true } } });
endpointSchema.index({ disabling_to_publish: 1 }, { name: 'unpublished', partialFilterExpression: { disabling_to_publish: { $gt: 0 } } });
endpointSchema.index({ paused_at: 1 }, { name: 'paused', partialFilterExpression: { paused_at: { $gt: 0 } } });

export const endpoints = defineCollection<EndpointDocument>('endpoints', endpointSchema, {
  sharding: { unsharded: 'a few documents for each tenant; the senders go from one to the next' },
});

export function circuitOf({ circuit }: Pick<EndpointDocument, 'circuit'>): Circuit | null {
  return circuit ? { openUntil: circuit.open_until, cooldownMs: circuit.cooldown_ms } : null;
}

export function endpointOf(document: EndpointDocument): Endpoint {
  return {
    tenantId: document.tenant_id,
    endpointId: document._id,
    url: document.url,
    eventTypes: document.event_types,
    description: document.description,
    filter: JSON.parse(document.filter) as Endpoint['filter'],
    headers: JSON.parse(document.headers) as Endpoint['headers'],
    metadata: JSON.parse(document.metadata) as Endpoint['metadata'],
    rateLimit: document.rate_limit,
    payload: document.payload,
    status: document.status,
    disabledReason: document.disabled_reason,
    pausedAt: document.paused_at,
    disablingToPublish: document.disabling_to_publish,
    circuit: circuitOf(document),
    slowedUntil: document.slowed_until,
    secret: document.secret,
    formerSecret: document.former_secret,
    formerSecretUntil: document.former_secret_until,
    failingSince: document.failing_since,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

/** The fields of a document that say what the endpoint is. */
export function endpointFields(endpoint: Endpoint): Omit<EndpointDocument, '_id' | 'tenant_id' | 'slot' | 'version' | 'sweep'> {
  return {
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    filter: JSON.stringify(endpoint.filter),
    headers: JSON.stringify(endpoint.headers),
    metadata: JSON.stringify(endpoint.metadata),
    rate_limit: endpoint.rateLimit,
    payload: endpoint.payload,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    paused_at: endpoint.pausedAt,
    disabling_to_publish: endpoint.disablingToPublish,
    circuit: endpoint.circuit && { open_until: endpoint.circuit.openUntil, cooldown_ms: endpoint.circuit.cooldownMs },
    slowed_until: endpoint.slowedUntil,
    secret: endpoint.secret,
    former_secret: endpoint.formerSecret,
    former_secret_until: endpoint.formerSecretUntil,
    failing_since: endpoint.failingSince,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  };
}
