import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Stored } from '@parcelway/store/store';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { isLive, writeOf } from '../endpoints/endpoint-store.ts';
import { endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import { type DeliveryDocument, deliveries, isHeld, keyOfDelivery, placed, storedWhenLeased } from '../intake/deliveries-collection.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { WritePace } from '../intake/ports.ts';
import { nameOf, type UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { type AttemptResult, changeAfter, resultsByEndpoint } from './domain/attempt.ts';
import type { DeliveryQueue } from './ports.ts';

type Health = Parameters<DeliveryQueue['record']>[1];
type Change = Partial<DeliveryDocument>;

/** Attempts that a delivery keeps: as many as are ever listed, at about a kilobyte each. */
const MAX_ATTEMPTS_KEPT = 200;
/** The webhooks are sent: that they were is written down together with what else there is to write in this time. */
const DEFER_MS = 25;
/** Of more endpoints, the health is known from what was leased alone. */
const MAX_FAILED = 10_000;

/** What a lease that is given back changes. @param until it cannot be leased before, epoch milliseconds; default: it can be leased at once */
export const released = ({ nextAttemptAt }: Pick<DeliveryDocument, 'nextAttemptAt'>, until = 0): Change => ({
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
 * Writes results down.
 *
 * Crashes and races: a result and its log entry are one write onto the version that was leased; when that is lost, it is decided again on the delivery as
 * it is. The id of the attempt keeps it from being written twice, so a batch that failed half-way is simply written again. The health of endpoints is
 * written before: after a crash between the two, the result of the attempt that is made again says the same.
 *
 * @param unstored what this process sends and has not stored yet
 */
export function createResultWriter(
  store: Store,
  unstored: UnstoredDeliveries,
  pace: WritePace,
): Pick<DeliveryQueue, 'record' | 'untilRecordable'> {
  /** Endpoints of which this process has recorded a failure since their last success: at most {@link MAX_FAILED}. */
  const failed = new Set<string>();

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
