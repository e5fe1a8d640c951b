import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Stored } from '@parcelway/store/store';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { isLive, writeOf } from '../endpoints/endpoint-store.ts';
import { endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import {
  type DeliveryDocument,
  deliveries,
  documentOf,
  isHeld,
  keyOfDelivery,
  placed,
  storedWhenLeased,
} from '../intake/deliveries-collection.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { GrowingPace } from '../intake/growing-pace.ts';
import { DEFER_RESULTS_MS, nameOf, type UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { type AttemptResult, changeAfter, resultsByEndpoint } from './domain/attempt.ts';

/** The endpoint after its results of a batch. */
type Health = (endpoint: Endpoint, results: readonly AttemptResult[]) => Endpoint;
type Change = Partial<DeliveryDocument>;

/** Attempts that a delivery keeps: as many as are ever listed, at about a kilobyte each. */
const MAX_ATTEMPTS_KEPT = 200;
/** Of more endpoints, the health is known from what was leased alone. */
const MAX_FAILED = 10_000;

/** When a lease that is given back can be taken again. @param until not before, epoch milliseconds; default: at once */
export const dueAgain = ({ nextAttemptAt }: Pick<DeliveryDocument, 'nextAttemptAt'>, until = 0): number =>
  Math.max(nextAttemptAt ?? 0, until);

/** What a lease that is given back changes. */
export const released = (value: Pick<DeliveryDocument, 'nextAttemptAt'>, until?: number): Change => ({ due: dueAgain(value, until) });

/** A delivery after a result. */
interface Recorded {
  readonly after: Delivery;
  readonly due: number | null;
  readonly attempts: NonNullable<DeliveryDocument['attempts']>;
}

/**
 * What a result makes of its delivery; undefined when it was written down before. See changeAfter in ./domain/attempt.ts.
 * @param value the delivery as it is @param isLeased true while the lease lasts that it was sent under
 */
function recorded(
  result: AttemptResult,
  value: Delivery & Pick<DeliveryDocument, 'due' | 'attempts'>,
  isLeased: boolean,
): Recorded | undefined {
  const { attempt } = result;
  const { attempts = [] } = value;
  if (attempts.some(({ attemptId }) => attemptId === attempt.attemptId)) return undefined;
  const change = changeAfter(result);
  const isSettled = change === 'succeed' || (change === 'settle' && isLeased);
  const { status, nextAttemptAt, nextReason } = isSettled ? result : value;
  // Field by field: it is made for each delivery, and copies of objects are slow.
  return {
    after: {
      tenantId: value.tenantId,
      eventId: value.eventId,
      endpointId: value.endpointId,
      deliveryId: value.deliveryId,
      eventType: value.eventType,
      poNumber: value.poNumber,
      status,
      attemptCount: value.attemptCount + 1,
      step: isSettled ? value.step + 1 : value.step,
      test: value.test,
      nextAttemptAt,
      nextReason,
      lastStatusCode: attempt.statusCode,
      createdAt: value.createdAt,
    },
    due: isSettled ? nextAttemptAt : isLeased ? dueAgain(value) : (value.due ?? null),
    attempts: attempts.length === 0 ? [attempt] : [...attempts, attempt].slice(-MAX_ATTEMPTS_KEPT),
  };
}

/** The document of a delivery after a result. */
const recordedDocument = ({ after, due, attempts }: Recorded): DeliveryDocument => Object.assign(documentOf(after, due), { attempts });

/** The fields that a result changes. */
function recordedChange({ after, due, attempts }: Recorded): Change {
  const { status, attemptCount, step, nextAttemptAt, nextReason, lastStatusCode } = after;
  return { status, attemptCount, step, nextAttemptAt, nextReason, lastStatusCode, attempts, ...(placed(after, due) as Change) };
}

/**
 * True when results say nothing new of their endpoint: all are successes, and it had no failures when they were leased. What has failed in another
 * process since, a success finds that is leased later.
 */
function isKnownHealth(results: readonly AttemptResult[], health: Health): boolean {
  return results.every(({ status, leased: { endpoint } }) => status === 'succeeded' && health(endpoint, results) === endpoint);
}

/** True for a disabled endpoint that is as results have disabled it. */
const isSameDisabling = ({ disablingToPublish }: Endpoint, meant: Endpoint | undefined): boolean =>
  meant !== undefined && disablingToPublish === meant.disablingToPublish;

/** Results by the names of their deliveries, in groups in which no delivery has two. */
function inRounds(results: readonly AttemptResult[]): readonly ReadonlyMap<string, AttemptResult>[] {
  const rounds: Map<string, AttemptResult>[] = [];
  for (const result of results) {
    const name = nameOf(result.leased.delivery);
    let round = rounds.find((one) => !one.has(name));
    if (round === undefined) {
      round = new Map();
      rounds.push(round);
    }
    round.set(name, result);
  }
  return rounds;
}

/**
 * Writes results down.
 *
 * Crashes and races: a result and its log entry are one write onto the version that was leased; when that is lost, it is decided again on the delivery as
 * it is. The id of the attempt keeps it from being written twice, so a batch that failed half-way is simply written again. The health of endpoints is
 * written before: after a crash between the two, the result of the attempt that is made again says the same.
 *
 * @param unstored what this process sends and has not stored yet
 */
export function createResultWriter(store: Store, unstored: UnstoredDeliveries, pace: GrowingPace) {
  /** Endpoints of which this process has recorded a failure since their last success: at most {@link MAX_FAILED}. */
  const failed = new Set<string>();
  /** Endpoints that results may have disabled. `record` returns them once all results are written. */
  const unreported = new Map<string, Endpoint>();

  /** Writes down results of different deliveries. @param results by the names of these */
  async function recordStates(results: ReadonlyMap<string, AttemptResult>): Promise<void> {
    const first = new Map<string, DeliveryDocument>();
    for (const [name, result] of results) {
      const made = unstored.has(name) ? recorded(result, result.leased.delivery, true) : undefined;
      if (made !== undefined) first.set(name, recordedDocument(made));
    }
    const inserted = await unstored.store(first);
    if (inserted.size === results.size) return;
    let open = [...results].flatMap(([name, result]) => (inserted.has(name) ? [] : result));
    // Of a first attempt everything is known. Of others the log is read first.
    let isKnown = ({ attemptCount }: Delivery): boolean => attemptCount === 0;
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
        const made = current && recorded(result, current.value, isHeld(result.leased, current));
        return current === undefined || made === undefined
          ? []
          : { result, write: { in: deliveries, patch: current, set: recordedChange(made) } };
      });
      const outcomes = await store.apply(
        decided.map(({ write }) => write),
        // What is lost with the power is sent again under the same webhook-id.
        { deferMs: DEFER_RESULTS_MS, flushLater: true },
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
      // What was decided before was not written: another was quicker.
      disabled.clear();
      const writes = keys.flatMap((key) => {
        const stored = known.get(endpoints, key);
        if (stored === undefined || !isLive(stored)) return [];
        const current = endpointOf(stored.value);
        const { endpointId, status } = current;
        const changed = health(current, groups.get(endpointId) ?? []);
        const isUnreported = status === 'disabled' ? isSameDisabling(current, unreported.get(endpointId)) : changed.status === 'disabled';
        if (isUnreported) disabled.set(endpointId, changed);
        return changed === current ? [] : [writeOf(stored, changed)];
      });
      for (const [id, endpoint] of disabled) unreported.set(id, endpoint);
      return { writes, result: undefined };
    });
    for (const [id, group] of groups) if (group.every(({ status }) => status === 'succeeded')) failed.delete(id);
    return [...disabled.values()];
  }

  return {
    /**
     * Writes down finished attempts; the same ones may come again after a failure. A result whose lease was lost, or whose delivery was held or
     * asked for again meanwhile, is logged; it changes the state only if it succeeded. See changeAfter in ./domain/attempt.ts for the state.
     * Two results of one delivery under two leases may be logged in either order.
     * @returns endpoints that became disabled by it
     */
    async record(results: readonly AttemptResult[], health: Health): Promise<readonly Endpoint[]> {
      if (results.length === 0) return [];
      pace.begun(results.length);
      const disabled = await recordHealth(results, health);
      for (const round of inRounds(results)) await recordStates(round);
      for (const id of resultsByEndpoint(results).keys()) unreported.delete(id);
      return disabled;
    },

    /** Resolves when the next results are to be written down: what comes until then is written with them. */
    untilRecordable: (): Promise<void> => pace.turn(),
  };
}
