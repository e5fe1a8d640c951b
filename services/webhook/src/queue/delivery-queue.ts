import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Outcome, Store, Stored } from '@parcelway/store/store';
import { type Endpoint, leasable } from '../endpoints/domain/endpoint.ts';
import { isLive, storedEndpoints, writeOf } from '../endpoints/endpoint-store.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import {
  type DeliveryDocument,
  deliveries,
  deliveryOf,
  isHeld,
  keyOfDelivery,
  placed,
  storedWhenLeased,
} from '../intake/deliveries-collection.ts';
import type { Delivery, LeasedDelivery } from '../intake/domain/delivery.ts';
import { events, originOf } from '../intake/event-collections.ts';
import type { WritePace } from '../intake/ports.ts';
import { nameOf, type UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { type AttemptResult, changeAfter, resultsByEndpoint } from './domain/attempt.ts';
import { holdPending } from './hold-pending.ts';
import type { DeliveryQueue } from './ports.ts';

type Health = Parameters<DeliveryQueue['record']>[1];
type Change = Partial<DeliveryDocument>;

/** Attempts that a delivery keeps: as many as are ever listed, at about a kilobyte each. */
const MAX_ATTEMPTS_KEPT = 200;
/** The webhooks are sent: that they were is written down together with what else there is to write in this time. */
const DEFER_MS = 25;
/** Endpoints that are looked at side by side. */
const AT_ONCE = 50;
/** Of more endpoints, the health is known from what was leased alone. */
const MAX_FAILED = 10_000;

/** Does something for each of many, some side by side. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    results.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(work))));
  return results;
}

/** What a lease that is given back changes. @param until it cannot be leased before, epoch milliseconds; default: it can be leased at once */
const released = ({ nextAttemptAt }: Pick<DeliveryDocument, 'nextAttemptAt'>, until = 0): Change => ({
  due: Math.max(nextAttemptAt ?? 0, until),
});

/** What a result changes of its delivery; undefined when it was written down before. See changeAfter in ./domain/attempt.ts. */
function changeBy({ leased, attempt, ...result }: AttemptResult, current: Stored<DeliveryDocument>): Change | undefined {
  const { value } = current;
  const { attempts = [], attemptCount, step } = value;
  if (attempts.some(({ attemptId }) => attemptId === attempt.attemptId)) return undefined;
  const logged: Change = {
    attemptCount: attemptCount + 1,
    lastStatusCode: attempt.statusCode,
    attempts: [...attempts, attempt].slice(-MAX_ATTEMPTS_KEPT),
  };
  const change = changeAfter(result);
  if (change !== 'succeed' && !isHeld(leased, current)) return logged;
  if (change === 'release') return { ...logged, ...released(value) };
  const { status, nextAttemptAt, nextReason } = result;
  const settled = { status, nextAttemptAt, nextReason, step: step + 1 };
  return { ...logged, ...settled, ...(placed({ ...value, ...settled }) as Change) };
}

/**
 * True when results say nothing new of their endpoint: all are successes, and it had no failures when they were leased. What has failed in another
 * process since, a success finds that is leased later.
 */
function isKnownHealth(results: readonly AttemptResult[], health: Health): boolean {
  return results.every(({ status, leased: { endpoint } }) => status === 'succeeded' && health(endpoint, results) === endpoint);
}

/** Results in groups in which no delivery has two. */
function inRounds(results: readonly AttemptResult[]): readonly (readonly AttemptResult[])[] {
  const rounds: AttemptResult[][] = [];
  const counts = new Map<string, number>();
  for (const result of results) {
    const name = nameOf(result.leased.delivery);
    const round = counts.get(name) ?? 0;
    counts.set(name, round + 1);
    rounds[round] = [...(rounds[round] ?? []), result];
  }
  return rounds;
}

/**
 * The queue, for any number of processes.
 *
 * Crashes and races: a lease is a claim of the store: what a process held when it ended is due again when its time is over. A delivery that two send is one
 * webhook-id twice. A result and its log entry are one write onto the version that was leased; when that is lost, it is decided again on the delivery as
 * it is. The id of the attempt keeps it from being written twice, so a batch that failed half-way is simply written again. The health of endpoints is written
 * before: after a crash between the two, the result of the attempt that is made again says the same.
 *
 * A pending delivery may be left behind at an endpoint that was disabled or deleted while its event was stored: whoever would lease it holds or
 * deletes it.
 *
 * @param unstored what this process sends and has not stored yet
 */
export function createDeliveryQueue(store: Store, unstored: UnstoredDeliveries, pace: WritePace): DeliveryQueue {
  /** Endpoints of which this process has recorded a failure since their last success: at most {@link MAX_FAILED}. */
  const failed = new Set<string>();

  /** Claims due deliveries of an endpoint, and sees to those that must not be sent. */
  async function claim(endpointId: string, stored: Stored<EndpointDocument> | undefined, count: number, now: number, until: number) {
    if (stored === undefined) {
      await store.deleteRange(deliveries.by.due, { eq: [endpointId], to: now + 1, limit: count });
      return [];
    }
    // What is deleted is left to the maintenance.
    if (!isLive(stored)) return [];
    if (stored.value.status === 'disabled') {
      await holdPending(store, stored, count);
      return [];
    }
    const limit = leasable(endpointOf(stored.value), count, now);
    return limit === 0 ? [] : store.claimDue(deliveries.by.due, { group: endpointId, now, until, limit });
  }

  async function giveBack(leased: readonly LeasedDelivery[], until?: number): Promise<void> {
    const changes = new Map(leased.map((one) => [nameOf(one.delivery), released(one.delivery, until)]));
    const first = await unstored.store(changes);
    let open = leased.filter((one) => !first.has(nameOf(one.delivery))).map((one) => ({ one, current: storedWhenLeased(one) }));
    await untilWritten(async () => {
      const writes = open.map(({ one, current }) => ({ in: deliveries, patch: current, set: released(one.delivery, until) }));
      const outcomes = await store.apply(writes);
      open = open.flatMap(({ one }, place) => {
        const outcome = outcomes[place] as Outcome<DeliveryDocument>;
        return outcome.kind === 'lost' && outcome.current && isHeld(one, outcome.current) ? { one, current: outcome.current } : [];
      });
      return open.length === 0 || undefined;
    });
  }

  /** Writes down results of different deliveries. */
  async function recordStates(results: readonly AttemptResult[]): Promise<void> {
    const first = new Map<string, Change>();
    for (const result of results) {
      const name = nameOf(result.leased.delivery);
      if (unstored.has(name)) first.set(name, changeBy(result, storedWhenLeased(result.leased)) ?? {});
    }
    const inserted = await unstored.store(first);
    let open = results.filter(({ leased }) => !inserted.has(nameOf(leased.delivery)));
    // Of a first attempt everything is known. Of others the log is read first.
    let isKnown = ({ attemptCount }: Delivery): boolean => attemptCount === 0;
    if (open.length === 0) return;
    await untilWritten(async () => {
      const unread = open.map(({ leased }) => leased.delivery).filter((delivery) => !isKnown(delivery));
      const read = new Map<string, Stored<DeliveryDocument>>();
      for (const stored of await store.read(deliveries, unread.map(keyOfDelivery), { with: ['attempts'] })) {
        read.set(nameOf(stored.value), stored);
      }
      // Those that are gone were deleted with their endpoint, or by the retention, while the attempt ran.
      const decided = open.flatMap((result) => {
        const { delivery } = result.leased;
        const current = isKnown(delivery) ? storedWhenLeased(result.leased) : read.get(nameOf(delivery));
        const set = current && changeBy(result, current);
        return current === undefined || set === undefined ? [] : { result, write: { in: deliveries, patch: current, set } };
      });
      const outcomes = await store.apply(
        decided.map(({ write }) => write),
        // What is lost with the power is sent again under the same webhook-id.
        { deferMs: DEFER_MS, flushLater: true },
      );
      open = decided.flatMap(({ result }, place) => (outcomes[place]?.kind === 'lost' ? result : []));
      isKnown = () => false;
      return open.length === 0 || undefined;
    });
  }

  /** @returns endpoints that became disabled */
  async function recordHealth(results: readonly AttemptResult[], health: Health): Promise<readonly Endpoint[]> {
    const groups = new Map([...resultsByEndpoint(results)].filter(([id, group]) => failed.has(id) || !isKnownHealth(group, health)));
    if (groups.size === 0) return [];
    for (const [id, group] of groups) if (group.some(({ status }) => status !== 'succeeded')) failed.add(id);
    for (const id of failed) if (failed.size > MAX_FAILED) failed.delete(id);
    const keys = [...groups.keys()].map((id) => [id]);
    const disabled = new Map<string, Endpoint>();
    await store.change([{ in: endpoints, keys }], (known) => {
      const writes = keys.flatMap((key) => {
        const stored = known.get(endpoints, key);
        if (stored === undefined || !isLive(stored)) return [];
        const current = endpointOf(stored.value);
        const changed = health(current, groups.get(current.endpointId) ?? []);
        if (changed === current) return [];
        if (changed.status === 'disabled' && current.status !== 'disabled') disabled.set(current.endpointId, changed);
        return [writeOf(stored, changed)];
      });
      return { writes, result: undefined };
    });
    for (const [id, group] of groups) if (group.every(({ status }) => status === 'succeeded')) failed.delete(id);
    return [...disabled.values()];
  }

  return {
    async dueEndpoints({ after, now, limit }) {
      const looked = await store.groups(deliveries.by.due, { ...(after !== '' && { after }), limit });
      const due = looked.flatMap(({ group, first }) => (Number(first) <= now ? String(group) : []));
      const stored = await storedEndpoints(store, due);
      // Leasing would yield nothing of those that are paused or whose circuit is open.
      const waits = (endpointId: string): boolean => {
        const value = stored.get(endpointId)?.value;
        return value !== undefined && value.status !== 'disabled' && leasable(value, 1, now) === 0;
      };
      return {
        endpointIds: due.filter((endpointId) => !waits(endpointId)),
        next: looked.length < limit ? null : String(looked.at(-1)?.group),
        nextDueAt: Math.min(Number.POSITIVE_INFINITY, ...looked.map(({ first }) => Number(first))),
      };
    },

    async backlogOf(endpointIds, now, limit) {
      const counts = await inTurns(endpointIds, (id) => store.count(deliveries.by.due, { eq: [id], to: now + 1, most: limit }));
      const oldest = counts.flatMap(({ first }) => (first === undefined ? [] : Number(first)));
      const count = counts.reduce((sum, one) => sum + one.count, 0);
      return { count: Math.min(limit, count), oldestDueAt: oldest.length === 0 ? null : Math.min(...oldest) };
    },

    async lease(wanted, now, leaseUntil) {
      const keys = wanted.map(({ endpointId }) => [endpointId]);
      const found = new Map((await store.read(endpoints, keys)).map((stored) => [stored.value.endpointId, stored]));
      const claimed = await inTurns(wanted, ({ endpointId, count }) => claim(endpointId, found.get(endpointId), count, now, leaseUntil));
      const taken = claimed.flat();
      const sent = await store.read(
        events,
        taken.map(({ value: { eventId, tenantId } }) => [eventId, tenantId]),
      );
      const bodies = new Map(sent.map(({ value }) => [`${value.eventId} ${value.tenantId}`, value]));
      const leased = taken.flatMap(({ value, version }): LeasedDelivery[] => {
        const event = bodies.get(`${value.eventId} ${value.tenantId}`);
        const endpoint = found.get(value.endpointId);
        if (event === undefined || endpoint === undefined) return [];
        const { body } = event;
        return [{ endpoint: endpointOf(endpoint.value), delivery: deliveryOf(value), body, origin: originOf(event), leaseUntil, version }];
      });
      // Replayed in the moment in which the retention deleted its event.
      const bodiless = taken.filter(({ value }) => !bodies.has(`${value.eventId} ${value.tenantId}`));
      await store.apply(bodiless.map((stored) => ({ in: deliveries, delete: stored })));
      return leased;
    },

    release: giveBack,

    async record(results, health) {
      if (results.length === 0) return [];
      pace.begun(results.length);
      const disabled = await recordHealth(results, health);
      for (const round of inRounds(results)) await recordStates(round);
      return disabled;
    },

    untilRecordable: () => pace.turn(),
  };
}

/** Leases that end within this time are looked for when a store is opened. */
const MAX_LEASE_MS = 120_000;
const RECLAIM_AT_ONCE = 500;

/** Ends the leases of the process that had the store before. @param now epoch milliseconds */
export async function reclaimLeases(store: Store, now: number): Promise<void> {
  const groups = { limit: RECLAIM_AT_ONCE } as const;
  for (let page = await store.groups(deliveries.by.due, groups); page.length > 0; ) {
    for (const { group } of page) {
      const range = { eq: [group], from: now, to: now + MAX_LEASE_MS, limit: RECLAIM_AT_ONCE };
      let after: string | null | undefined;
      do {
        const { items, next } = await store.find(deliveries.by.due, { ...range, ...(after && { after }) });
        const leased = items.filter(({ value }) => value.due !== value.nextAttemptAt);
        await store.apply(leased.map((stored) => ({ in: deliveries, patch: stored, set: released(stored.value) })));
        after = next;
      } while (after !== null);
    }
    page = await store.groups(deliveries.by.due, { ...groups, after: page.at(-1)?.group as string });
  }
}
