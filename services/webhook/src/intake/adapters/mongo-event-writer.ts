import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { byAge, LIVE } from '../../endpoints/adapters/mongo-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { decideIntake, type IntakeEntry, type NewDelivery, type NewEvent } from '../domain/decide-intake.ts';
import { createDelivery } from '../domain/delivery.ts';
import type { NumberedParcel } from '../domain/event-stream.ts';
import type { AcceptedDelivery, IntakeOutcome } from '../ports.ts';
import { type DeliveryDocument, deliveries, newDelivery } from './mongo-delivery-documents.ts';
import { type EventDocument, eventKey, events, isTestEvent, NOT_FED, parcelKey, STREAM_BEGINS } from './mongo-event-documents.ts';
import { FeedSequence } from './mongo-feed-sequence.ts';
import { insertInOrder, insertNew } from './mongo-insert-new.ts';
import { createSequences, type Sequences } from './mongo-sequences.ts';
import { MAY_BE_UNSTORED_MS, type UnstoredDeliveries } from './mongo-unstored.ts';

export interface TakenEntry {
  readonly entry: IntakeEntry;
  /** The log brings it again until what follows from it is durable. */
  readonly isReplayed: boolean;
  /** It was tried before, and may be stored. */
  readonly isAgain: boolean;
}

/** What became of an event; undefined when another process took its number, or brought the same event: try it again. */
export type WriteOutcome = IntakeOutcome | undefined;

type EventHead = Omit<EventDocument, 'body'>;

/** An event that was found stored. */
interface StoredEvent extends Pick<TakenEntry, 'isReplayed'> {
  readonly event: EventHead;
}

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

/**
 * The deliveries that an event was planned to have.
 * @param isReplayed then a delivery that lacks may be on its way: it waits until it would be stored if it were
 */
function plannedDeliveries(event: EventHead, isReplayed: boolean): DeliveryDocument[] {
  const { tenant_id: tenantId, event_id: eventId, type, po_number: poNumber, created_at } = event;
  const notBefore = isReplayed ? created_at + MAY_BE_UNSTORED_MS : 0;
  return event.planned.map(({ endpoint_id, delivery_id, status, next_attempt_at }) => {
    const planned = { deliveryId: delivery_id, status, nextAttemptAt: next_attempt_at };
    const head = { tenantId, eventId, type, poNumber, test: isTestEvent(event) };
    const availableAt = next_attempt_at === null ? null : Math.max(next_attempt_at, notBefore);
    return newDelivery(createDelivery(head, endpoint_id, planned, created_at), availableAt, null);
  });
}

/** The endpoints that there are, by tenant, the older first. */
type LiveEndpoints = ReadonlyMap<string, readonly Endpoint[]>;

/** These deliveries. With their tenants, which say which shards they are on. */
function theseOf(documents: readonly DeliveryDocument[]) {
  return { _id: { $in: documents.map(({ _id }) => _id) }, tenant_id: { $in: [...new Set(documents.map((one) => one.tenant_id))] } };
}

/** The outcome of an event that comes a second time. */
function withoutDeliveries(outcome: WriteOutcome): WriteOutcome {
  return outcome !== undefined && 'deliveries' in outcome ? { deliveries: [] } : outcome;
}

function keyOfTaken({ entry: { event } }: TakenEntry): string {
  return eventKey(event.tenantId, event.eventId);
}

