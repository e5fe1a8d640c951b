import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox, newOutbox } from '@parcelway/mongo/mongo-outbox';
import { type AcceptedForecast, type CorrectedForecast, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type Match, type UnclaimedReason, unclaimedReasons } from '../domain/match.ts';
import { type BatchMatch, type ListedForecast, matchBatch } from '../domain/match-batch.ts';
import { reportKindOf } from '../domain/parcel-reports.ts';
import type { Resolution, ResolutionRequest } from '../domain/resolution.ts';
import {
  type EventKey,
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type RecordOutcome,
  type ResolutionQuery,
  type ResolveOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { MongoDirectory } from './mongo-directory.ts';
import { MongoEventLog, type StoredEvent } from './mongo-event-log.ts';
import { messageOf, publishedFields } from './mongo-published-event.ts';
import { MongoResolutions } from './mongo-resolutions.ts';
import { type EventDocument, events as eventCollection } from './mongo-schema.ts';
import { MongoSettlement } from './mongo-settlement.ts';
import { WriteTimes } from './mongo-write-times.ts';

type Waiting = RecordOutcome['waiting'][number];

/** The events of a call, told apart by what is stored of them. */
interface SortedEvents {
  /** Each once, in the order given. */
  readonly fresh: readonly IntakeEvent[];
  readonly conflicts: readonly EventKey[];
}

/** What a call begins with. */
interface ReadForRecord {
  readonly stored: readonly StoredEvent[];
  readonly listed: readonly ListedForecast[];
  /** Events that an earlier call had left unfinished and that were published now. */
  readonly resumed: number;
}

/** At most this many events are finished ahead of one acceptance or cancellation. */
const RESUME_LIMIT = 500;

const keyOf = (event: EventKey): string => `${event.warehouseCode} ${event.eventId}`;
const keyOfStored = (event: StoredEvent): string => `${event.warehouse_code} ${event.event_id}`;

/**
 * The intake's store in MongoDB: a document per event, with its publication in it, and a document per forecast. There is
 * no transaction over both, so the order of the writes keeps events and directory together. Every write is acknowledged
 * by the majority before the next step, and every read sees what the majority has.
 *
 * - **Published once.** An event is published either by the insert of its document or by the update that ends its
 *   waiting, which applies only while it waits. The publication's id is the document's.
 * - **None waits for a forecast that is there.** Who stores a waiting event looks into the directory a second time; who
 *   changes the directory so that waiting events may match (a forecast added, numbers freed, a number named) looks for
 *   them afterwards. Of two that race, the one who writes last sees what the other wrote.
 * - **What an event changes in the directory follows from the event as it is stored**, and comes after: a number claimed, a
 *   stay ended. So a report that got lost changes nothing, and of two reports under one id only the one that stays does.
 * - **What a crash may leave undone is written down before.** `unfinished_since` is set by the write that makes a further
 *   step necessary, and taken away behind that step. The report sent again takes the step; so does an acceptance or
 *   cancellation delivered again, which the bus does until it was followed to its end; else {@link resume}.
 * - **Documents are inserted in the order of their events**, so what a crash leaves of a call is its beginning; the rest,
 *   sent again, is matched with a directory in which that beginning is finished.
 *
 * A look that is out of date publishes what was right a moment ago, or leaves waiting what the next look finds. Should a
 * second forecast declare a number in the milliseconds between a publication and its claim, an event under that number
 * that comes just then waits as ambiguous until the warehouse names the forecast: never is one guessed.
 *
 * Order: the publications of one call are due as they were reported, and what waited in the order of occurrence; one relay
 * takes them in that order. Nothing is promised between calls, nor between a call and what had waited for it; and two
 * relays side by side may each hold a part of one forecast's events. Consumers go by `occurred_at` and take late events.
 */
export class MongoIntakeStore implements IntakeStore {
  /** Publications that wait for the relay. */
  readonly outbox: MongoOutbox;
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #times: WriteTimes;
  readonly #log: MongoEventLog;
  readonly #directory: MongoDirectory;
  readonly #settlement: MongoSettlement;
  readonly #resolutions: MongoResolutions;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#times = new WriteTimes(clock);
    this.#log = new MongoEventLog(db);
    this.#directory = new MongoDirectory(db);
    this.#settlement = new MongoSettlement(this.#log, this.#directory, clock, this.#times);
    this.#resolutions = new MongoResolutions(db, clock, this.#log, this.#directory, this.#settlement);
    this.outbox = new MongoOutbox(db, eventCollection, { clock });
  }

  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome> {
    // Every operation has its deadline; the caller has one over all of them.
    return this.#db.run(() => this.#record(events, traceparent));
  }

  async accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    const added = await this.#directory.add(forecast);
    const resumed = added ? 0 : await this.#resumeAll();
    const scanned = forecast.trackingNumbers.map((number) => ({ warehouseCode: forecast.warehouseCode, number }));
    const published = await this.#settlement.settle({ forecastNos: [forecast.forecastNo], scanned }, traceparent);
    return { published: resumed + published };
  }

  async correct(forecast: CorrectedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    await this.#directory.add(forecast);
    const isNew = await this.#directory.correct(forecast);
    const resumed = isNew ? 0 : await this.#resumeAll();
    const scanned = forecast.trackingNumbers.map((number) => ({ warehouseCode: forecast.warehouseCode, number }));
    const left = await this.#directory.left(forecast.forecastNo);
    const published = await this.#settlement.settle({ forecastNos: [forecast.forecastNo], scanned: [...scanned, ...left] }, traceparent);
    await this.#directory.forgetLeft(forecast.forecastNo);
    return { published: resumed + published };
  }

  async cancel(forecastNo: string, at: number, traceparent?: string): Promise<{ readonly published: number }> {
    const { repeated, freed } = await this.#directory.cancel(forecastNo, at);
    const resumed = repeated ? await this.#resumeAll() : 0;
    if (freed.length === 0) return { published: resumed };
    const published = await this.#settlement.settle({ forecastNos: [forecastNo], scanned: freed }, traceparent);
    await this.#directory.forgetFreed(forecastNo);
    return { published: resumed + published };
  }

  async unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]> {
    const waiting = await this.#log.unclaimed(limit, reason);
    return waiting.map((document) => {
      const event = JSON.parse(document.event) as IntakeEvent;
      return { event, type: event.detail.type, reason: document.waiting, receivedAt: document.received_at };
    });
  }

  async countUnclaimed(): Promise<Readonly<Record<UnclaimedReason, number>>> {
    const counts = await Promise.all(
      unclaimedReasons.map(async (reason) => [reason, await this.#log.countUnclaimed(reason, MAX_COUNTED)] as const),
    );
    return Object.fromEntries(counts) as Record<UnclaimedReason, number>;
  }

  async purge(before: number, limit: number): Promise<PurgeOutcome> {
    const old = await this.#log.purge(before, limit);
    await this.#directory.purge(before, limit);
    // A resolution is younger than its events: it goes when none of its time is left.
    if (old.length < limit) await this.#resolutions.purge(before, limit);
    const unclaimed = old
      .filter(({ waiting }) => waiting !== undefined)
      .map(({ warehouse_code: warehouseCode, event_id: eventId }) => ({ warehouseCode, eventId }));
    return { deleted: old.length, unclaimed };
  }

  async resume(before: number, limit: number): Promise<ResumeOutcome> {
    const unfinished = await this.#log.unfinished(before, limit);
    const finished = await this.#settlement.finish(unfinished, undefined);
    const resolved = await this.#resolutions.resume(before, limit - unfinished.length);
    return { resumed: unfinished.length + resolved.resumed, published: finished + resolved.published };
  }

  resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    return this.#resolutions.resolve(request, traceparent);
  }

  resolutions(query: ResolutionQuery): Promise<readonly Resolution[]> {
    return this.#resolutions.list(query);
  }

  check(): Promise<void> {
    return this.#db.check();
  }

  async #record(events: readonly IntakeEvent[], traceparent: string | undefined): Promise<RecordOutcome> {
    const { stored, listed, resumed } = await this.#read(events, traceparent);
    const { fresh, conflicts } = sortOut(events, stored);
    const batch = matchBatch(
      fresh.map((event) => ({ event })),
      listed,
      this.#clock.now(),
    );
    const taken = fresh.map((event, index): TakenEvent => ({ event, index, match: batch.matches[index] as Match })).filter(isTaken);
    const refusedKeys = new Set(fresh.map(keyOf));
    for (const { event } of taken) refusedKeys.delete(keyOf(event));
    const refused = events.filter((event) => refusedKeys.has(keyOf(event)));
    const documents = this.#documentsOf(taken, batch, traceparent);
    const lost = await this.#log.insert(documents);
    const inserted = documents.filter((_, index) => !lost.has(index));
    const overtaken = await this.#log.stored(taken.filter((_, index) => lost.has(index)).map(({ event }) => event));
    const settled = await this.#settlement.finish([...inserted, ...overtaken].filter(isUnfinished), traceparent);
    return {
      accepted: inserted.length,
      duplicates: events.length - inserted.length - refused.length,
      conflicts: [...conflicts.filter((event) => !refusedKeys.has(keyOf(event))), ...sortOut(fresh, overtaken).conflicts],
      refused: refused.map(({ warehouseCode, eventId }) => ({ warehouseCode, eventId })),
      waiting: [...waitingOf(taken.filter((_, index) => !lost.has(index))), ...stored.filter(stillWaits).map(toWaiting)],
      published: resumed + inserted.filter(({ waiting }) => waiting === undefined).length + settled,
    };
  }

  /** What is stored of the events, and the directory. What an earlier try of the call left unfinished comes first. */
  async #read(events: readonly IntakeEvent[], traceparent: string | undefined): Promise<ReadForRecord> {
    const batch = events.map((event) => ({ event }));
    const [stored, listed] = await Promise.all([this.#log.stored(events), this.#directory.lookUp(batch)]);
    const unfinished = stored.filter(isUnfinished);
    if (unfinished.length === 0) return { stored, listed, resumed: 0 };
    const resumed = await this.#settlement.finish(unfinished, traceparent);
    return { stored, listed: await this.#directory.lookUp(batch), resumed };
  }

  /** Before what may be the second try of a process that crashed: finishes what that left behind, and others: it belongs to no trace. */
  async #resumeAll(): Promise<number> {
    const { published } = await this.resume(Number.MAX_SAFE_INTEGER, RESUME_LIMIT);
    return published;
  }

  #documentsOf(taken: readonly TakenEvent[], { publications, claiming }: BatchMatch, traceparent?: string): EventDocument[] {
    const now = this.#clock.now();
    const times = new Map(publications.map((index) => [index, this.#times.next()]));
    return taken.map(({ event, index, match }) => {
      const id = newId('evt');
      const kind = reportKindOf(event);
      const common = {
        _id: id,
        warehouse_code: event.warehouseCode,
        event_id: event.eventId,
        ...matchedBy(event),
        occurred_at: Date.parse(event.occurredAt),
        received_at: now,
        event: JSON.stringify(event),
        ...(kind !== null && { report_kind: kind }),
      };
      if ('reason' in match) return { ...common, waiting: match.reason, unfinished_since: now };
      return {
        ...common,
        ...publishedFields(event, match.forecast, claiming.has(index), now),
        ...newOutbox([messageOf(event, match.forecast, { id, now, traceparent })], times.get(index) ?? now),
      };
    });
  }
}

/** An event of a call, its place among those that are new, and what becomes of it. */
interface TakenEvent {
  readonly event: IntakeEvent;
  readonly index: number;
  readonly match: Match;
}

const isTaken = ({ match }: TakenEvent): boolean => !('reason' in match && match.reason === 'takes_no_dispatch');

function waitingOf(taken: readonly TakenEvent[]): Waiting[] {
  return taken.flatMap(({ event: { warehouseCode, eventId }, match }) => ('reason' in match ? [{ warehouseCode, eventId, ...match }] : []));
}

/** True of an event that waited when it was read, and that no step is left of which may have ended that. */
const stillWaits = (event: StoredEvent): boolean => event.waiting !== undefined && !isUnfinished(event);

function toWaiting({ warehouse_code: warehouseCode, event_id: eventId, waiting }: StoredEvent): Waiting {
  return { warehouseCode, eventId, reason: waiting as UnclaimedReason };
}

const isUnfinished = (event: StoredEvent): boolean => event.unfinished_since !== undefined;

function sortOut(events: readonly IntakeEvent[], stored: readonly StoredEvent[]): SortedEvents {
  const known = new Map(stored.map((event) => [keyOfStored(event), event.event]));
  const fresh: IntakeEvent[] = [];
  const conflicts: EventKey[] = [];
  for (const event of events) {
    const text = JSON.stringify(event);
    const first = known.get(keyOf(event));
    if (first === undefined) {
      known.set(keyOf(event), text);
      fresh.push(event);
    } else if (first !== text) {
      conflicts.push({ warehouseCode: event.warehouseCode, eventId: event.eventId });
    }
  }
  return { fresh, conflicts };
}

/** The one number by which an event is matched. */
function matchedBy(event: IntakeEvent): Pick<EventDocument, 'forecast_no' | 'scanned_no'> {
  if (event.forecastNo !== null) return { forecast_no: event.forecastNo };
  const number = scannedNumberOf(event);
  return number === null ? {} : { scanned_no: number };
}
