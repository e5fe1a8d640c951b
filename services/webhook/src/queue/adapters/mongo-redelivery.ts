import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { type DeliveryDocument, deliveries, deliveryKey, deliveryOf, newDelivery } from '../../intake/adapters/mongo-delivery-documents.ts';
import { type EventDocument, events, isTestEvent } from '../../intake/adapters/mongo-event-documents.ts';
import { insertNew } from '../../intake/adapters/mongo-insert-new.ts';
import { MAY_BE_UNSTORED_MS } from '../../intake/adapters/mongo-unstored.ts';
import { misplaced } from '../../intake/domain/event-place.ts';
import { type DeliveryProgress, isInFlight, newRun } from '../domain/in-flight.ts';
import { decideReplay, type ReplayableEvent, type ReplayCandidate } from '../domain/replay.ts';
import type { Redelivery } from '../ports.ts';

type EventRow = Pick<EventDocument, 'event_id' | 'type' | 'po_number' | 'occurred_at' | 'created_at' | 'body' | 'fed_at' | 'planned'>;
type Range = Parameters<Redelivery['replay']>[1];
type State = Pick<DeliveryDocument, '_id' | 'tenant_id' | 'status' | 'next_attempt_at' | 'lease_owner' | 'lease_call'>;

const EVENT_ROW = { _id: 0, event_id: 1, type: 1, po_number: 1, occurred_at: 1, created_at: 1, body: 1, fed_at: 1, planned: 1 } as const;
const STATE = { tenant_id: 1, status: 1, next_attempt_at: 1, lease_owner: 1, lease_call: 1 } as const;

function progressOf({ status, next_attempt_at: nextAttemptAt, lease_owner }: State): DeliveryProgress {
  return { status, nextAttemptAt, isLeased: lease_owner !== undefined };
}

/** The delivery, while it is as it was read. */
function unchanged({ _id, tenant_id, status, next_attempt_at, lease_owner, lease_call }: State): mongo.Filter<DeliveryDocument> {
  const isAbsent = { $exists: false };
  return { _id, tenant_id, status, next_attempt_at, lease_owner: lease_owner ?? isAbsent, lease_call: lease_call ?? isAbsent };
}

function restart(now: number) {
  const { nextAttemptAt, nextReason, ...state } = newRun(now);
  const due = { next_attempt_at: nextAttemptAt, next_reason: nextReason, available_at: nextAttemptAt };
  return { $set: { ...state, ...due }, $unset: { lease_owner: '', lease_call: '' } } as const;
}

interface StoredDelivery extends DeliveryProgress {
  readonly state: State;
}

function eventOf(row: EventRow): ReplayableEvent {
  const { event_id: eventId, type, po_number: poNumber, body } = row;
  return { eventId, type, poNumber, body, test: isTestEvent(row) };
}

/** True when a delivery that lacks may be on its way for the first time, in whichever process: then it is in flight. */
function mayBeUnstored({ created_at, planned }: EventRow, endpointId: string, now: number): boolean {
  return now - created_at < MAY_BE_UNSTORED_MS && planned.some((one) => one.endpoint_id === endpointId && one.status === 'pending');
}

/** A place in a replay: the instant and the id of the event that was looked at last. */
const PLACE = /^(\d{1,15})\/([\x21-\x7e]{1,100})$/;

function placeOf(text: string): { readonly occurredAt: number; readonly eventId: string } {
  const [, occurredAt, eventId = ''] = PLACE.exec(text) ?? [];
  if (occurredAt === undefined) throw misplaced('cursor');
  return { occurredAt: Number(occurredAt), eventId };
}

/**
 * Sends deliveries again, in MongoDB.
 *
 * Crashes and races: each delivery is made due by a write that fits only while it is as it was read, so two calls at once
 * make it due once. A replay that ends half-way has made due what it has; the same call again goes on with the rest.
 * What became due while its endpoint was being disabled is held when it is leased.
 */
export function createMongoRedelivery(db: MongoDatabase): Redelivery {
  const stored = { events: collectionOf(db, events), deliveries: collectionOf(db, deliveries) };

  /** @returns the events of a range that are looked at, each with its delivery at the endpoint */
  async function look({ tenantId, endpointId }: Endpoint, { since, until, after, limit }: Range, now: number) {
    const last = after === null ? undefined : placeOf(after);
    const from = last ? { $or: [{ occurred_at: { $gt: last.occurredAt } }, { event_id: { $gt: last.eventId } }] } : {};
    const inRange = { tenant_id: tenantId, occurred_at: { $gte: Math.max(since, last?.occurredAt ?? since), $lt: until }, ...from };
    const order = { projection: EVENT_ROW, sort: { occurred_at: 1, event_id: 1 }, limit, ...AT_ONCE } as const;
    const rows = await stored.events.find<EventRow>(inRange, order).toArray();
    const keyOf = (row: EventRow): string => deliveryKey(tenantId, row.event_id, endpointId);
    const ids = rows.map(keyOf);
    const found = await stored.deliveries
      .find<State>({ _id: { $in: ids }, tenant_id: tenantId }, { projection: STATE, hint: { _id: 1 }, ...AT_ONCE })
      .toArray();
    const states = new Map(found.map((state) => [state._id, state]));
    const candidates = rows.flatMap((row): ReplayCandidate<StoredDelivery>[] => {
      const state = states.get(keyOf(row));
      if (state === undefined && mayBeUnstored(row, endpointId, now)) return [];
      return [{ event: eventOf(row), delivery: state && { ...progressOf(state), state } }];
    });
    return { rows, candidates };
  }

  return {
    resend: (tenantId, endpointId, deliveryId, now) =>
      db.run(async () => {
        const one = { tenant_id: tenantId, endpoint_id: endpointId, delivery_id: deliveryId };
        const projection = { attempts: 0 };
        const resent = await untilWritten(async () => {
          const read = await stored.deliveries.findOne(one, { projection });
          if (read === null || isInFlight(progressOf(read), now)) return read;
          const update = { projection, returnDocument: 'after', hint: { _id: 1 } } as const;
          return (await stored.deliveries.findOneAndUpdate(unchanged(read), restart(now), update)) ?? undefined;
        });
        return resent === null ? undefined : deliveryOf(resent);
      }),
    replay: (endpoint, range, now, newDeliveryId) =>
      db.run(async () => {
        const { rows, candidates } = await look(endpoint, range, now);
        const { restarts, inserts } = decideReplay(endpoint, candidates, range, now, newDeliveryId);
        const writes = restarts.map(({ state }) => ({ updateOne: { filter: unchanged(state), update: restart(now), hint: { _id: 1 } } }));
        const restarted = writes.length === 0 ? 0 : (await stored.deliveries.bulkWrite(writes, { ordered: false })).modifiedCount;
        const documents = inserts.map((delivery) => newDelivery(delivery, delivery.nextAttemptAt, null));
        const refused = await insertNew(stored.deliveries, documents);
        const last = rows.length < range.limit ? undefined : rows.at(-1);
        return {
          scheduled: restarted + documents.length - refused.size,
          next: last ? `${last.occurred_at}/${last.event_id}` : null,
        };
      }),
  };
}
