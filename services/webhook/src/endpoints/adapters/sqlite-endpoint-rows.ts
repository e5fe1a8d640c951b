import type { DisabledReason, EndpointPayload } from '@parcelway/contracts/webhook-endpoint-api';
import type { Circuit } from '../domain/circuit.ts';
import type { Endpoint } from '../domain/endpoint.ts';

/** A row of `endpoints`. Lists and objects are JSON. */
export interface EndpointRow {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: string;
  readonly description: string;
  readonly status: Endpoint['status'];
  readonly disabled_reason: DisabledReason | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted: number;
  readonly filter: string;
  readonly headers: string;
  readonly metadata: string;
  readonly rate_limit: number | null;
  readonly payload: EndpointPayload;
  readonly paused_at: number | null;
  readonly disabling_to_publish: number | null;
  readonly circuit: string | null;
  readonly slowed_until: number | null;
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as Endpoint['eventTypes'],
    description: row.description,
    filter: JSON.parse(row.filter) as Endpoint['filter'],
    headers: JSON.parse(row.headers) as Endpoint['headers'],
    metadata: JSON.parse(row.metadata) as Endpoint['metadata'],
    rateLimit: row.rate_limit,
    payload: row.payload,
    status: row.status,
    disabledReason: row.disabled_reason,
    pausedAt: row.paused_at,
    disablingToPublish: row.disabling_to_publish,
    circuit: row.circuit === null ? null : (JSON.parse(row.circuit) as Circuit),
    slowedUntil: row.slowed_until,
    secret: row.secret,
    formerSecret: row.former_secret,
    formerSecretUntil: row.former_secret_until,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
