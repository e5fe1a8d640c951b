import {
  type DisabledReason,
  type EndpointFilter,
  type EndpointPayload,
  type EndpointStatus,
  MAX_PAUSE_DAYS,
} from '@parcelway/contracts/webhook-endpoint-api';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { type Circuit, probesAllowed } from './circuit.ts';
import { isWorthKeeping } from './pace.ts';

/** A registered receiver. Instants are epoch milliseconds. */
export interface Endpoint {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly eventTypes: readonly TenantEventType[];
  readonly description: string;
  /** Which events of the subscribed types it gets; `{}` for all. */
  readonly filter: EndpointFilter;
  /** Sent with every attempt, by name as the tenant writes it. */
  readonly headers: Readonly<Record<string, string>>;
  /** The tenant's own notes. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Attempts a second, at most; null for no limit. */
  readonly rateLimit: number | null;
  /** Whether each attempt adds what the query returns. */
  readonly payload: EndpointPayload;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  /** When it was paused; null unless it is. */
  readonly pausedAt: number | null;
  /** When the platform disabled it and the tenant's other endpoints are still to be notified; null otherwise. */
  readonly disablingToPublish: number | null;
  /** Set while it fails so steadily that only single attempts are made. */
  readonly circuit: Circuit | null;
  /** Nothing is sent before: it has asked for less (./pace.ts). Null, or past, when it is not slowed down. */
  readonly slowedUntil: number | null;
  /** `whsec_…`; signs every attempt. */
  readonly secret: string;
  /** The secret before the last rotation; signs too, until `formerSecretUntil`. */
  readonly formerSecret: string | null;
  readonly formerSecretUntil: number | null;
  /** When the first attempt failed after which none has succeeded; null when all is well. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  /** Rises with every change that is more than a record of failures, whatever the clocks of those who make them say. */
  readonly updatedAt: number;
}

/** What a tenant may change of an endpoint; absent fields stay. */
export interface EndpointPatch {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly TenantEventType[] | undefined;
  readonly description?: string | undefined;
  readonly filter?: EndpointFilter | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly rateLimit?: number | null | undefined;
  readonly payload?: EndpointPayload | undefined;
  readonly status?: EndpointStatus | undefined;
}

const HOUR_MS = 3_600_000;
/** After a rotation the former secret signs too for this long, so that receivers can change over without a gap. */
export const FORMER_SECRET_MS = 24 * HOUR_MS;
/** An endpoint that has only failed for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR_MS;
/** A pause that lasts longer becomes a disabling. */
export const MAX_PAUSE_MS = MAX_PAUSE_DAYS * 24 * HOUR_MS;
/** Bytes of a secret. Standard Webhooks asks for 24 to 64. */
export const SECRET_BYTES = 32;

/** A signing secret in the notation of Standard Webhooks. @param random {@link SECRET_BYTES} random bytes */
export function secretOf(random: Uint8Array): string {
  return `whsec_${Buffer.from(random).toString('base64')}`;
}

/** The secrets that sign at an instant, the current one first. */
export function activeSecrets(endpoint: Endpoint, now: number): readonly string[] {
  const { secret, formerSecret, formerSecretUntil } = endpoint;
  return formerSecret !== null && formerSecretUntil !== null && now < formerSecretUntil ? [secret, formerSecret] : [secret];
}

/** When a change is made: of two changes the later one has the later time, though another's clock may be ahead. */
function timeOfChange(endpoint: Endpoint, now: number): number {
  return Math.max(now, endpoint.updatedAt + 1);
}

/**
 * The endpoint with a new secret; the current one becomes the former. A secret that was former before ends now.
 * @param secret one that the endpoint has already changes nothing: the rotation has been made
 * @param endFormer the current one ends now as well
 */
export function rotate(endpoint: Endpoint, secret: string, endFormer: boolean, now: number): Endpoint {
  if (secret === endpoint.secret || secret === endpoint.formerSecret) return endpoint;
  return {
    ...endpoint,
    secret,
    formerSecret: endFormer ? null : endpoint.secret,
    formerSecretUntil: endFormer ? null : now + FORMER_SECRET_MS,
    updatedAt: timeOfChange(endpoint, now),
  };
}

/**
 * The endpoint disabled by the platform for a reason, of which the tenant's other endpoints are to be notified. One that is
 * disabled already keeps its reason.
 */
