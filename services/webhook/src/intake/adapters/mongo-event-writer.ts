import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { byAge, LIVE, readEndpoints } from '../../endpoints/adapters/mongo-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery } from '../domain/create-delivery.ts';
import { decideIntake, type IntakeEntry, type NewEvent } from '../domain/decide-intake.ts';
import type { NumberedParcel } from '../domain/event-stream.ts';
import type { AcceptedDelivery, IntakeOutcome } from '../ports.ts';
import { type DeliveryDocument, deliveries, newDelivery } from './mongo-delivery-documents.ts';
import { type EventDocument, eventKey, events, isTestEvent, NOT_FED, parcelKey, STREAM_BEGINS } from './mongo-event-documents.ts';
import { FeedSequence } from './mongo-feed-sequence.ts';
import { insertInOrder, insertNew } from './mongo-insert-new.ts';
import { createSequences, type Sequences } from './mongo-sequences.ts';

/** What became of an event; undefined when another process took its number, or brought the same event: try it again. */
export type WriteOutcome = IntakeOutcome | undefined;

type EventHead = Omit<EventDocument, 'body'>;

const keyOfParcel = ({ tenantId, forecastNo, stream }: NumberedParcel): string => parcelKey(tenantId, forecastNo, stream);

/** @param fedAt its place in the feed */
function documentOf({ event, stream, sequence, body, deliveries: planned }: NewEvent, now: number, fedAt: number): EventDocument {
  const { parcel } = event;
  return {
    _id: eventKey(event.tenantId, event.eventId),
    tenant_id: event.tenantId,
    event_id: event.eventId,
    ...(parcel === null || sequence === null ? {} : { parcel: keyOfParcel(parcel), event_seq: sequence }),
    type: event.type,
    po_number: event.poNumber,
    body,
    ...(event.traceparent === null ? {} : { traceparent: event.traceparent }),
    occurred_at: event.occurredAt,
    created_at: now,
    fed_at: event.test ? NOT_FED : STREAM_BEGINS[stream] + fedAt,
    planned: planned.map(({ endpoint, delivery }) => ({
      endpoint_id: endpoint.endpointId,
      delivery_id: delivery.deliveryId,
      status: delivery.status === 'held' ? 'held' : 'pending',
      next_attempt_at: delivery.nextAttemptAt,
    })),
  };
}

/** The deliveries that an event was planned to have. */
function plannedDeliveries(event: EventHead): DeliveryDocument[] {
  const { tenant_id: tenantId, event_id: eventId, type, po_number: poNumber } = event;
  return event.planned.map(({ endpoint_id, delivery_id, status, next_attempt_at }) => {
    const planned = { deliveryId: delivery_id, status, nextAttemptAt: next_attempt_at };
    const head = { tenantId, eventId, type, poNumber, test: isTestEvent(event) };
    return newDelivery(createDelivery(head, endpoint_id, planned, event.created_at), next_attempt_at, null);
  });
}

/** The endpoints that there are, by tenant, the older first. */
type LiveEndpoints = ReadonlyMap<string, readonly Endpoint[]>;

function byTenant(documents: readonly EndpointDocument[]): LiveEndpoints {
  const groups = new Map<string, Endpoint[]>();
  for (const document of documents) {
    const group = groups.get(document.tenant_id);
    if (group) group.push(endpointOf(document));
    else groups.set(document.tenant_id, [endpointOf(document)]);
  }
  return groups;
}

/** The outcome of an event that comes a second time. */
function withoutDeliveries(outcome: WriteOutcome): WriteOutcome {
  return outcome !== undefined && 'deliveries' in outcome ? { deliveries: [] } : outcome;
}

function keyOfEntry(entry: IntakeEntry | undefined): string {
  return entry === undefined ? '' : eventKey(entry.event.tenantId, entry.event.eventId);
}

/**
 * Writes batches of events with their deliveries. An event is stored in one insert together with its number and with the
 * plan of its deliveries; then the deliveries are inserted.
 *
 * Crashes and races: a crash before the insert leaves nothing. After a crash between the two inserts the log brings the
 * event again; then it is found stored, and the deliveries of its plan that are missing are inserted, at endpoints that still exist.
 * The id of a delivery is its event and its endpoint, so none is inserted twice. Of several processes with the same event, or with two
 * events of one parcel, one gets the number; the others try again. Events are inserted in their order up to the first that is refused, so
 * those of one parcel keep their order and leave no gap. A process that finds that another has inserted a delivery has no lease of it:
 * only the one that inserted it sends it at once.
 */
export class EventWriter {
  readonly #db: MongoDatabase;
  readonly #owner: string;
  readonly #endpoints: mongo.Collection<EndpointDocument>;
  readonly #events: mongo.Collection<EventDocument>;
  readonly #deliveries: mongo.Collection<DeliveryDocument>;
  readonly #sequences: Sequences;
  readonly #feedSequence: FeedSequence;

  /**
   * @param owner name of this process in the leases
   * @param time gives the events their places in the feed
   */
  constructor(db: MongoDatabase, owner: string, time: MongoServerTime) {
    this.#db = db;
    this.#owner = owner;
    this.#endpoints = collectionOf(db, endpoints);
    this.#events = collectionOf(db, events);
    this.#deliveries = collectionOf(db, deliveries);
    this.#sequences = createSequences(db);
    this.#feedSequence = new FeedSequence(db, time);
  }

