import { DISABLED_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import { afterAttempts, type HealthReport } from '../../endpoints/domain/disabling.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { Delivery } from '../../intake/domain/delivery.ts';
import type { AttemptResult } from './attempt.ts';

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
