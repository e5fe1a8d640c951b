import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { DeliveryStatus, LeasedDelivery, LoggedAttempt, NextReason } from '../../intake/domain/delivery.ts';

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