  /**
   * Stores events. Those behind the first that another process was quicker with are to be tried again.
   * @param now epoch milliseconds
   * @returns an outcome for each
   * @throws AppError 50301; then each of them is to come again
   */
  async write(entries: readonly IntakeEntry[], now: number): Promise<readonly WriteOutcome[]> {
    const { live, known, last } = await this.#db.run(() => this.#read(entries));
    const stamp = await this.#feedSequence.take();
    const { inserts, stored, repeated, refused } = decideIntake(
      entries,
      {
        endpointsOf: (tenantId) => live.get(tenantId) ?? [],
        isStored: ({ tenantId, eventId }) => known.has(eventKey(tenantId, eventId)),
        lastNumberOf: (parcel) => last.get(keyOfParcel(parcel)) ?? 0,
      },
      now,
    );
    const outcomes: WriteOutcome[] = entries.map(() => ({ deliveries: [] }));
    for (const { index, error } of refused) outcomes[index] = { error };
    const again = stored.flatMap((index) => known.get(keyOfEntry(entries[index])) ?? []);
    if (again.length > 0) {
      await this.#feedSequence.renew(again, stamp);
      await this.#db.run(() => this.#complete(again, live));
    }
    const documents = inserts.map((added) => documentOf(added, now, stamp.fedAt));
    const count = await this.#db.run(() => insertInOrder(this.#events, documents));
    await this.#feedSequence.confirm(documents.slice(0, count), stamp);
    for (const { index } of inserts.slice(count)) outcomes[index] = undefined;
    for (const [index, deliveries] of await this.#insertDeliveries(inserts.slice(0, count))) outcomes[index] = { deliveries };
    for (const { index, first } of repeated) outcomes[index] = withoutDeliveries(outcomes[first]);
    return outcomes;
  }

  async #read(entries: readonly IntakeEntry[]) {
    const tenants = [...new Set(entries.map(({ event }) => event.tenantId))];
    const parcels = new Set(entries.flatMap(({ event }) => event.parcel ?? []).map(keyOfParcel));
    const keys = entries.map(keyOfEntry);
    const [live, known, last] = await Promise.all([
      readEndpoints(this.#endpoints, tenants),
      this.#events.find<EventHead>({ _id: { $in: keys } }, { projection: { body: 0 }, ...AT_ONCE }).toArray(),
      this.#sequences.last([...parcels]),
    ]);
    return { live: byTenant(live.sort(byAge)), known: new Map(known.map((event) => [event._id, event])), last };
  }

  /** Makes what a former taking of these events has left out. */
  async #complete(again: readonly EventHead[], live: LiveEndpoints): Promise<void> {
    // One that was created later is another endpoint: a request that is repeated after its endpoint was removed gives the new one the same id.
    const createdAt = new Map([...live.values()].flat().map((endpoint) => [endpoint.endpointId, endpoint.createdAt]));
    const wanted = again
      .flatMap(plannedDeliveries)
      .filter((delivery) => (createdAt.get(delivery.endpoint_id) ?? Number.POSITIVE_INFINITY) <= delivery.created_at);
    if (wanted.length === 0) return;
    const ids = wanted.map(({ _id }) => _id);
    const found = await this.#deliveries.find({ _id: { $in: ids } }, { projection: { _id: 1 }, ...AT_ONCE }).toArray();
    const isThere = new Set(found.map(({ _id }) => _id));
    const missing = wanted.filter(({ _id }) => !isThere.has(_id));
    await insertNew(this.#deliveries, missing);
    const held = missing.filter(({ status }) => status === 'held');
    if (held.length > 0) await this.#freeHeld(held);
  }

  /** @returns what was inserted, by the place of its event in the batch */
  async #insertDeliveries(added: readonly NewEvent[]): Promise<ReadonlyMap<number, readonly AcceptedDelivery[]>> {
    const all = added.flatMap((event) => event.deliveries.map((one) => ({ event, one })));
    const documents = all.map(({ one: { delivery, leased } }) =>
      newDelivery(delivery, leased?.leaseUntil ?? delivery.nextAttemptAt, leased === null ? null : this.#owner),
    );
    const refused = await this.#db.run(() => insertNew(this.#deliveries, documents));
    const held = documents.filter(({ status }, place) => status === 'held' && all[place]?.one.endpoint.status === 'disabled');
    if (held.length > 0) await this.#db.run(() => this.#freeHeld(held));
    const byIndex = new Map<number, AcceptedDelivery[]>(added.map(({ index }) => [index, []]));
    all.forEach(({ event, one }, place) => {
      byIndex.get(event.index)?.push({ delivery: one.delivery, leased: refused.has(place) ? null : one.leased });
    });
    return byIndex;
  }

  /**
   * Makes due what was held because its endpoint was disabled, and is not any more: the replay that follows an enabling may have
   * looked before these were there.
   */
  async #freeHeld(held: readonly DeliveryDocument[]): Promise<void> {
    const ids = held.map(({ endpoint_id }) => endpoint_id);
    const enabled = await this.#endpoints
      .find({ _id: { $in: ids }, status: { $ne: 'disabled' }, ...LIVE }, { projection: { _id: 1 } })
      .toArray();
    const isEnabled = new Set(enabled.map(({ _id }) => _id));
    const freed = held.filter(({ endpoint_id }) => isEnabled.has(endpoint_id));
    if (freed.length === 0) return;
    const now = Math.max(...freed.map(({ created_at }) => created_at));
    const due = { status: 'pending', next_attempt_at: now, next_reason: 'first', available_at: now } as const;
    await this.#deliveries.updateMany({ _id: { $in: freed.map(({ _id }) => _id) }, status: 'held' }, { $set: due });
  }
}
