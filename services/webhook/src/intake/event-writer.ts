import type { Outcome, Store, Write } from '@parcelway/store/store';
import { endpointsOf, storedEndpoints } from '../endpoints/endpoint-store.ts';
import { type DeliveryDocument, deliveries, documentOf, keyOfDelivery, placed } from './deliveries-collection.ts';
import { decideEvent, type IntakeEntry, type NewDelivery, type NewEvent } from './domain/decide-intake.ts';
import { createDelivery, type LeasedDelivery } from './domain/delivery.ts';
import { type NumberedParcel, parcelText, startsStream } from './domain/event-stream.ts';
import { type EventDocument, events, NO_STREAM, parcelName, sequences } from './event-collections.ts';
import type { FeedOrder, Stamp } from './feed-order.ts';
import { MAY_BE_UNSTORED_MS, nameOf, type UnstoredDeliveries } from './unstored-deliveries.ts';

/** Parcels whose last number is remembered. */
const MAX_REMEMBERED = 20_000;
/** With more parcels than a healthy disk leaves behind, every batch waits for the disk. */
const MAX_UNSETTLED = 5_000;

export interface TakenEntry {
  readonly entry: IntakeEntry;
  /** The log brings it again until what follows from it is durable. */
  readonly isReplayed: boolean;
  /** It was tried before, and may be stored. */
  readonly isAgain: boolean;
}

/** `leased` is null when it waits in the store until a process leases it. */
export type AcceptedDelivery = Omit<NewDelivery, 'endpoint'>;

/** Why an event was not stored, or the deliveries inserted for it, with the lease of those that were planned with one; none for a known event. */
export type IntakeOutcome = { readonly deliveries: readonly AcceptedDelivery[] } | { readonly error: unknown };

/** What became of an event; undefined when another process took its number, or brought the same event: try it again. */
export type WriteOutcome = IntakeOutcome | undefined;

/** An event that is to be stored, at its place in the batch. */
type TakenEvent = NewEvent & Pick<TakenEntry, 'isReplayed'> & { readonly index: number };

/** An event that was found stored. */
interface FoundEvent {
  readonly event: EventDocument;
  readonly version: number;
  readonly isReplayed: boolean;
}

const eventText = ({ tenantId, eventId }: { readonly tenantId: string; readonly eventId: string }): string => `${eventId} ${tenantId}`;
const isWritten = (outcome: Outcome | undefined): boolean => outcome?.kind === 'written';

/** @param storedAt its place in the feed */
function eventDocument({ event, stream, sequence, body, deliveries: planned }: NewEvent, now: number, storedAt: number): EventDocument {
  const { parcel, poNumber, traceparent } = event;
  const document: EventDocument = {
    tenantId: event.tenantId,
    eventId: event.eventId,
    type: event.type,
    body,
    occurredAt: event.occurredAt,
    createdAt: now,
    storedAt,
    stream: event.test ? NO_STREAM : stream,
    planned: planned.map(({ delivery: { endpointId, deliveryId, status, nextAttemptAt } }) => {
      return { endpointId, deliveryId, status: status === 'held' ? 'held' : 'pending', nextAttemptAt };
    }),
  };
  if (parcel !== null && sequence !== null) {
    document.parcel = parcelName(parcel);
    document.seq = sequence;
  }
  if (poNumber !== null) document.poNumber = poNumber;
  if (traceparent !== null) document.traceparent = traceparent;
  return document;
}

/** The deliveries that an event was planned to have. One of a replayed event may be on its way: it waits until it would be stored if it were. */
function plannedDeliveries({ event, isReplayed }: FoundEvent): DeliveryDocument[] {
  const { createdAt, poNumber = null, stream } = event;
  const notBefore = isReplayed ? createdAt + MAY_BE_UNSTORED_MS : 0;
  return event.planned.map((one) => {
    const delivery = createDelivery({ ...event, poNumber, test: stream === NO_STREAM }, one.endpointId, one, createdAt);
    return documentOf(delivery, one.nextAttemptAt === null ? null : Math.max(one.nextAttemptAt, notBefore));
  });
}

