import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { WritePace } from '@parcelway/mongo/mongo-write-pace';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { LIVE, writeEndpoint } from '../../endpoints/adapters/mongo-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { type AttemptFields, type DeliveryDocument, deliveries } from '../../intake/adapters/mongo-delivery-documents.ts';
import type { UnstoredDeliveries } from '../../intake/adapters/mongo-unstored.ts';
import { type AttemptResult, changeAfter, resultsByEndpoint } from '../domain/attempt.ts';
import type { DeliveryQueue } from '../ports.ts';
import { keyOfLeased, releaseWrite } from './mongo-lease.ts';
import { NOT_AVAILABLE } from './mongo-orphan-sweep.ts';

type Health = Parameters<DeliveryQueue['record']>[1];
type Write = mongo.AnyBulkWriteOperation<DeliveryDocument>;

/** Batches begin at most this far apart: nobody waits for what they write, but what was sent and not written is sent again after a crash. */
const MAX_GAP_MS = 120;
/** With four results in a batch it waits as long as it may: from some thirty webhooks a second on. */
const GAP_FOR_EACH_MS = 30;

/** Attempts that a delivery keeps: as many as are ever listed, at about a kilobyte each. */
const MAX_ATTEMPTS_KEPT = 200;

function fieldsOf({ attempt }: AttemptResult): AttemptFields {
  return {
    attempt_id: attempt.attemptId,
    url: attempt.url,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
    ...(attempt.errorCode === null ? {} : { error_code: attempt.errorCode }),
    retry_after: attempt.retryAfter,
    response_body: attempt.responseBody,
  };
}

/** The delivery, unless this result has been written down before. */
function unrecorded({ leased, attempt }: AttemptResult) {
  return { _id: keyOfLeased(leased), tenant_id: leased.delivery.tenantId, 'attempts.attempt_id': { $ne: attempt.attemptId } };
}

const logOf = (result: AttemptResult) => ({ attempts: { $each: [fieldsOf(result)], $slice: -MAX_ATTEMPTS_KEPT } });

/** A success counts even if the lease was lost. */
function successWrite(result: AttemptResult): Write {
  const set = { status: 'succeeded', next_attempt_at: null, next_reason: null, last_status_code: result.attempt.statusCode } as const;
  const update = { $set: set, $unset: NOT_AVAILABLE, $inc: { attempt_count: 1, step: 1 }, $push: logOf(result) };
  return { updateOne: { filter: unrecorded(result), update, hint: { _id: 1 } } };
}

/** Anything else settles the delivery only while the lease is still the one that it was sent under. */
function failureWrite(result: AttemptResult, owner: string): Write {
  const { leased, status, nextAttemptAt, nextReason, attempt } = result;
  const { available_at, ...lease } = NOT_AVAILABLE;
  const filter = { ...unrecorded(result), status: 'pending' as const, available_at: leased.leaseUntil, lease_owner: owner };
  const set = { status, next_attempt_at: nextAttemptAt, next_reason: nextReason, last_status_code: attempt.statusCode };
  const due = nextAttemptAt === null ? {} : { available_at: nextAttemptAt };
  const unset = nextAttemptAt === null ? NOT_AVAILABLE : lease;
  const update = { $set: { ...set, ...due }, $unset: unset, $inc: { attempt_count: 1, step: 1 }, $push: logOf(result) };
  return { updateOne: { filter, update, hint: { _id: 1 } } };
}

/** Logs an attempt, and leaves state and lease as they are. */
function logWrite(result: AttemptResult): Write {
  const update = { $set: { last_status_code: result.attempt.statusCode }, $inc: { attempt_count: 1 }, $push: logOf(result) };
  return { updateOne: { filter: unrecorded(result), update, hint: { _id: 1 } } };
}

/** What releases a lease is logged here; the lease is given back once the endpoint is written. */
function stateWrite(result: AttemptResult, owner: string): Write {
  const change = changeAfter(result);
  if (change === 'succeed') return successWrite(result);
  return change === 'release' ? logWrite(result) : failureWrite(result, owner);
}

/** A delivery that is not stored yet, after its first attempt: what {@link stateWrite} makes of a stored one. */
function documentAfter(result: AttemptResult): (document: DeliveryDocument) => DeliveryDocument {
  const { status, nextAttemptAt, nextReason, attempt } = result;
  const logged = { attempt_count: 1, last_status_code: attempt.statusCode, attempts: [fieldsOf(result)] };
  if (changeAfter(result) === 'release') return (document) => ({ ...document, ...logged });
  const settled = { ...logged, status, step: 1, next_attempt_at: nextAttemptAt, next_reason: nextReason };
  const due = nextAttemptAt === null ? {} : { available_at: nextAttemptAt };
  return ({ available_at: _at, lease_owner: _owner, lease_call: _call, ...document }) => ({ ...document, ...settled, ...due });
}

/** Of more endpoints, the health is known from what was leased alone. */
const MAX_FAILED = 10_000;

