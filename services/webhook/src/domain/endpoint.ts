import type { TenantEventType } from '@parcelway/contracts/webhook-api';

/** Why an endpoint is disabled: by the tenant, by an answer of 410, or after days of nothing but failure. */
export type DisabledReason = 'tenant' | 'gone' | 'failing';

/** A registered receiver. Instants are epoch milliseconds. */
export interface Endpoint {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly eventTypes: readonly TenantEventType[];
  readonly description: string;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
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
  readonly status?: 'enabled' | 'disabled' | undefined;
}

const HOUR_MS = 3_600_000;
/** After a rotation the former secret signs too for this long, so that receivers can change over without a gap. */
export const FORMER_SECRET_MS = 24 * HOUR_MS;
/** An endpoint that has only failed for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR_MS;
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

/** The endpoint with a new secret; the current one becomes the former. A secret that was former before ends now. */
export function rotate(endpoint: Endpoint, secret: string, now: number): Endpoint {
  return {
    ...endpoint,
    secret,
    formerSecret: endpoint.secret,
    formerSecretUntil: now + FORMER_SECRET_MS,
    updatedAt: timeOfChange(endpoint, now),
  };
}

/** The endpoint disabled for a reason. One that is disabled already keeps its reason. */
export function disable(endpoint: Endpoint, reason: DisabledReason, now: number): Endpoint {
  if (endpoint.status === 'disabled') return endpoint;
  return { ...endpoint, status: 'disabled', disabledReason: reason, updatedAt: timeOfChange(endpoint, now) };
}

/** The endpoint as a tenant wants it. Enabling starts with a clean record of failures. */
export function change(endpoint: Endpoint, patch: EndpointPatch, now: number): Endpoint {
  const changed: Endpoint = {
    ...endpoint,
    url: patch.url ?? endpoint.url,
    eventTypes: patch.eventTypes ?? endpoint.eventTypes,
    description: patch.description ?? endpoint.description,
    updatedAt: timeOfChange(endpoint, now),
  };
  if (patch.status === undefined || patch.status === endpoint.status) return changed;
  if (patch.status === 'disabled') return { ...changed, status: 'disabled', disabledReason: 'tenant' };
  return { ...changed, status: 'enabled', disabledReason: null, failingSince: null };
}

/** What a batch of finished attempts says of an endpoint's health. */
export interface HealthReport {
  readonly anySucceeded: boolean;
  /** Start of the earliest attempt that failed and counts; null when none. */
  readonly firstFailureAt: number | null;
  /** The endpoint answered 410. */
  readonly gone: boolean;
}

/** The endpoint after finished attempts; the same object when nothing changes. */
export function afterAttempts(endpoint: Endpoint, report: HealthReport, now: number): Endpoint {
  if (report.gone) return disable(endpoint, 'gone', now);
  if (report.anySucceeded) return endpoint.failingSince === null ? endpoint : { ...endpoint, failingSince: null };
  if (report.firstFailureAt === null) return endpoint;
  const failingSince = endpoint.failingSince ?? report.firstFailureAt;
  const failing = failingSince === endpoint.failingSince ? endpoint : { ...endpoint, failingSince };
  return now - failingSince >= FAILING_LIMIT_MS ? disable(failing, 'failing', now) : failing;
}