/**
 * Writes batches of events with their deliveries. An event is stored in one insert together with its number and with the
 * plan of its deliveries; then the deliveries are inserted. Those of events from the log that this process sends itself are inserted with the
 * outcome of their first attempt (mongo-unstored).
 *
 * Crashes and races: a crash before the insert leaves nothing. After a crash between the two inserts the log brings the
 * event again; then it is found stored, and the deliveries of its plan that are missing are inserted, at endpoints that still exist.
 * Whether an event is stored is only looked up when its insert was refused: it seldom is.
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
  readonly #unstored: UnstoredDeliveries;

  /**
   * @param owner name of this process in the leases
   * @param time gives the events their places in the feed
   * @param unstored takes deliveries that are stored with their outcome
   */
  constructor(db: MongoDatabase, owner: string, time: MongoServerTime, unstored: UnstoredDeliveries) {
    this.#db = db;
    this.#owner = owner;
    this.#endpoints = collectionOf(db, endpoints);
    this.#events = collectionOf(db, events);
    this.#deliveries = collectionOf(db, deliveries);
    this.#sequences = createSequences(db);
    this.#feedSequence = new FeedSequence(db, time);
    this.#unstored = unstored;
  }

  /**
   * Stores events. Those behind the first that another process was quicker with, or that is stored already, are to be tried again.
   * @param now epoch milliseconds
   * @returns an outcome for each
   * @throws AppError 50301; then each of them is to come again
   */
  async write(taken: readonly TakenEntry[], now: number): Promise<readonly WriteOutcome[]> {
    const { live, known, last } = await this.#db.run(() => this.#read(taken));
    const stamp = await this.#feedSequence.take();
    const { inserts, stored, repeated, refused } = decideIntake(
      taken.map(({ entry }) => entry),
      {
        endpointsOf: (tenantId) => live.get(tenantId) ?? [],
        isStored: ({ tenantId, eventId }) => known.has(eventKey(tenantId, eventId)),
        lastNumberOf: (parcel) => last.get(keyOfParcel(parcel)) ?? 0,
      },
      now,
    );
    const outcomes: WriteOutcome[] = taken.map(() => ({ deliveries: [] }));
    for (const { index, error } of refused) outcomes[index] = { error };
    const again = stored.flatMap((index) => this.#storedOf(taken[index], known));
    if (again.length > 0) {
      await this.#feedSequence.renew(
        again.map(({ event }) => event),
        stamp,
      );
      await this.#db.run(() => this.#complete(again, live));
    }
    const documents = inserts.map((added) => documentOf(added, now, stamp.fedAt));
    const count = await this.#db.run(() => insertInOrder(this.#events, documents));
    await this.#feedSequence.confirm(documents.slice(0, count), stamp);
    for (const { index } of inserts.slice(count)) outcomes[index] = undefined;
    const added = await this.#insertDeliveries(inserts.slice(0, count), ({ index }) => taken[index]?.isReplayed === true);
    for (const [index, deliveries] of added) outcomes[index] = { deliveries };
    for (const { index, first } of repeated) outcomes[index] = withoutDeliveries(outcomes[first]);
    return outcomes;
  }

  #storedOf(taken: TakenEntry | undefined, known: ReadonlyMap<string, EventHead>): StoredEvent[] {
    const event = taken && known.get(keyOfTaken(taken));
    return event === undefined ? [] : [{ event, isReplayed: taken?.isReplayed === true }];
  }

  async #read(taken: readonly TakenEntry[]) {
    const tenants = [...new Set(taken.map(({ entry }) => entry.event.tenantId))];
    const parcels = new Set(taken.flatMap(({ entry }) => entry.event.parcel ?? []).map(keyOfParcel));
    const keys = taken.filter(({ isAgain }) => isAgain).map(keyOfTaken);
    const [live, known, last] = await Promise.all([
      this.#endpointsOf(tenants),
      this.#readStored(keys, tenants),
      this.#sequences.last([...parcels]),
    ]);
    return { live, known: new Map(known.map((event) => [event._id, event])), last };
  }

  /** The endpoints of tenants, the older first. */
  async #endpointsOf(tenants: readonly string[]): Promise<LiveEndpoints> {
    const found = await this.#endpoints.find({ tenant_id: { $in: [...tenants] }, ...LIVE }, AT_ONCE).toArray();
    const live = new Map(tenants.map((tenantId) => [tenantId, [] as Endpoint[]]));
    for (const endpoint of found.map(endpointOf).sort(byAge)) live.get(endpoint.tenantId)?.push(endpoint);
    return live;
  }

  async #readStored(keys: readonly string[], tenants: readonly string[]): Promise<EventHead[]> {
    if (keys.length === 0) return [];
    const these = { _id: { $in: [...keys] }, tenant_id: { $in: [...tenants] } };
    return this.#events.find<EventHead>(these, { projection: { body: 0 }, hint: { _id: 1 }, ...AT_ONCE }).toArray();
  }

  /** Makes what a former taking of these events has left out. */
  async #complete(again: readonly StoredEvent[], live: LiveEndpoints): Promise<void> {
    // One that was created later is another endpoint: a request that is repeated after its endpoint was removed gives the new one the same id.
    const createdAt = new Map([...live.values()].flat().map((endpoint) => [endpoint.endpointId, endpoint.createdAt]));
    const wanted = again
      .flatMap(({ event, isReplayed }) => plannedDeliveries(event, isReplayed))
      .filter(({ _id }) => !this.#unstored.has(_id))
      .filter((delivery) => (createdAt.get(delivery.endpoint_id) ?? Number.POSITIVE_INFINITY) <= delivery.created_at);
    if (wanted.length === 0) return;
    const found = await this.#deliveries.find(theseOf(wanted), { projection: { _id: 1 }, hint: { _id: 1 }, ...AT_ONCE }).toArray();
    const isThere = new Set(found.map(({ _id }) => _id));
    const missing = wanted.filter(({ _id }) => !isThere.has(_id));
    await insertNew(this.#deliveries, missing);
    const held = missing.filter(({ status }) => status === 'held');
    if (held.length > 0) await this.#freeHeld(held);
  }

  /**
   * @param isReplayed says of an event whether the log brings it again
   * @returns what was inserted or is about to be, by the place of its event in the batch
   */
  async #insertDeliveries(
    added: readonly NewEvent[],
    isReplayed: (event: NewEvent) => boolean,
  ): Promise<ReadonlyMap<number, readonly AcceptedDelivery[]>> {
    const all = added.flatMap((event) => event.deliveries.map((one) => ({ event, one, document: this.#documentOf(one) })));
    const isSentFirst = ({ event, one }: (typeof all)[number]): boolean => one.leased !== null && isReplayed(event);
    const now = all.filter((each) => !isSentFirst(each));
    const refused = await this.#db.run(() =>
      insertNew(
        this.#deliveries,
        now.map(({ document }) => document),
      ),
    );
    const held = now.filter(({ document, one }) => document.status === 'held' && one.endpoint.status === 'disabled');
    if (held.length > 0) await this.#db.run(() => this.#freeHeld(held.map(({ document }) => document)));
    this.#unstored.add(all.filter(isSentFirst).map(({ document }) => document));
    const lost = new Set(now.filter((_, place) => refused.has(place)));
    const byIndex = new Map<number, AcceptedDelivery[]>(added.map(({ index }) => [index, []]));
    for (const each of all) {
      const { delivery, leased } = each.one;
      byIndex.get(each.event.index)?.push({ delivery, leased: lost.has(each) ? null : leased });
    }
    return byIndex;
  }

  #documentOf({ delivery, leased }: NewDelivery): DeliveryDocument {
    return newDelivery(delivery, leased?.leaseUntil ?? delivery.nextAttemptAt, leased === null ? null : this.#owner);
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
    await this.#deliveries.updateMany({ ...theseOf(freed), status: 'held' }, { $set: due }, { hint: { _id: 1 } });
  }
}