/**
 * Writes batches of events with their deliveries. An event is stored in one write with its number and with the plan of its deliveries; then the
 * deliveries are inserted. Those of events from the log that this process sends itself are inserted with the outcome of their first attempt
 * (unstored-deliveries).
 *
 * Crashes and races: a crash before the first write leaves nothing. After a crash between the two the log brings the event again; then it is found stored, and
 * the deliveries of its plan that are missing are inserted, at endpoints that still exist. Whether an event is stored is only looked up when its insert
 * was refused: it seldom is. The key of a delivery is its event and its endpoint, so none is inserted twice. Of several processes with the same event, or
 * with two events of one parcel, one gets the number; the others try again. A process that finds that another has inserted a delivery has no lease of it:
 * only the one that inserted it sends it at once.
 */
export class EventWriter {
  readonly #store: Store;
  readonly #order: FeedOrder;
  readonly #unstored: UnstoredDeliveries;
  /** Parcels with an event that a loss of power may undo. */
  readonly #unsettled = new Set<string>();
  /**
   * By parcel, the last number that this process has stored, the oldest entry first. When another process has stored a later one, the store refuses the
   * next number, and the retry looks it up.
   */
  readonly #remembered = new Map<string, number>();

  /** @param unstored takes deliveries that are stored with their outcome */
  constructor(store: Store, order: FeedOrder, unstored: UnstoredDeliveries) {
    this.#store = store;
    this.#order = order;
    this.#unstored = unstored;
  }

