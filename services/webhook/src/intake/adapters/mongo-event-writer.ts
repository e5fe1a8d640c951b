import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { byAge, LIVE, readEndpoints } from '../../endpoints/adapters/mongo-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery } from '../domain/create-delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import { streamOf } from '../domain/event-stream.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import type { AcceptedDelivery, EventIntake, PlannedDelivery } from '../ports.ts';
import { type DeliveryDocument, deliveries, newDelivery } from './mongo-delivery-documents.ts';
import { type EventDocument, eventKey, events, isTestEvent, NOT_FED, originOf, parcelKey, STREAM_BEGINS } from './mongo-event-documents.ts';
import { FeedSequence } from './mongo-feed-sequence.ts';
import { insertNew } from './mongo-insert-new.ts';
import { createSequences, type Sequences } from './mongo-sequences.ts';

/** An event that is to be taken in. */
export interface IntakeEntry {
  readonly event: TenantEvent;
  readonly now: number;
  readonly plan: Parameters<EventIntake['accept']>[2];
}

/** What became of an event; undefined when another process took its number, or brought the same event: try it again. */
export type IntakeOutcome = { readonly made: readonly AcceptedDelivery[] } | { readonly error: unknown } | undefined;

/** What an event is for. */
interface Target {
  readonly endpoint: Endpoint;
  readonly planned: PlannedDelivery;
}

/** An event that is to be inserted. */
interface NewEvent {
  /** In the batch. */
  readonly place: number;
  readonly document: EventDocument;
  readonly targets: readonly Target[];
}

type EventHead = Omit<EventDocument, 'body'>;

/** The parcel of an event over all tenants, in the stream of the event; undefined when it belongs to none. */
export function parcelOf({ tenantId, forecastNo, type }: TenantEvent): string | undefined {
  return forecastNo === null ? undefined : parcelKey(tenantId, forecastNo, streamOf(type));
}

/**
 * @param last highest number of its parcel so far
 * @param fedAt its place in the feed
 */
function documentOf({ event, now }: IntakeEntry, targets: readonly Target[], last: number, fedAt: number): EventDocument {
  const parcel = parcelOf(event);
  const seq = parcel === undefined ? null : last + 1;
  return {
    _id: eventKey(event.tenantId, event.eventId),
    tenant_id: event.tenantId,
    event_id: event.eventId,
    ...(parcel === undefined || seq === null ? {} : { parcel, event_seq: seq }),
    type: event.type,
    po_number: event.poNumber,
    body: event.render(seq),
    ...(event.traceparent === null ? {} : { traceparent: event.traceparent }),
    occurred_at: event.occurredAt,
    created_at: now,
    fed_at: event.test ? NOT_FED : STREAM_BEGINS[streamOf(event.type)] + fedAt,
    planned: targets.map(({ endpoint, planned }) => ({
      endpoint_id: endpoint.endpointId,
      delivery_id: planned.deliveryId,
      status: planned.status,
      next_attempt_at: planned.nextAttemptAt,
    })),
  };
}

function deliveryFor(event: EventHead, endpointId: string, planned: Omit<PlannedDelivery, 'leaseUntil'>): Delivery {
  const { tenant_id: tenantId, event_id: eventId, type, po_number: poNumber } = event;
  return createDelivery({ tenantId, eventId, type, poNumber, test: isTestEvent(event) }, endpointId, planned, event.created_at);
}

