import { DISABLED_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import { afterAttempts, type HealthReport } from '../../endpoints/domain/disabling.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { Delivery, DeliveryStatus, LeasedDelivery, LoggedAttempt, NextReason } from '../../intake/domain/delivery.ts';

/** True when a failure says something of the endpoint: a tenant tries things out with test events, and may not know of `endpoint.disabled`. */
export function countsForHealth({ test, eventType }: Delivery): boolean {
  return !test && eventType !== DISABLED_EVENT_TYPE;
}

/** An endpoint after results of attempts at it; the same object when nothing changes. */
export function endpointAfter(endpoint: Endpoint, results: readonly AttemptResult[], now: number): Endpoint {
  // A receiver that the endpoint has left, perhaps through another process, says nothing of the one that it has now.
  const present = results.filter(({ leased }) => leased.endpoint.url === endpoint.url);
  return afterAttempts(endpoint, healthOf(present), now);
}

/** What attempts of one endpoint say of its health. */
export function healthOf(results: readonly AttemptResult[]): HealthReport {
  const failures = results.filter(({ attempt, leased }) => attempt.outcome === 'failed' && countsForHealth(leased.delivery));
  return {
    anySucceeded: results.some(({ attempt }) => attempt.outcome === 'succeeded'),
    firstFailureAt: failures.length === 0 ? null : Math.min(...failures.map(({ attempt }) => attempt.startedAt)),
    gone: results.some(({ gone }) => gone),
    slowedUntil: slowedUntilAfter(results),
  };
}

/** The end of a pause after attempts, in their order: a success ends what began before it. */
function slowedUntilAfter(results: readonly AttemptResult[]): number | null {
  const last = results.findLast(({ attempt, slowedUntil }) => attempt.outcome === 'succeeded' || slowedUntil !== undefined);
  return last?.slowedUntil ?? null;
}

export type Attempt = LoggedAttempt & {
  /** From 1, over all runs. */
  readonly attemptNumber: number;
};

/** A finished attempt and what it means for its delivery and its endpoint. */
export interface AttemptResult {
  readonly leased: LeasedDelivery;
  readonly attempt: LoggedAttempt;
  readonly status: DeliveryStatus;
  /** Set when `status` is pending. */
  readonly nextAttemptAt: number | null;
  /** Set when `status` is pending. */
  readonly nextReason: NextReason | null;
  readonly gone: boolean;
  /** The end of a pause that it has begun and that others are to know of, epoch milliseconds; absent without one. */
  readonly slowedUntil?: number;
}

/** True for a 410 of a receiver that the endpoint no longer points to: it says nothing about the present one. */
export function isOfFormerReceiver({ gone, leased }: Pick<AttemptResult, 'gone' | 'leased'>, endpoint: Endpoint): boolean {
  return gone && leased.endpoint.url !== endpoint.url;
}

/**
 * What a result changes of the state of its delivery, besides its log:
 * - `succeed`: it has succeeded, even if its lease was lost;
 * - `settle`: it gets the result's status, while the lease is still the one that it was sent under;
 * - `release`: its lease is given back. A 410 disables the endpoint, which holds the delivery with the others of the endpoint; one of a
 *   receiver that the endpoint has left disables nothing, and the delivery is due as before.
 */
export function changeAfter({ status, gone }: Pick<AttemptResult, 'status' | 'gone'>): 'succeed' | 'settle' | 'release' {
  if (status === 'succeeded') return 'succeed';
  return gone ? 'release' : 'settle';
}

/** Groups results by endpoint id, in order. */
export function resultsByEndpoint(results: readonly AttemptResult[]): ReadonlyMap<string, readonly AttemptResult[]> {
  const groups = new Map<string, AttemptResult[]>();
  for (const result of results) {
    const { endpointId } = result.leased.endpoint;
    const group = groups.get(endpointId);
    if (group) group.push(result);
    else groups.set(endpointId, [result]);
  }
  return groups;
}