  /**
   * Stores events, of each parcel one.
   * @param now epoch milliseconds
   * @returns an outcome for each
   * @throws AppError 50301; then each of them is to come again
   */
  async write(taken: readonly TakenEntry[], now: number): Promise<readonly WriteOutcome[]> {
    const { live, known, last } = await this.#read(taken);
    const outcomes: WriteOutcome[] = taken.map(() => ({ deliveries: [] }));
    const inserts: TakenEvent[] = [];
    const found: FoundEvent[] = [];
    for (const [index, { entry, isReplayed }] of taken.entries()) {
      const { event } = entry;
      const stored = known.get(eventText(event));
      if (stored !== undefined) {
        found.push({ event: stored.value, version: stored.version, isReplayed });
        continue;
      }
      try {
        const number = (event.parcel && last.get(parcelText(event.parcel))) ?? 0;
        inserts.push({ ...decideEvent(entry, live.get(event.tenantId) ?? [], number, now), index, isReplayed });
      } catch (error) {
        outcomes[index] = { error };
      }
    }
    const stamp = await this.#order.take(inserts.length, now);
    const documents = inserts.map((added, place) => eventDocument(added, now, stamp.first + place));
    const made = await this.#insertEvents(documents, stamp, this.#mayBeLost(inserts));
    if (found.length > 0) await this.#complete(found, live, stamp);
    for (const [place, { index }] of inserts.entries()) if (!made[place]) outcomes[index] = undefined;
    this.#remember(inserts, made);
    const added = inserts.filter((_, place) => made[place]);
    for (const [index, of] of await this.#insertDeliveries(added)) outcomes[index] = { deliveries: of };
    return outcomes;
  }

  #remember(inserts: readonly NewEvent[], made: readonly boolean[]): void {
    for (const [place, { event, sequence }] of inserts.entries()) {
      if (event.parcel === null || sequence === null) continue;
      const name = parcelText(event.parcel);
      this.#remembered.delete(name);
      if (!made[place]) continue;
      this.#remembered.set(name, sequence);
      // It is the first event of the parcel: the other stream has none yet.
      if (startsStream(event.type) && sequence === 1) this.#remembered.set(parcelText({ ...event.parcel, stream: 'standard' }), 0);
    }
    for (const name of this.#remembered.keys()) {
      if (this.#remembered.size <= MAX_REMEMBERED) break;
      this.#remembered.delete(name);
    }
  }

  async #read(taken: readonly TakenEntry[]) {
    const all = taken.map(({ entry }) => entry.event);
    const parcels = new Map(all.flatMap(({ parcel }) => (parcel ? [[parcelText(parcel), parcel] as const] : [])));
    const begun = new Set<string>();
    const remembered = new Map<string, number>();
    for (const { isAgain, entry } of taken) {
      const { parcel, type } = entry.event;
      if (parcel === null) continue;
      const name = parcelText(parcel);
      const last = isAgain ? undefined : this.#remembered.get(name);
      if (last !== undefined) remembered.set(name, last);
      else if (isAgain || !startsStream(type)) begun.add(name);
    }
    const unknown = new Map([...parcels].filter(([name]) => !remembered.has(name)));
    const again = taken.flatMap(({ isAgain, entry: { event } }) => (isAgain ? [[event.eventId, event.tenantId]] : []));
    const [live, stored, last] = await Promise.all([
      endpointsOf(this.#store, [...new Set(all.map(({ tenantId }) => tenantId))]),
      this.#store.read(events, again),
      this.#lastNumbers(unknown, begun),
    ]);
    return { live, known: new Map(stored.map((one) => [eventText(one.value), one])), last: new Map([...last, ...remembered]) };
  }

  /**
   * The highest number that each parcel has given. There is no counter that could run ahead of the events: it is the highest that an event carries, or
   * that the retention has kept of those that it has deleted.
   * @param begun parcels whose events are looked up. Of the others none is expected: the number of one that is there after all is refused, and the
   * event is tried again
   */
  async #lastNumbers(parcels: ReadonlyMap<string, NumberedParcel>, begun: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    // The events first: of what leaves between the two reads, the number was kept before.
    const highest = await Promise.all(
      [...parcels].map(async ([name, parcel]) => {
        if (!begun.has(name)) return [name, 0] as const;
        const of = { eq: [parcel.tenantId, parcelName(parcel)], limit: 1, backwards: true };
        const { items } = await this.#store.find(events.by.number, of);
        return [name, items[0]?.value.seq ?? 0] as const;
      }),
    );
    const last = new Map(highest);
    const keys = new Map([...parcels].map(([name, parcel]) => [`${parcel.tenantId} ${parcelName(parcel)}`, name]));
    const kept = await this.#store.read(
      sequences,
      [...parcels.values()].map((parcel) => [parcel.tenantId, parcelName(parcel)]),
    );
    for (const { value } of kept) {
      const name = keys.get(`${value.tenantId} ${value.parcel}`) as string;
      last.set(name, Math.max(last.get(name) ?? 0, value.last));
    }
    return last;
  }

  /**
   * True when events may be lost with the power: all of them come again then. Not when one before them of the same parcel may be: they could come again in
   * another order, and a receiver that got the first would take the second for older by its number.
   */
  #mayBeLost(inserts: readonly TakenEvent[]): boolean {
    const parcels = inserts.flatMap(({ event: { parcel } }) => (parcel ? parcelText(parcel) : []));
    const isFull = this.#unsettled.size + parcels.length > MAX_UNSETTLED;
    const mayBeLost = !isFull && inserts.every(({ isReplayed }) => isReplayed) && !parcels.some((name) => this.#unsettled.has(name));
    // What is written to the disk takes what was written before with it.
    if (!mayBeLost) this.#unsettled.clear();
    else for (const name of parcels) this.#unsettled.add(name);
    return mayBeLost;
  }

  /** Resolves once all events that were stored survive a loss of power. @throws AppError 50301 */
  async settled(): Promise<void> {
    const before = [...this.#unsettled];
    await this.#store.flushed();
    for (const name of before) this.#unsettled.delete(name);
  }

  /** @returns which were stored */
  async #insertEvents(documents: readonly EventDocument[], stamp: Stamp, mayBeLost: boolean): Promise<readonly boolean[]> {
    if (documents.length === 0) return [];
    try {
      const outcomes = await this.#store.apply(
        documents.map((insert) => ({ in: events, insert })),
        { flushLater: mayBeLost },
      );
      const made = outcomes.map(isWritten);
      if (this.#order.isPassed(stamp)) await this.#moveOn(documents.flatMap((event, place) => (made[place] ? { event, version: 1 } : [])));
      return made;
    } finally {
      this.#order.end(stamp);
    }
  }

  /** Gives events new places in the feed, behind what a reader may have seen: they are read twice rather than never. */
  async #moveOn(all: readonly Pick<FoundEvent, 'event' | 'version'>[]): Promise<void> {
    const inFeed = all.filter(({ event }) => event.stream !== NO_STREAM);
    if (inFeed.length === 0) return;
    const stamp = await this.#order.take(inFeed.length, 0);
    const writes = inFeed.map(({ event, version }, place): Write => {
      return { in: events, patch: { value: event, version }, set: { storedAt: stamp.first + place } };
    });
    const outcomes = await this.#store.apply(writes);
    // One that is lost was moved by another.
    if (!this.#order.isPassed(stamp)) return;
    await this.#moveOn(inFeed.flatMap(({ event, version }, place) => (isWritten(outcomes[place]) ? { event, version: version + 1 } : [])));
  }

  /** Makes what a former taking of these events has left out. */
  async #complete(found: readonly FoundEvent[], live: Awaited<ReturnType<typeof endpointsOf>>, stamp: Stamp): Promise<void> {
    await this.#moveOn(found.filter(({ event }) => this.#order.mayBeMissed(event.storedAt, stamp)));
    // One that was created later is another endpoint: a request that is repeated after its endpoint was removed gives the new one the same id.
    const createdAt = new Map([...live.values()].flat().map((endpoint) => [endpoint.endpointId, endpoint.createdAt]));
    const wanted = found
      .flatMap(plannedDeliveries)
      .filter((delivery) => !this.#unstored.has(nameOf(delivery)))
      .filter((delivery) => (createdAt.get(delivery.endpointId) ?? Number.POSITIVE_INFINITY) <= delivery.createdAt);
    const present = new Set((await this.#store.read(deliveries, wanted.map(keyOfDelivery))).map(({ value }) => nameOf(value)));
    const missing = wanted.filter((delivery) => !present.has(nameOf(delivery)));
    if (missing.length === 0) return;
    await this.#store.apply(missing.map((insert) => ({ in: deliveries, insert })));
    await this.#freeHeld(missing.filter(({ status }) => status === 'held'));
  }

  /** @returns what was inserted or is about to be, by the place of its event in the batch */
  async #insertDeliveries(added: readonly TakenEvent[]): Promise<ReadonlyMap<number, AcceptedDelivery[]>> {
    const byIndex = new Map<number, AcceptedDelivery[]>();
    const sentFirst: LeasedDelivery[] = [];
    const inserted: { readonly index: number; readonly one: NewDelivery; readonly document: DeliveryDocument }[] = [];
    for (const { index, isReplayed, deliveries: planned } of added) {
      const accepted: AcceptedDelivery[] = [];
      byIndex.set(index, accepted);
      for (const one of planned) {
        const { delivery, leased } = one;
        if (leased === null || !isReplayed) {
          inserted.push({ index, one, document: documentOf(delivery, leased?.leaseUntil ?? delivery.nextAttemptAt) });
          continue;
        }
        sentFirst.push(leased);
        accepted.push(one);
      }
    }
    if (inserted.length > 0) {
      // What is lost with the power is made again from the plan of its event, which comes again.
      const options = { flushLater: added.every(({ isReplayed }) => isReplayed) };
      const outcomes = await this.#store.apply(
        inserted.map(({ document }) => ({ in: deliveries, insert: document })),
        options,
      );
      const isHeld = ({ delivery, endpoint }: NewDelivery): boolean => delivery.status === 'held' && endpoint.status === 'disabled';
      const held = inserted.filter(({ one }, place) => isWritten(outcomes[place]) && isHeld(one));
      await this.#freeHeld(held.map(({ document }) => document));
      for (const [place, { index, one }] of inserted.entries()) {
        byIndex.get(index)?.push({ delivery: one.delivery, leased: isWritten(outcomes[place]) ? one.leased : null });
      }
    }
    this.#unstored.add(sentFirst);
    return byIndex;
  }

  /**
   * Makes due what was just inserted as held because its endpoint was disabled, and is not any more: the replay that follows an enabling may have looked
   * before these were there.
   */
  async #freeHeld(held: readonly DeliveryDocument[]): Promise<void> {
    if (held.length === 0) return;
    const present = await storedEndpoints(this.#store, new Set(held.map(({ endpointId }) => endpointId)));
    const isEnabled = ({ endpointId }: DeliveryDocument): boolean => (present.get(endpointId)?.value.status ?? 'disabled') !== 'disabled';
    const now = Math.max(...held.map(({ createdAt }) => createdAt));
    const due = { status: 'pending', nextAttemptAt: now, nextReason: 'first' } as const;
    const writes = held.filter(isEnabled).map((value) => {
      return {
        in: deliveries,
        patch: { value, version: 1 },
        set: { ...due, ...placed({ ...value, ...due }) } as Partial<DeliveryDocument>,
      };
    });
    if (writes.length > 0) await this.#store.apply(writes);
  }
}