export function disable(endpoint: Endpoint, reason: Exclude<DisabledReason, 'tenant'>, now: number): Endpoint {
  if (endpoint.status === 'disabled') return endpoint;
  return {
    ...endpoint,
    status: 'disabled',
    disabledReason: reason,
    pausedAt: null,
    circuit: null,
    slowedUntil: null,
    disablingToPublish: now,
    updatedAt: timeOfChange(endpoint, now),
  };
}

/** What a change of status brings with it. Enabling starts with a clean record of failures. */
function withStatus(endpoint: Endpoint, status: EndpointStatus, now: number): Endpoint {
  if (status === endpoint.status) return endpoint;
  const cleared = { ...endpoint, status, disabledReason: null, pausedAt: null, disablingToPublish: null, circuit: null, slowedUntil: null };
  if (status === 'disabled') return { ...cleared, disabledReason: 'tenant' };
  if (status === 'paused') return { ...cleared, pausedAt: now };
  return { ...cleared, failingSince: null };
}

/** The endpoint as a tenant wants it. A new URL starts with a closed circuit and no failures: nothing is known of it. */
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
    circuit: isMoved ? null : endpoint.circuit,
    slowedUntil: isMoved ? null : endpoint.slowedUntil,
    failingSince: isMoved ? null : endpoint.failingSince,
    updatedAt: timeOfChange(endpoint, now),
  };
  return patch.status === undefined ? changed : withStatus(changed, patch.status, now);
}

/** The endpoint once the event that it was disabled is stored. */
export function disablingPublished(endpoint: Endpoint): Endpoint {
  return endpoint.disablingToPublish === null ? endpoint : { ...endpoint, disablingToPublish: null };
}

/** True when a pause has lasted so long that it becomes a disabling. */
export function isPauseOver(endpoint: Endpoint, now: number): boolean {
  return endpoint.pausedAt !== null && now - endpoint.pausedAt >= MAX_PAUSE_MS;
}

/**
 * How many of `wanted` deliveries may be leased of an endpoint now: none unless it is enabled, none while its circuit is open,
 * one to probe it afterwards.
 */
export function leasable({ status, circuit }: Pick<Endpoint, 'status' | 'circuit'>, wanted: number, now: number): number {
  if (status !== 'enabled') return 0;
  return circuit === null ? wanted : Math.min(wanted, probesAllowed(circuit, now));
}

/** What keeps an endpoint from being sent to, as it has been learnt from attempts: a circuit that has opened, a pause that has begun. */
export type Restraint = Partial<Pick<Endpoint, 'circuit' | 'slowedUntil'>>;

/** What a batch of finished attempts says of an endpoint's health. */
export interface HealthReport {
  readonly anySucceeded: boolean;
  /** Start of the earliest attempt that failed and counts; null when none. */
  readonly firstFailureAt: number | null;
  /** The endpoint responded with 410. */
  readonly gone: boolean;
  /** What holds it back after the last of them; empty when nothing does. */
  readonly restraint: Restraint;
}

/** The endpoint after finished attempts; the same object when nothing changes. */
export function afterAttempts(endpoint: Endpoint, report: HealthReport, now: number): Endpoint {
  if (report.gone) return disable(endpoint, 'gone', now);
  const restrained = restrain(report.anySucceeded ? recover(endpoint) : endpoint, report.restraint, now);
  if (report.anySucceeded || report.firstFailureAt === null) return restrained;
  const failingSince = endpoint.failingSince ?? report.firstFailureAt;
  const failing = failingSince === endpoint.failingSince ? restrained : { ...restrained, failingSince };
  return now - failingSince >= FAILING_LIMIT_MS ? disable(failing, 'failing', now) : failing;
}

/** The endpoint after a success. */
function recover(endpoint: Endpoint): Endpoint {
  const { failingSince, circuit, slowedUntil } = endpoint;
  const isWell = failingSince === null && circuit === null && slowedUntil === null;
  return isWell ? endpoint : { ...endpoint, failingSince: null, circuit: null, slowedUntil: null };
}

/** The endpoint held back. Of two pauses the later one counts: another process may have been asked for it. */
function restrain(endpoint: Endpoint, { circuit, slowedUntil }: Restraint, now: number): Endpoint {
  if (endpoint.status !== 'enabled' || (circuit === undefined && slowedUntil === undefined)) return endpoint;
  const opened = circuit ? { ...endpoint, circuit } : endpoint;
  const isLonger = isWorthKeeping(slowedUntil ?? 0, opened.slowedUntil, now);
  return isLonger ? { ...opened, slowedUntil: slowedUntil ?? null } : opened;
}
