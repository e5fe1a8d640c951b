import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { circuitOf, type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { LIVE } from '../../endpoints/adapters/mongo-endpoints.ts';
import { type Endpoint, leasable } from '../../endpoints/domain/endpoint.ts';
import { type DeliveryDocument, deliveries, deliveryOf } from '../../intake/adapters/mongo-delivery-documents.ts';
import { type EventDocument, eventKey, events, originOf } from '../../intake/adapters/mongo-event-documents.ts';
import type { UnstoredDeliveries } from '../../intake/adapters/mongo-unstored.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { DeliveryQueue } from '../ports.ts';
import { DoubtedLeases, ENDED, endOverlong, keyOfLeased, released, releaseWrite } from './mongo-lease.ts';
import { createOrphanSweep } from './mongo-orphan-sweep.ts';
import { createRecord } from './mongo-record.ts';

/** Looks for due deliveries at most so often when other processes took what was found. */
const MAX_LOOKS = 3;

/** Leases given back in one batch. */
const RELEASE_BATCH = 1000;

/** Earlier than any. */
const EVER = 0;

interface DueEndpoint extends EndpointDocument {
  /** The longest due first. */
  readonly due: readonly { readonly _id: string }[];
}

interface ReadyEndpoint {
  readonly endpoint: Endpoint;
  readonly due: DueEndpoint['due'];
}

/** The deliveries that may be leased. With their tenants, which say which shards they are on. */
function dueOf(ready: readonly ReadyEndpoint[]) {
  const ids = ready.flatMap(({ due }) => due.map((one) => one._id));
  return { _id: { $in: ids }, tenant_id: { $in: [...new Set(ready.map(({ endpoint }) => endpoint.tenantId))] } };
}

type Wanted = ReadonlyMap<string, number>;

/** How many of the deliveries of each endpoint others have taken. */
function lostOf(ready: readonly ReadyEndpoint[], taken: ReadonlyMap<string, unknown>): Wanted {
  const counts = ready.map(({ endpoint, due }): [string, number] => [endpoint.endpointId, due.filter((one) => !taken.has(one._id)).length]);
  return new Map(counts.filter(([, count]) => count > 0));
}

type SentEvent = Pick<EventDocument, '_id' | 'body' | 'occurred_at' | 'traceparent'>;
const SENT_EVENT = { body: 1, occurred_at: 1, traceparent: 1 } as const;

const WITHOUT_LOG = { projection: { attempts: 0 }, ...AT_ONCE } as const;

/** The endpoints that are wanted, each with its due deliveries: one round trip, read from the queue's index. */
function look(stored: mongo.Collection<EndpointDocument>, wanted: Wanted, now: number): Promise<DueEndpoint[]> {
  const due = [
    { $match: { available_at: { $gte: EVER, $lte: now } } },
    { $sort: { available_at: 1 } },
    { $limit: Math.max(...wanted.values()) },
    { $project: { _id: 1 } },
  ];
  const join = { from: deliveries.name, localField: '_id', foreignField: 'endpoint_id', pipeline: due, as: 'due' };
  const pipeline = [{ $match: { _id: { $in: [...wanted.keys()] } } }, { $lookup: join }];
  return stored.aggregate<DueEndpoint>(pipeline, AT_ONCE).toArray();
}

async function eventsOf(
  stored: mongo.Collection<EventDocument>,
  taken: readonly DeliveryDocument[],
): Promise<ReadonlyMap<string, SentEvent>> {
  const keys = new Set(taken.map(({ tenant_id, event_id }) => eventKey(tenant_id, event_id)));
  const these = { _id: { $in: [...keys] }, tenant_id: { $in: [...new Set(taken.map((one) => one.tenant_id))] } };
  const found = await stored.find<SentEvent>(these, { projection: SENT_EVENT, hint: { _id: 1 }, ...AT_ONCE }).toArray();
  return new Map(found.map((event) => [event._id, event]));
}

type Taken = ReturnType<typeof dueOf> & { readonly lease_owner: string; readonly lease_call: number };

/** Ends leases that may be there. @returns that this is not settled: a write that timed out may still happen */
async function endTaken(db: MongoDatabase, stored: mongo.Collection<DeliveryDocument>, takes: readonly Taken[], leaseUntil: number) {
  for (const taken of takes) await db.run(() => stored.updateMany({ ...taken, available_at: leaseUntil }, ENDED, { hint: { _id: 1 } }));
  return false;
}

/** Leases the due deliveries of one call. @param doubts gets what may be leased when a call fails */
function createLease(db: MongoDatabase, owner: string, doubts: DoubtedLeases): DeliveryQueue['lease'] {
  const stored = {
    endpoints: collectionOf(db, endpoints),
    events: collectionOf(db, events),
    deliveries: collectionOf(db, deliveries),
  };
  const orphanSweep = createOrphanSweep(db);
  let calls = 0;

  /** Sees to what must not be sent. @returns the endpoints that may be sent to */
  async function sift(wanted: Wanted, found: readonly DueEndpoint[], now: number): Promise<ReadyEndpoint[]> {
    const known = new Set(found.map(({ _id }) => _id));
    const gone = [...wanted.keys()].filter((endpointId) => !known.has(endpointId));
    if (gone.length > 0) await orphanSweep.dropOrphans(gone, now, Math.max(...wanted.values()));
    // What has no place any more is deleted, and left to the maintenance.
    const live = found.filter(({ slot, due }) => slot !== undefined && due.length > 0);
    for (const endpoint of live) if (endpoint.status === 'disabled') await orphanSweep.hold(endpoint, endpoint.due.length);
    return live.map((one) => {
      const endpoint = endpointOf(one);
      return { endpoint, due: one.due.slice(0, leasable(endpoint, wanted.get(one._id) ?? 0, now)) };
    });
  }

  /**
   * Leases those of the deliveries that are still due. They are read after that: then no other process changes them.
   * @param takes gets what is leased, before it is
   */
  async function take(ready: readonly ReadyEndpoint[], now: number, leaseUntil: number, takes: Taken[]): Promise<DeliveryDocument[]> {
    const these = dueOf(ready);
    calls += 1;
    const lease = { lease_owner: owner, lease_call: calls };
    takes.push({ ...these, ...lease });
    const { modifiedCount } = await stored.deliveries.updateMany(
      { ...these, available_at: { $gte: EVER, $lte: now } },
      { $set: { available_at: leaseUntil, ...lease } },
      { hint: { _id: 1 } },
    );
    if (modifiedCount === 0) return [];
    return stored.deliveries.find({ ...these, ...lease }, { ...WITHOUT_LOG, hint: { _id: 1 } }).toArray();
  }

  async function leaseOnce(
    wanted: Wanted,
    now: number,
    leaseUntil: number,
    takes: Taken[],
  ): Promise<{ leased: LeasedDelivery[]; lost: Wanted }> {
    const ready = await sift(wanted, await look(stored.endpoints, wanted, now), now);
    const ids = ready.flatMap(({ due }) => due.map((one) => one._id));
    if (ids.length === 0) return { leased: [], lost: new Map() };
    const taken = new Map((await take(ready, now, leaseUntil, takes)).map((one) => [one._id, one]));
    const events = await eventsOf(stored.events, [...taken.values()]);
    const byId = new Map(ready.map(({ endpoint }) => [endpoint.endpointId, endpoint]));
    const bodiless: string[] = [];
    const leased = ids.flatMap((id) => {
      const one = taken.get(id);
      const endpoint = one && byId.get(one.endpoint_id);
      if (!one || !endpoint) return [];
      const event = events.get(eventKey(one.tenant_id, one.event_id));
      if (event !== undefined) return [{ endpoint, delivery: deliveryOf(one), body: event.body, origin: originOf(event), leaseUntil }];
      bodiless.push(id);
      return [];
    });
    // Replayed in the moment in which the retention deleted its event.
    if (bodiless.length > 0) await stored.deliveries.deleteMany({ _id: { $in: bodiless } });
    return { leased, lost: lostOf(ready, taken) };
  }

  return async (wanted, now, leaseUntil) => {
    let open: Wanted = new Map(wanted.map(({ endpointId, count }) => [endpointId, count]));
    const all: LeasedDelivery[] = [];
    const takes: Taken[] = [];
    try {
      for (let looks = 0; looks < MAX_LOOKS && open.size > 0; looks += 1) {
        const { leased, lost } = await db.run(() => leaseOnce(open, now, leaseUntil, takes));
        all.push(...leased);
        open = lost;
      }
      return all;
    } catch (error) {
      doubts.add(() => endTaken(db, stored.deliveries, takes, leaseUntil), leaseUntil);
      throw error;
    }
  };
}

/** Leases of clocks that were ahead are looked for this often: they are rare, and hold for minutes. */
const OVERLONG_EVERY_MS = 15_000;

/**
 * The queue in MongoDB, for any number of processes.
 *
 * Crashes and races: a delivery is leased by one conditional write of its document, under the name of the process and
 * for a time; what a process held when it ended is due again when that time is over. A lease is long beside the seconds
 * by which clocks differ, one of a clock that was far ahead is ended by whoever goes over the endpoints, and a delivery
 * that two send is one webhook-id twice. A lease whose response was lost is ended at the next look. See mongo-record for results.
 *
 * @param owner name of this process in the leases
 * @param unstored what this process sends and has not stored yet
 */
export function createMongoQueue(db: MongoDatabase, owner: string, unstored: UnstoredDeliveries): DeliveryQueue {
  const stored = collectionOf(db, deliveries);
  const storedEndpoints = collectionOf(db, endpoints);
  const doubts = new DoubtedLeases();
  /** When leases of clocks that were ahead were looked for last, epoch milliseconds. */
  let overlongAt = Number.NEGATIVE_INFINITY;

  async function endOverlongAtTimes(now: number): Promise<void> {
    if (Math.abs(now - overlongAt) < OVERLONG_EVERY_MS) return;
    await endOverlong(stored, now);
    overlongAt = now;
  }

  /**
   * Those of the endpoints that leave their deliveries in the queue, because they are paused or their circuit is open: leasing would yield
   * nothing. Disabled and deleted ones are not among them: the lease holds or deletes their deliveries.
   */
  async function waiting(endpointIds: readonly string[], now: number): Promise<ReadonlySet<string>> {
    if (endpointIds.length === 0) return new Set();
    const existing = { _id: { $in: [...endpointIds] }, status: { $ne: 'disabled' as const }, ...LIVE };
    const options = { projection: { status: 1, circuit: 1 }, ...AT_ONCE };
    const found = await storedEndpoints.find<Pick<EndpointDocument, '_id' | 'status' | 'circuit'>>(existing, options).toArray();
    const waits = found.filter((one) => leasable({ status: one.status, circuit: circuitOf(one) }, 1, now) === 0);
    return new Set(waits.map(({ _id }) => _id));
  }

  async function giveBack(leased: readonly LeasedDelivery[], until: number | undefined): Promise<void> {
    const changes = new Map(leased.map((one) => [keyOfLeased(one), released(until)]));
    const first = await unstored.store(changes);
    const rest = leased.filter((one) => !first.has(keyOfLeased(one)));
    for (let start = 0; start < rest.length; start += RELEASE_BATCH) {
      const writes = rest.slice(start, start + RELEASE_BATCH).map((one) => releaseWrite(one, owner, until));
      await db.run(() => stored.bulkWrite(writes, { ordered: false }));
    }
  }

  return {
    async dueEndpoints({ after, now, limit }) {
      await doubts.end(now);
      return db.run(async () => {
        if (after === '') await endOverlongAtTimes(now);
        // The server jumps in the index from endpoint to endpoint, however many deliveries each has (DISTINCT_SCAN). It
        // looks at some thousand endpoints before it applies the limit, so large pages cost no more than small ones.
        const looked = await stored
          .aggregate<{ _id: string; first: number }>(
            [
              { $match: { endpoint_id: { $gt: after }, available_at: { $gte: EVER } } },
              { $sort: { endpoint_id: 1, available_at: 1 } },
              { $group: { _id: '$endpoint_id', first: { $first: '$available_at' } } },
              { $limit: limit },
            ],
            AT_ONCE,
          )
          .toArray();
        const due = looked.filter(({ first }) => first <= now).map(({ _id }) => _id);
        const waits = await waiting(due, now);
        return {
          endpointIds: due.filter((endpointId) => !waits.has(endpointId)),
          next: looked.length < limit ? null : (looked.at(-1)?._id ?? null),
          nextDueAt: looked.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
        };
      });
    },
    backlogOf: (endpointIds, now, limit) =>
      db.run(async () => {
        const due = { endpoint_id: { $in: [...endpointIds] }, available_at: { $gte: EVER, $lte: now } };
        const counted = { _id: null, count: { $sum: 1 }, oldest: { $min: '$available_at' } };
        // Read from the queue's index alone.
        const pipeline = [{ $match: due }, { $limit: limit }, { $project: { available_at: 1, _id: 0 } }, { $group: counted }];
        const [found] = await stored.aggregate<{ count: number; oldest: number }>(pipeline, { hint: 'queue' }).toArray();
        return { count: found?.count ?? 0, oldestDueAt: found?.oldest ?? null };
      }),
    lease: createLease(db, owner, doubts),
    async release(leased, until) {
      try {
        await giveBack(leased, until);
      } catch (error) {
        const again = (): Promise<boolean> => giveBack(leased, until).then(() => true);
        doubts.add(again, Math.max(...leased.map(({ leaseUntil }) => leaseUntil)));
        throw error;
      }
    },
    ...createRecord(db, owner, unstored),
  };
}
