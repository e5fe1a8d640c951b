import { nullable } from '@parcelway/contracts/text';
import type { DisabledReason, EndpointFilter, EndpointPayload, EndpointStatus } from '@parcelway/contracts/webhook-endpoint-api';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import Type, { type Static, type TObject } from 'typebox';

const instant = Type.Number();
const texts = Type.Unsafe<Readonly<Record<string, string>>>(Type.Record(Type.String(), Type.String()));

/** The fields of an {@link Endpoint} that are stored as they are. */
export const endpointFields = {
  tenantId: Type.String(),
  endpointId: Type.String(),
  url: Type.String(),
  eventTypes: Type.Unsafe<readonly TenantEventType[]>(Type.Array(Type.String())),
  description: Type.String(),
  /** Which events of the subscribed types it gets; `{}` for all. */
  filter: Type.Unsafe<EndpointFilter>(Type.Record(Type.String(), Type.Unknown())),
  /** Sent with every attempt, by name as the tenant writes it. */
  headers: texts,
  /** The tenant's own notes. */
  metadata: texts,
  /** Attempts a second, at most; null for no limit. */
  rateLimit: nullable(Type.Integer()),
  /** Whether each attempt adds what the query returns. */
  payload: Type.Unsafe<EndpointPayload>(Type.String()),
  status: Type.Unsafe<EndpointStatus>(Type.String()),
  disabledReason: nullable(Type.Unsafe<DisabledReason>(Type.String())),
  /** Nothing is sent before: it has asked for less (./pace.ts). Null, or past, when it is not slowed down. */
  slowedUntil: nullable(instant),
  /** `whsec_…`; signs every attempt. */
  secret: Type.String(),
  /** The secret before the last rotation; signs too, until `formerSecretUntil`. */
  formerSecret: nullable(Type.String()),
  formerSecretUntil: nullable(instant),
  /** When the first attempt failed after which none has succeeded; null when all is well. */
  failingSince: nullable(instant),
  createdAt: instant,
  /** Rises with every change that is more than a record of failures, whatever the clocks of those who make them say. */
  updatedAt: instant,
};

/** A registered receiver. Instants are epoch milliseconds. */
export type Endpoint = Readonly<Static<TObject<typeof endpointFields>>> & {
  /** When it was paused; null unless it is. */
  readonly pausedAt: number | null;
  /** When the platform disabled it and the tenant's other endpoints are still to be notified; null otherwise. */
  readonly disablingToPublish: number | null;
};

type Setting = 'url' | 'eventTypes' | 'description' | 'filter' | 'headers' | 'metadata' | 'rateLimit' | 'payload' | 'status';

/** Settings that a tenant changes; absent fields stay. */
export type EndpointPatch = { readonly [K in Setting]?: Endpoint[K] | undefined };

/** 40902: an endpoint that is paused or disabled is sent nothing. */
export function notEnabled({ status }: Endpoint): AppError {
  return new AppError('40902', `The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`);
}

/** When a change is made: of two changes the later one has the later time, though another's clock may be ahead. */
export function timeOfChange(endpoint: Endpoint, now: number): number {
  return Math.max(now, endpoint.updatedAt + 1);
}

/** What a change of status brings with it. Enabling starts with a clean record of failures. */
function withStatus(endpoint: Endpoint, status: EndpointStatus, now: number): Endpoint {
  if (status === endpoint.status) return endpoint;
  const cleared = { ...endpoint, status, disabledReason: null, pausedAt: null, disablingToPublish: null, slowedUntil: null };
  if (status === 'disabled') return { ...cleared, disabledReason: 'tenant' };
  if (status === 'paused') return { ...cleared, pausedAt: now };
  return { ...cleared, failingSince: null };
}

/** The endpoint as a tenant wants it. A new URL starts without a pause and failures: nothing is known of it. */
export function change(endpoint: Endpoint, patch: EndpointPatch, now: number): Endpoint {
  const isMoved = patch.url !== undefined && patch.url !== endpoint.url;
  const changed: Endpoint = {
    ...endpoint,
    url: patch.url ?? endpoint.url,
    eventTypes: patch.eventTypes ?? endpoint.eventTypes,
    description: patch.description ?? endpoint.description,
    filter: patch.filter ?? endpoint.filter,
    headers: patch.headers ?? endpoint.headers,
    metadata: patch.metadata ?? endpoint.metadata,
    rateLimit: patch.rateLimit === undefined ? endpoint.rateLimit : patch.rateLimit,
    payload: patch.payload ?? endpoint.payload,
    slowedUntil: isMoved ? null : endpoint.slowedUntil,
    failingSince: isMoved ? null : endpoint.failingSince,
    updatedAt: timeOfChange(endpoint, now),
  };
  return patch.status === undefined ? changed : withStatus(changed, patch.status, now);
}
