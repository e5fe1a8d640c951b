import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Stored, Write } from '@parcelway/store/store';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { type DeliveryDocument, deliveries, deliveryOf, documentOf, placed } from '../intake/deliveries-collection.ts';
import { misplaced } from '../intake/domain/event-place.ts';
import { streamsOf } from '../intake/domain/event-stream.ts';
import { type EventDocument, events } from '../intake/event-collections.ts';
import { MAY_BE_UNSTORED_MS } from '../intake/unstored-deliveries.ts';
import { findDelivery } from './delivery-log.ts';
import { type DeliveryProgress, isInFlight, newRun } from './domain/in-flight.ts';
import { decideReplay, type ReplayCandidate } from './domain/replay.ts';
import type { Redelivery } from './ports.ts';

type StoredDelivery = Stored<DeliveryDocument>;
type Range = Parameters<Redelivery['replay']>[1];

interface Progress extends DeliveryProgress {
  readonly stored: StoredDelivery;
}

/** `<storedAt>/<eventId>` of the last event that was looked at. */
const PLACE = /^(\d{1,16})\/([\x21-\x7e]{1,80})$/;
/** An event may be stored so much before it happened: clocks differ. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** A lease moves the time from which on a delivery may be leased, and nothing else. */
function progressOf(stored: StoredDelivery): Progress {
  const { status, nextAttemptAt, due } = stored.value;
  return { status, nextAttemptAt, isLeased: due !== nextAttemptAt, stored };
}

function restart(stored: StoredDelivery, now: number): Write {
  const run = newRun(now);
  return { in: deliveries, patch: stored, set: { ...run, ...placed({ ...stored.value, ...run }) } as Partial<DeliveryDocument> };
}

/** True when an event's delivery lacks although it was planned, and may be on its way. */
const mayBeUnstored = ({ planned, createdAt }: EventDocument, endpointId: string, now: number): boolean =>
  now < createdAt + MAY_BE_UNSTORED_MS && planned.some((one) => one.endpointId === endpointId);

/**
 * Sends deliveries again.
 *
 * Crashes and races: each delivery is made due by a write onto the version that was read, so two calls at once make it due once. A replay that ends
 * half-way has made due what it has; the same call again goes on with the rest. What became due while its endpoint was being disabled is held when it is leased.
 */
export function createRedelivery(store: Store): Redelivery {
  /**
   * The next events of a range, each with its delivery at the endpoint. All that were stored since it began are passed over, in the order of the feed: one
   * may have been stored long after it happened.
   */
  async function look({ tenantId, endpointId }: Endpoint, { types, since, until, after, limit }: Range, now: number) {
    const [, storedAt, eventId = ''] = after === null ? [] : (PLACE.exec(after) ?? []);
    if (after !== null && storedAt === undefined) throw misplaced('cursor');
    const first = Math.max(0, since - CLOCKS_DIFFER_MS) * 1000;
    const place = store.placeIn(events.by.feed, 2, { value: { storedAt: Number(storedAt ?? first), eventId } });
    const { items, next } = await store.find(events.by.feed, { eq: [tenantId, streamsOf(types)], after: place, limit });
    const inRange = items.map(({ value }) => value).filter(({ occurredAt }) => occurredAt >= since && occurredAt < until);
    const keys = inRange.map((event) => [event.eventId, tenantId, endpointId]);
    const found = new Map((await store.read(deliveries, keys)).map((stored) => [stored.value.eventId, stored]));
    const candidates = inRange.flatMap((event): ReplayCandidate<Progress>[] => {
      const stored = found.get(event.eventId);
      if (stored === undefined && mayBeUnstored(event, endpointId, now)) return [];
      const { eventId: id, type, poNumber = null, body } = event;
      return [{ event: { eventId: id, type, poNumber, body, test: false }, delivery: stored && progressOf(stored) }];
    });
    return { candidates, next: next === null ? undefined : items.at(-1)?.value };
  }

  return {
    async resend(tenantId, endpointId, deliveryId, now) {
      const { resent } = await untilWritten(async () => {
        const stored = await findDelivery(store, tenantId, endpointId, deliveryId);
        if (stored === undefined || isInFlight(progressOf(stored), now)) return { resent: stored?.value };
        const [outcome] = await store.apply([restart(stored, now)]);
        return outcome?.kind === 'written' ? { resent: { ...stored.value, ...newRun(now) } } : undefined;
      });
      await store.flushed();
      return resent && deliveryOf(resent);
    },
    async replay(endpoint, range, now, newDeliveryId) {
      const { candidates, next } = await look(endpoint, range, now);
      const { restarts, inserts } = decideReplay(endpoint, candidates, range, now, newDeliveryId);
      const writes = [
        ...restarts.map(({ stored }) => restart(stored, now)),
        ...inserts.map((delivery) => ({ in: deliveries, insert: documentOf(delivery) })),
      ];
      const outcomes = await store.apply(writes as readonly Write[]);
      // Of what it has read, too.
      await store.flushed();
      return {
        scheduled: outcomes.filter(({ kind }) => kind === 'written').length,
        next: next ? `${next.storedAt}/${next.eventId}` : null,
      };
    },
  };
}
