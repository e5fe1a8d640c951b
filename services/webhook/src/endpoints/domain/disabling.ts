import type { DisabledReason } from '@parcelway/contracts/webhook-endpoint-api';
import { MAX_PAUSE_DAYS } from '@parcelway/contracts/webhook-endpoint-limits';
import { type Endpoint, timeOfChange } from './endpoint.ts';
import { isWorthKeeping } from './pace.ts';

/*
 * When the platform disables an endpoint. Which response counts as gone is decided in ../../dispatch/domain/settle.ts. That arrives here
 * as `gone` of a HealthReport, so this file imports nothing of dispatch.
 */

const HOUR_MS = 3_600_000;
/** An endpoint that has only failed for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR_MS;
/** A pause that lasts longer becomes a disabling. */
export const MAX_PAUSE_MS = MAX_PAUSE_DAYS * 24 * HOUR_MS;

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
    slowedUntil: null,
    disablingToPublish: now,
    updatedAt: timeOfChange(endpoint, now),
  };
}

/** The endpoint once the event that it was disabled is stored. */
export function disablingPublished(endpoint: Endpoint): Endpoint {
  return endpoint.disablingToPublish === null ? endpoint : { ...endpoint, disablingToPublish: null };
}

/** True when a pause has lasted so long that it becomes a disabling. */
export function isPauseOver(endpoint: Endpoint, now: number): boolean {
  return endpoint.pausedAt !== null && now - endpoint.pausedAt >= MAX_PAUSE_MS;
}

/** What a batch of finished attempts says of an endpoint's health. */
export interface HealthReport {
  readonly anySucceeded: boolean;
  /** Start of the earliest attempt that failed and counts; null when none. */
  readonly firstFailureAt: number | null;
  /** The endpoint responded with 410. */
  readonly gone: boolean;
  /** The end of a pause that they have begun; null for none. */
  readonly slowedUntil: number | null;
}

/** The endpoint after finished attempts; the same object when nothing changes. */
export function afterAttempts(endpoint: Endpoint, report: HealthReport, now: number): Endpoint {
  if (report.gone) return disable(endpoint, 'gone', now);
  const paused = pause(report.anySucceeded ? recover(endpoint) : endpoint, report.slowedUntil, now);
  if (report.anySucceeded || report.firstFailureAt === null) return paused;
  const failingSince = endpoint.failingSince ?? report.firstFailureAt;
  const failing = failingSince === endpoint.failingSince ? paused : { ...paused, failingSince };
  return now - failingSince >= FAILING_LIMIT_MS ? disable(failing, 'failing', now) : failing;
}

function recover(endpoint: Endpoint): Endpoint {
  const { failingSince, slowedUntil } = endpoint;
  return failingSince === null && slowedUntil === null ? endpoint : { ...endpoint, failingSince: null, slowedUntil: null };
}

/** The endpoint paused. Of two pauses the later one counts: another process may have begun it. */
function pause(endpoint: Endpoint, slowedUntil: number | null, now: number): Endpoint {
  if (endpoint.status !== 'enabled' || slowedUntil === null) return endpoint;
  return isWorthKeeping(slowedUntil, endpoint.slowedUntil, now) ? { ...endpoint, slowedUntil } : endpoint;
}
