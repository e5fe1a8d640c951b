import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { type DeliveryDocument, deliveries, deliveryKey, deliveryOf, newDelivery } from '../../intake/adapters/mongo-delivery-documents.ts';
import { type EventDocument, events, isTestEvent } from '../../intake/adapters/mongo-event-documents.ts';
import { insertNew } from '../../intake/adapters/mongo-insert-new.ts';
import { createDelivery } from '../../intake/domain/create-delivery.ts';
import type { Delivery } from '../../intake/domain/delivery.ts';
import { misplaced } from '../../intake/domain/event-place.ts';
import { isChosen } from '../domain/replay.ts';
import type { Redelivery } from '../ports.ts';

type EventRow = Pick<EventDocument, 'event_id' | 'type' | 'po_number' | 'occurred_at' | 'body' | 'fed_at'>;
type Range = Parameters<Redelivery['replay']>[1];
type State = Pick<DeliveryDocument, '_id' | 'status'>;

const EVENT_ROW = { _id: 0, event_id: 1, type: 1, po_number: 1, occurred_at: 1, body: 1, fed_at: 1 } as const;

/** A delivery that is not being sent or about to be; making such a one due once more would only send it twice. */
function notUnderWay(now: number) {
  const isFree = { next_attempt_at: { $gt: now }, lease_owner: { $exists: false } };
  return { $or: [{ status: { $ne: 'pending' as const } }, isFree] };
}

/** Starts a new run of the schedule. */
function restart(now: number) {
  const set = { status: 'pending', step: 0, next_attempt_at: now, next_reason: 'first', available_at: now } as const;
  return { $set: set, $unset: { lease_owner: '', lease_call: '' } } as const;
}

/** Restarts a delivery, unless it is under way or its state has changed. */
function restartOf(now: number): (state: State) => mongo.AnyBulkWriteOperation<DeliveryDocument> {
  return ({ _id, status }) => ({ updateOne: { filter: { _id, status, ...notUnderWay(now) }, update: restart(now) } });
}

/** Says whether a replay is to make an event due, in flight or not. @param state of its delivery; undefined when it has none */
function isWanted(row: EventRow, state: State | undefined, range: Range): boolean {
  return !isTestEvent(row) && isChosen(row, state?.status, range);
}

/** A place in a replay: the instant and the id of the event that was looked at last. */
const PLACE = /^(\d{1,15})\/([\x21-\x7e]{1,100})$/;

function placeOf(text: string): { readonly occurredAt: number; readonly eventId: string } {
  const [, occurredAt, eventId = ''] = PLACE.exec(text) ?? [];
  if (occurredAt === undefined) throw misplaced('cursor');
  return { occurredAt: Number(occurredAt), eventId };
}

/** A delivery of an event that happened before the endpoint was there or subscribed to it. */
function missingDelivery({ tenantId, endpointId }: Endpoint, event: EventRow, deliveryId: string, now: number): Delivery {
  const { event_id: eventId, type, po_number: poNumber } = event;
  return createDelivery(
    { tenantId, eventId, type, poNumber, test: false },
    endpointId,
    { deliveryId, status: 'pending', nextAttemptAt: now },
    now,
  );
}

/**
 * Sends again what was taken before, in MongoDB.
 *
 * Crashes and races: each delivery is made due by a write that fits only while it is not under way, so two calls at once
 * make it due once. A replay that ends half-way has made due what it has; the same call again goes on with the rest.
 * What became due while its endpoint was being disabled is held by whoever leases it.
 */
export function createMongoRedelivery(db: MongoDatabase): Redelivery {
  const stored = { events: collectionOf(db, events), deliveries: collectionOf(db, deliveries) };

  /** @returns the events of a range that are looked at, and those that have a delivery at the endpoint */
  async function look({ tenantId, endpointId }: Endpoint, { since, until, after, limit }: Range) {
    const last = after === null ? undefined : placeOf(after);
    const from = last ? { $or: [{ occurred_at: { $gt: last.occurredAt } }, { event_id: { $gt: last.eventId } }] } : {};
    const inRange = { tenant_id: tenantId, occurred_at: { $gte: Math.max(since, last?.occurredAt ?? since), $lt: until }, ...from };
    const order = { projection: EVENT_ROW, sort: { occurred_at: 1, event_id: 1 }, limit, ...AT_ONCE } as const;
    const rows = await stored.events.find<EventRow>(inRange, order).toArray();
    const ids = rows.map(({ event_id }) => deliveryKey(tenantId, event_id, endpointId));
    const found = await stored.deliveries.find<State>({ _id: { $in: ids } }, { projection: { status: 1 }, ...AT_ONCE }).toArray();
    return { rows, states: new Map(found.map((state) => [state._id, state])) };
  }

  return {
    resend: (tenantId, endpointId, deliveryId, now) =>
      db.run(async () => {
        const one = { tenant_id: tenantId, endpoint_id: endpointId, delivery_id: deliveryId };
        const projection = { attempts: 0 };
        const restarted = await stored.deliveries.findOneAndUpdate({ ...one, ...notUnderWay(now) }, restart(now), {
          projection,
          returnDocument: 'after',
        });
        const delivery = restarted ?? (await stored.deliveries.findOne(one, { projection }));
        return delivery ? deliveryOf(delivery) : undefined;
      }),
    replay: (endpoint, range, now, newDeliveryId) =>
      db.run(async () => {
        const { rows, states } = await look(endpoint, range);
        const stateOf = (row: EventRow): State | undefined => states.get(deliveryKey(endpoint.tenantId, row.event_id, endpoint.endpointId));
        const wanted = rows.filter((row) => isWanted(row, stateOf(row), range));
        const missing = wanted
          .filter((row) => stateOf(row) === undefined)
          .map((row) => newDelivery(missingDelivery(endpoint, row, newDeliveryId(), now), now, null));
        const again = wanted.flatMap((row) => stateOf(row) ?? []);
        const restarted =
          again.length === 0 ? 0 : (await stored.deliveries.bulkWrite(again.map(restartOf(now)), { ordered: false })).modifiedCount;
        const refused = await insertNew(stored.deliveries, missing);
        const last = rows.length < range.limit ? undefined : rows.at(-1);
        return {
          scheduled: restarted + missing.length - refused.size,
          next: last ? `${last.occurred_at}/${last.event_id}` : null,
        };
      }),
  };
}