/** The deliveries that an event was planned to have. */
function plannedDeliveries(event: EventHead): DeliveryDocument[] {
  return event.planned.map(({ endpoint_id, delivery_id, status, next_attempt_at }) => {
    const planned = { deliveryId: delivery_id, status, nextAttemptAt: next_attempt_at };
    return newDelivery(deliveryFor(event, endpoint_id, planned), next_attempt_at, null);
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

function targetsOf({ event, plan }: IntakeEntry, live: LiveEndpoints): Target[] {
  const ofTenant = live.get(event.tenantId) ?? [];
  return ofTenant.flatMap((endpoint) => {
    const planned = plan(endpoint);
    return planned ? [{ endpoint, planned }] : [];
  });
}

/**
 * Writes batches of events with their deliveries. An event is stored in one insert together with its number and with the
 * plan of its deliveries; then the deliveries are inserted.
 *
 * Crashes and races: a crash before the insert leaves nothing. After a crash between the two inserts the log brings the
 * event again, and whoever takes it finds it stored and makes those deliveries of its plan that are missing, at
 * endpoints that are still there. A delivery has event and endpoint for its id, so none is ever doubled. Of several
 * processes with the same event, or with two events of one parcel, one gets the number; the others look again. Who finds
 * that another has made a delivery in its place has no lease of it: only who inserted it sends it at once.
 */
export class EventWriter {
  readonly #db: MongoDatabase;
  readonly #owner: string;
  readonly #endpoints: mongo.Collection<EndpointDocument>;
  readonly #events: mongo.Collection<EventDocument>;
  readonly #deliveries: mongo.Collection<DeliveryDocument>;
  readonly #sequences: Sequences;
  readonly #stamps: FeedSequence;

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
    this.#stamps = new FeedSequence(db, time);
  }

  /**
   * Takes events in.
   * @param batch no two of the same parcel, nor the same event twice
   * @returns an outcome for each
   * @throws AppError 50301; then each of them is to come again
   */
  async write(batch: readonly IntakeEntry[]): Promise<readonly IntakeOutcome[]> {
    const { live, known, last } = await this.#db.run(() => this.#read(batch));
    const stamp = await this.#stamps.take();
    const outcomes: IntakeOutcome[] = batch.map(() => undefined);
    const fresh: NewEvent[] = [];
    const again: EventHead[] = [];
    batch.forEach((entry, place) => {
      const before = known.get(eventKey(entry.event.tenantId, entry.event.eventId));
      if (before) {
        again.push(before);
        outcomes[place] = { made: [] };
        return;
      }
      try {
        const targets = targetsOf(entry, live);
        fresh.push({ place, document: documentOf(entry, targets, last.get(parcelOf(entry.event) ?? '') ?? 0, stamp.fedAt), targets });
      } catch (error) {
        outcomes[place] = { error };
      }
    });
    if (again.length > 0) {
      await this.#stamps.renew(again, stamp);
      await this.#db.run(() => this.#complete(again, live));
    }
    const documents = fresh.map(({ document }) => document);
    const refused = await this.#db.run(() => insertNew(this.#events, documents));
    const stored = fresh.filter((_, index) => !refused.has(index));
    await this.#stamps.confirm(
      stored.map(({ document }) => document),
      stamp,
    );
    for (const [place, made] of await this.#insertDeliveries(stored)) outcomes[place] = { made };
    return outcomes;
  }

  async #read(batch: readonly IntakeEntry[]) {
    const tenants = [...new Set(batch.map(({ event }) => event.tenantId))];
    const parcels = batch.flatMap(({ event }) => parcelOf(event) ?? []);
    const keys = batch.map(({ event }) => eventKey(event.tenantId, event.eventId));
    const [live, known, last] = await Promise.all([
      readEndpoints(this.#endpoints, tenants),
      this.#events.find<EventHead>({ _id: { $in: keys } }, { projection: { body: 0 }, ...AT_ONCE }).toArray(),
      this.#sequences.last(parcels),
    ]);
    return { live: byTenant(live.sort(byAge)), known: new Map(known.map((event) => [event._id, event])), last };
  }

  /** Makes what a former taking of these events has left out. */
  async #complete(again: readonly EventHead[], live: LiveEndpoints): Promise<void> {
    const isLive = new Set([...live.values()].flat().map(({ endpointId }) => endpointId));
    const wanted = again.flatMap(plannedDeliveries).filter(({ endpoint_id }) => isLive.has(endpoint_id));
    if (wanted.length === 0) return;
    const ids = wanted.map(({ _id }) => _id);
    const found = await this.#deliveries.find({ _id: { $in: ids } }, { projection: { _id: 1 }, ...AT_ONCE }).toArray();
    const isThere = new Set(found.map(({ _id }) => _id));
    const missing = wanted.filter(({ _id }) => !isThere.has(_id));
    await insertNew(this.#deliveries, missing);
    const held = missing.filter(({ status }) => status === 'held');
    if (held.length > 0) await this.#freeHeld(held);
  }

  /** @returns what was made, by place of its event in the batch */
  async #insertDeliveries(stored: readonly NewEvent[]): Promise<ReadonlyMap<number, readonly AcceptedDelivery[]>> {
    const made = stored.flatMap(({ place, document, targets }) =>
      targets.map(({ endpoint, planned }) => {
        const delivery = deliveryFor(document, endpoint.endpointId, planned);
        return { place, document, endpoint, delivery, leaseUntil: planned.leaseUntil };
      }),
    );
    const documents = made.map(({ delivery, leaseUntil }) =>
      newDelivery(delivery, leaseUntil ?? delivery.nextAttemptAt, leaseUntil === null ? null : this.#owner),
    );
    const refused = await this.#db.run(() => insertNew(this.#deliveries, documents));
    const held = documents.filter(({ status }, index) => status === 'held' && made[index]?.endpoint.status === 'disabled');
    if (held.length > 0) await this.#db.run(() => this.#freeHeld(held));
    const byPlace = new Map<number, AcceptedDelivery[]>(stored.map(({ place }) => [place, []]));
    made.forEach(({ place, document, endpoint, delivery, leaseUntil }, index) => {
      const isOurs = leaseUntil !== null && !refused.has(index);
      const leased = isOurs ? { endpoint, delivery, body: document.body, origin: originOf(document), leaseUntil } : null;
      byPlace.get(place)?.push({ delivery, leased });
    });
    return byPlace;
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
