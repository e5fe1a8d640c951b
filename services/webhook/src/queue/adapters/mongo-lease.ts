import type { mongo } from 'mongoose';
import type { DeliveryDocument } from '../../intake/adapters/mongo-delivery-documents.ts';
import { deliveryKey } from '../../intake/adapters/mongo-delivery-documents.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { LEASE_MS } from '../domain/lease.ts';

/** No lease that looks longer is believed. Room for clocks that differ by as much as a lease lasts. */
export const MAX_LEASE_MS = 2 * LEASE_MS;

/** Leases that are ended in one batch. */
const BATCH = 1000;

/** Ends a lease: the delivery has kept the time that it was due at, and is due at that time again. */
export const ENDED: mongo.BSON.Document[] = [{ $set: { available_at: '$next_attempt_at' } }, { $unset: ['lease_owner', 'lease_call'] }];

/** How often leases in doubt are ended: a write may happen long after its caller has stopped waiting. */
const END_EVERY_MS = 500;

/** Leases that this process may have without knowing, because a response of the store was lost. Without this they would hold their deliveries to the end. */
export class DoubtedLeases {
  /** What ends them and says whether that is settled, with the end of the leases, epoch milliseconds. */
  readonly #doubts = new Map<() => Promise<boolean>, number>();
  #endedAt = Number.NEGATIVE_INFINITY;

  add(end: () => Promise<boolean>, leaseUntil: number): void {
    this.#doubts.set(end, leaseUntil);
    this.#endedAt = Number.NEGATIVE_INFINITY;
  }

  /** Ends them: the deliveries are due as before. @param now epoch milliseconds */
  async end(now: number): Promise<void> {
    if (this.#doubts.size === 0 || Math.abs(now - this.#endedAt) < END_EVERY_MS) return;
    this.#endedAt = now;
    for (const [end, leaseUntil] of this.#doubts) if (leaseUntil <= now || (await end())) this.#doubts.delete(end);
  }
}

export function keyOfLeased({ delivery }: LeasedDelivery): string {
  return deliveryKey(delivery.tenantId, delivery.eventId, delivery.endpointId);
}

/** Makes a delivery that is not stored yet one without a lease. @param until it cannot be leased before, epoch milliseconds; default: it can at once */
export function released(until = 0): (document: DeliveryDocument) => DeliveryDocument {
  return ({ lease_owner: _owner, lease_call: _call, ...document }) => ({
    ...document,
    available_at: Math.max(document.next_attempt_at ?? 0, until),
  });
}

/**
 * Gives a lease back, if it is still held.
 * @param owner name of this process in the leases
 * @param until it cannot be leased before, epoch milliseconds; default: it can be leased at once
 */
export function releaseWrite(leased: LeasedDelivery, owner: string, until?: number): mongo.AnyBulkWriteOperation<DeliveryDocument> {
  const postponed = [{ $set: { available_at: { $max: ['$next_attempt_at', until] } } }, { $unset: ['lease_owner', 'lease_call'] }];
  const update = until === undefined ? ENDED : postponed;
  const filter = { _id: keyOfLeased(leased), tenant_id: leased.delivery.tenantId, available_at: leased.leaseUntil, lease_owner: owner };
  return { updateOne: { filter, update, hint: { _id: 1 } } };
}

/**
 * Ends leases that last longer than any is asked for: they are of a process whose clock was ahead, and would hold their
 * deliveries until then, long after it has died. A retry is as far away, and no lease.
 */
export async function endOverlong(deliveries: mongo.Collection<DeliveryDocument>, now: number): Promise<void> {
  const overlong = { lease_owner: { $exists: true }, available_at: { $gt: now + MAX_LEASE_MS } };
  // Looked for first: mostly there is none, and a write has to be confirmed even if it changes nothing.
  const found = await deliveries.find(overlong, { projection: { _id: 1 }, limit: BATCH, batchSize: BATCH }).toArray();
  if (found.length > 0) await deliveries.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...overlong }, ENDED);
}