/**
 * True when results say nothing new of their endpoint: all are successes, and it had no failures when they were leased. What has failed in another
 * process since, a success finds that is leased later.
 */
function isKnownHealth(results: readonly AttemptResult[], health: Health): boolean {
  return results.every(({ status, leased: { endpoint } }) => status === 'succeeded' && health(endpoint, results) === endpoint);
}

/**
 * Writes results down: deliveries with their logs in one batch, then the endpoints whose health has changed, and last the
 * leases of what got 410 are given back. First attempts whose deliveries are not stored yet are inserted with their deliveries. What comes
 * during a write, and in the pause behind it that `untilRecordable` waits for, is written by the next one.
 *
 * Crashes and races: a result and its log entry are one write, which the id of the attempt keeps from being made twice;
 * so a batch that failed half-way is simply written again. After a crash between deliveries and health the next result
 * says of the endpoint what this one would have said. A result under a lost lease finds no delivery with that lease and
 * is only logged. Health is decided on the endpoint as it is now, and written on condition of its version.
 *
 * The lease of a delivery that got 410 is given back after its endpoint was disabled: then it is held with the others of the endpoint
 * (mongo-orphan-sweep), and sent if the endpoint is enabled, at once or later. After a crash before that the lease runs out, with the same
 * effect.
 *
 * @param owner name of this process in the leases
 * @param unstored what this process sends and has not stored yet
 */
export function createRecord(
  db: MongoDatabase,
  owner: string,
  unstored: UnstoredDeliveries,
): Pick<DeliveryQueue, 'record' | 'untilRecordable'> {
  const pace = new WritePace(MAX_GAP_MS, GAP_FOR_EACH_MS);
  const stored = { endpoints: collectionOf(db, endpoints), deliveries: collectionOf(db, deliveries) };

  /** Endpoints of which this process has recorded a failure since their last success: at most {@link MAX_FAILED}. */
  const failed = new Set<string>();

  async function recordStates(all: readonly AttemptResult[]): Promise<void> {
    const inserted = await unstored.store(new Map(all.map((result) => [keyOfLeased(result.leased), documentAfter(result)])));
    const results = all.filter(({ leased }) => !inserted.has(keyOfLeased(leased)));
    if (results.length > 0) await db.run(() => updateStates(results));
  }

  async function updateStates(results: readonly AttemptResult[]): Promise<void> {
    const states = results.map((result) => stateWrite(result, owner));
    const { matchedCount } = await stored.deliveries.bulkWrite(states, { ordered: false });
    if (matchedCount === results.length) return;
    // Some had lost their lease, or were written down before, or are gone: the conditions distinguish these.
    const logs = results.filter((result) => changeAfter(result) !== 'succeed').map(logWrite);
    if (logs.length > 0) await stored.deliveries.bulkWrite(logs, { ordered: false });
  }

  /** @returns the endpoint if it became disabled; null if not; undefined when it changed while this was decided */
  async function writeHealth(
    read: EndpointDocument,
    results: readonly AttemptResult[],
    health: Health,
  ): Promise<Endpoint | null | undefined> {
    const current = endpointOf(read);
    const changed = health(current, results);
    if (changed === current) return null;
    if (!(await writeEndpoint(stored.endpoints, read, changed))) return undefined;
    return changed.status === 'disabled' && current.status !== 'disabled' ? changed : null;
  }

  async function recordHealth(results: readonly AttemptResult[], health: Health): Promise<Endpoint[]> {
    const groups = new Map([...resultsByEndpoint(results)].filter(([id, group]) => failed.has(id) || !isKnownHealth(group, health)));
    if (groups.size === 0) return [];
    for (const [id, group] of groups) if (group.some(({ status }) => status !== 'succeeded')) failed.add(id);
    for (const id of failed) if (failed.size > MAX_FAILED) failed.delete(id);
    const found = await stored.endpoints.find({ _id: { $in: [...groups.keys()] }, ...LIVE }, AT_ONCE).toArray();
    const outcomes = await Promise.all(
      found.map(async (first) => {
        let read: EndpointDocument | null = first;
        return untilWritten(async () => {
          read ??= await stored.endpoints.findOne({ _id: first._id, ...LIVE });
          const outcome = read ? await writeHealth(read, groups.get(first._id) ?? [], health) : null;
          read = null;
          return outcome;
        });
      }),
    );
    for (const [id, group] of groups) if (group.every(({ status }) => status === 'succeeded')) failed.delete(id);
    return outcomes.filter((endpoint) => endpoint !== null);
  }

  const record: DeliveryQueue['record'] = async (results, health) => {
    if (results.length === 0) return [];
    pace.begun(results.length);
    await recordStates(results);
    const disabled = await db.run(() => recordHealth(results, health));
    const given = results.filter((result) => changeAfter(result) === 'release').map(({ leased }) => releaseWrite(leased, owner));
    if (given.length > 0) await db.run(() => stored.deliveries.bulkWrite(given, { ordered: false }));
    return disabled;
  };
  return { record, untilRecordable: () => pace.turn() };
}
