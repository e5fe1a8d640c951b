import type { AuditOutcome } from '@parcelway/contracts/audited-routes';
import type { SessionKind } from '@parcelway/contracts/key-api';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';

/** An entry of the audit log; `_id` is the entry. */
export interface AuditDocument {
  readonly _id: string;
  /** Null for what concerns no single tenant. */
  readonly tenant_id: string | null;
  readonly at: number;
  readonly action: string;
  readonly actor_type: 'key' | 'operator';
  readonly actor_id: string;
  readonly address: string | null;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly outcome: AuditOutcome;
  readonly request_id: string;
  /** Missing unless a session acted for the key. */
  readonly session?: SessionKind;
}

/** A failed call; `_id` is the call. */
export interface FailedCallDocument {
  readonly _id: string;
  readonly tenant_id: string;
  readonly at: number;
  readonly request_id: string;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  /** JSON. */
  readonly data: string | null;
  readonly key_id: string;
  readonly duration_ms: number;
}

const text = { type: String, required: true };
const whole = { type: Number, required: true };
const optional = { type: String, default: null };

const auditSchema = new Schema({
  _id: text,
  tenant_id: optional,
  at: whole,
  action: text,
  actor_type: text,
  actor_id: text,
  address: optional,
  resource_type: text,
  resource_id: optional,
  outcome: text,
  request_id: text,
  session: String,
});
auditSchema.index({ tenant_id: 1, at: -1, _id: -1 }, { name: 'by_tenant' });
// The operator's list, and the platform's own sweep.
auditSchema.index({ at: -1, _id: -1 }, { name: 'by_age' });

/** The audit log. */
export const auditEntries = defineCollection<AuditDocument>('audit_entries', auditSchema, { sharding: byTenant });

const callSchema = new Schema({
  _id: text,
  tenant_id: text,
  at: whole,
  request_id: text,
  method: text,
  route: optional,
  path: text,
  status: whole,
  code: optional,
  message: optional,
  data: optional,
  key_id: text,
  duration_ms: whole,
});
callSchema.index({ tenant_id: 1, at: -1, _id: -1 }, { name: 'by_tenant' });
callSchema.index({ tenant_id: 1, request_id: 1, at: -1, _id: -1 }, { name: 'by_request' });
// Over all tenants: the sweep is the platform's own work.
callSchema.index({ at: 1 }, { name: 'by_age' });

/** Failed calls. */
export const failedCalls = defineCollection<FailedCallDocument>('failed_calls', callSchema, { sharding: byTenant });
