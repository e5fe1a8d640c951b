import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { type ChangedEntry, listedIn, MongoDirectory, type ReadEntries } from '../../expected/adapters/mongo-directory.ts';
import { MongoNumberCounts } from '../../expected/adapters/mongo-number-counts.ts';
import { events as eventCollection } from '../../expected/adapters/mongo-schema.ts';
import type { DeclaredNumbers } from '../../expected/domain/declared-numbers.ts';
import { type DirectoryEntry, type ScannedNumber, settledEntry } from '../../expected/domain/directory.ts';
import { type AcceptedForecast, eventKey, type IntakeEvent, sortReports, storedEvent } from '../../expected/domain/event.ts';
import { changeOf, type ForecastFact, forecastNoOf, independentFacts } from '../../expected/domain/forecast-fact.ts';
import { type UnclaimedReason, unclaimedReasons } from '../../expected/domain/match.ts';
import type { Resolution, ResolutionRequest } from '../../expected/domain/resolution.ts';
import { decideReports, type NewEvent, type RecordOutcome, type StoredReport } from '../domain/decide-reports.ts';
import { type ReportTrace, type TraceOf, tracesOfFacts, tracesOfReports } from '../domain/trace.ts';
import {
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type ResolutionQuery,
  type ResolveOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { newDocument } from './mongo-event-document.ts';
import { MongoEventLog, type StoredEvent } from './mongo-event-log.ts';
import { MongoResolutions } from './mongo-resolutions.ts';
import { MongoSettlement } from './mongo-settlement.ts';
import { WriteTimes } from './mongo-write-times.ts';

/** What a call begins with. */
interface ReadForRecord {
  readonly stored: readonly StoredEvent[];
  readonly entries: ReadEntries;
  /** Events that an earlier call had left unfinished and that were published now. */
  readonly resumed: number;
}

/** At most this many events are finished ahead of one acceptance or cancellation. */
const RESUME_LIMIT = 500;

/**
 * The intake's store in MongoDB: a document per event, with its publication in it, and a document per forecast. There is
 * no transaction over both, so the order of the writes keeps events and directory together. Every write is acknowledged
 * by the majority before the next step, and every read sees what the majority has.
 *
 * The domain decides what is written. A decision on a forecast is written on condition that its document is as it was read, one on a waiting event
 * on condition that it still waits; else it is decided again.
 *
 * - **Published once.** An event is published either by the insert of its document or by the update that ends its
 *   waiting, which applies only while it waits. One that its forecast has refused waits again, by an update that applies only while it is there.
 * - **None waits for a forecast that is there.** Who stores a waiting event looks into the directory a second time; who
 *   changes the directory so that waiting events may match (a forecast added, numbers freed, a number named) looks for
 *   them afterwards. Of two that race, the one who writes last sees what the other wrote.
 * - **What an event changes in the directory follows from the event as it is stored**, and comes after: a number claimed, a
 *   stay ended. So a report that got lost changes nothing, and of two reports under one id only the one that stays does. The second looks of a
 *   call are written down as done before that: repeated behind a crash, they would see stays that ended behind their events.
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
  readonly #counts: MongoNumberCounts;
  readonly #directory: MongoDirectory;
  readonly #settlement: MongoSettlement;
  readonly #resolutions: MongoResolutions;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#times = new WriteTimes(clock);
    // What a refused event publishes a second time is found by the search for what others left.
    this.outbox = new MongoOutbox(db, eventCollection, { clock, holdsFromWrite: true, hasMessagesOnce: true });
    this.#log = new MongoEventLog(db, this.outbox);
    this.#counts = new MongoNumberCounts(db, clock);
    this.#directory = new MongoDirectory(db, this.#counts);
    this.#settlement = new MongoSettlement(this.#log, this.#directory, clock, this.#times);
    this.#resolutions = new MongoResolutions(db, clock, this.#log, this.#directory, this.#settlement);
  }

  record(events: readonly IntakeEvent[], traceOf: ReportTrace = () => undefined): Promise<RecordOutcome> {
    // Every operation has its deadline; the caller has one over all of them.
    return this.#db.run(() => this.#record(events, tracesOfReports(events, traceOf)));
  }

  async follow(facts: readonly ForecastFact[]): Promise<{ readonly published: number }> {
    const existing = facts.filter(({ kind }) => kind !== 'accepted').map(forecastNoOf);
    const known = existing.length === 0 ? new Map() : await this.#directory.read([...new Set(existing)]);
    let published = 0;
    const steps = independentFacts(facts, (forecastNo) => known.get(forecastNo)?.entry);
    for (const [index, step] of steps.entries()) published += await this.#followStep(step, index === 0 ? known : new Map());
    return { published };
  }

  async unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]> {
    const waiting = await this.#log.unclaimed(limit, reason);
    return waiting.map((document) => {
      const event = storedEvent(document.event);
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
    const finished = await this.#settlement.finish(unfinished, () => undefined);
    const resolved = await this.#resolutions.resume(before, limit - unfinished.length);
    return { resumed: unfinished.length + resolved.resumed, published: finished + resolved.published };
  }

  resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    return this.#resolutions.resolve(request, traceparent);
  }

  resolutions(query: ResolutionQuery): Promise<readonly Resolution[]> {
    return this.#resolutions.list(query);
  }

  declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#counts.declaredNumbers(limit);
  }

  limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#counts.limitedNumbers(limit);
  }

  suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#counts.suspectsAmong(tenantIds);
  }

  seenUnder(scanned: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#directory.seenUnder(scanned, forecastNos);
  }

  limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers> {
    return this.#counts.limitNumbers(tenantId, limit);
  }

  check(): Promise<void> {
    return this.#db.check();
  }

  async #record(events: readonly IntakeEvent[], trace: TraceOf): Promise<RecordOutcome> {
    const { stored, entries, resumed } = await this.#read(events, trace);
    const now = this.#clock.now();
    const state = { stored: new Map(stored.map((event) => [keyOfStored(event), reportOf(event)])), waiting: [], listed: listedIn(entries) };
    const { inserts, publications, outcome } = decideReports(events, state, now);
    const times = new Map(publications.map(({ insert }) => [insert, this.#times.next()]));
    const { outbox } = this;
    const documents = inserts.map((insert) => newDocument(insert, { now, publishedAt: times.get(insert) ?? now, trace, outbox }));
    const lost = await this.#log.insert(documents);
    const inserted = documents.filter((_, index) => !lost.has(index));
    const overtaken = await this.#log.stored(inserts.filter((_, index) => lost.has(index)).map(({ event }) => event));
    const released = resumed + (await this.#settlement.finish([...inserted, ...overtaken].filter(isUnfinished), trace, entries));
    const published = released + inserted.filter(({ waiting }) => waiting === undefined).length;
    const own = lost.size === 0 ? outcome : withoutLost(outcome, inserts, lost, overtaken);
    // What was released may be events of the call.
    if (released === 0 || own.waiting.length === 0) return { ...own, published };
    const named = new Set(own.waiting.map(eventKey));
    const current = await this.#log.stored(events.filter((event) => named.has(eventKey(event))));
    return { ...withoutReleased(own, current), published };
  }

  /** What is stored of the events, and the directory. What an earlier try of the call left unfinished comes first. */
  async #read(events: readonly IntakeEvent[], trace: TraceOf): Promise<ReadForRecord> {
    const batch = events.map((event) => ({ event }));
    const [stored, entries] = await Promise.all([this.#log.stored(events), this.#directory.lookUp(batch)]);
    const unfinished = stored.filter(isUnfinished);
    if (unfinished.length === 0) return { stored, entries, resumed: 0 };
    const resumed = await this.#settlement.finish(unfinished, trace);
    return { stored, entries: await this.#directory.lookUp(batch), resumed };
  }

  /**
   * Applies facts of different forecasts and numbers at once: the entries first, then the events that wait under what these facts touch.
   * @param known the entries of corrected and cancelled forecasts, if they are known
   */
  async #followStep(facts: readonly ForecastFact[], known: ReadEntries): Promise<number> {
    // A forecast that is accepted is new, as a rule.
    const accepted = facts.filter(({ kind }) => kind === 'accepted').map((fact) => [forecastNoOf(fact), undefined] as const);
    const changes = new Map(facts.map((fact) => [forecastNoOf(fact), changeOf(fact)]));
    const changed = await this.#directory.change(changes, new Map([...known, ...accepted]));
    const afterOf = (fact: ForecastFact): DirectoryEntry | undefined => changed.get(forecastNoOf(fact))?.after;
    const releasedBy = (fact: ForecastFact): readonly ScannedNumber[] => afterOf(fact)?.released ?? [];
    const resumed = facts.some((fact) => isRepeated(fact, changed.get(forecastNoOf(fact)))) ? await this.#resumeAll() : 0;
    const [first] = facts;
    const returned = first?.kind === 'refused' ? await this.#takeBack(first) : 0;
    const touching = facts.filter((fact) => 'forecast' in fact || releasedBy(fact).length > 0);
    if (touching.length === 0) return resumed + returned;
    const scanned = touching.flatMap((fact) => [...('forecast' in fact ? numbersOf(fact.forecast) : []), ...releasedBy(fact)]);
    const trace = tracesOfFacts(facts, (fact) => releasedBy(fact).map(({ number }) => number));
    const published = await this.#settlement.settle({ forecastNos: touching.map(forecastNoOf), scanned }, trace);
    await this.#forget(facts.filter((fact) => releasedBy(fact).length > 0).map((fact) => [forecastNoOf(fact), releasedBy(fact)]));
    return resumed + returned + published;
  }

  /** The report that a forecast has refused waits again, and is matched. Delivered again, the refusal finishes what a crash left of that. */
  async #takeBack({ forecastNo, report, traceparent }: Extract<ForecastFact, { readonly kind: 'refused' }>): Promise<number> {
    await this.#log.returned(report, forecastNo, this.#clock.now());
    const stored = await this.#log.stored([report]);
    return this.#settlement.finish(stored.filter(isUnfinished), () => traceparent);
  }

  /** The events under released numbers have been matched again. */
  async #forget(settled: readonly (readonly [string, readonly ScannedNumber[]])[]): Promise<void> {
    await this.#directory.change(
      new Map(settled.map(([forecastNo, released]) => [forecastNo, (entry) => entry && settledEntry(entry, released)])),
    );
  }

  /** Before what may be the second try of a process that crashed: finishes what that left behind, and others: it belongs to no trace. */
  async #resumeAll(): Promise<number> {
    const { published } = await this.resume(Number.MAX_SAFE_INTEGER, RESUME_LIMIT);
    return published;
  }
}

/** True of a fact that was followed before: what the first time left undone, as in a crash, is finished before anything else. */
function isRepeated(fact: ForecastFact, changed: ChangedEntry | undefined): boolean {
  if (fact.kind === 'accepted') return changed?.before?.forecast != null;
  return fact.kind !== 'refused' && changed?.before === changed?.after;
}

function numbersOf({ warehouseCode, trackingNumbers }: AcceptedForecast): ScannedNumber[] {
  return trackingNumbers.map((number) => ({ warehouseCode, number }));
}

/** True of an event of which a step remains to be taken. */
export const isUnfinished = (event: Pick<StoredEvent, 'unfinished_since'>): boolean => event.unfinished_since !== undefined;

/** Names a stored event; see eventKey. */
export const keyOfStored = ({ warehouse_code: warehouseCode, event_id: eventId }: StoredEvent): string =>
  eventKey({ warehouseCode, eventId });

/** As a repeat finds it. An event of which a step remains does not count as waiting: the step may end that. */
export function reportOf(stored: StoredEvent): StoredReport {
  const { event: text, waiting } = stored;
  return { text, waiting: waiting === undefined || isUnfinished(stored) ? null : (waiting as UnclaimedReason) };
}

/** The outcome when another process has stored some of the events first: they are duplicates. @param lost indices of them */
export function withoutLost(
  outcome: RecordOutcome,
  inserts: readonly NewEvent[],
  lost: ReadonlySet<number>,
  overtaken: readonly StoredEvent[],
): RecordOutcome {
  const events = inserts.filter((_, index) => lost.has(index)).map(({ event }) => event);
  const keys = new Set(events.map(eventKey));
  const first = new Map(overtaken.map((event) => [keyOfStored(event), { text: event.event }]));
  return {
    ...outcome,
    accepted: outcome.accepted - lost.size,
    duplicates: outcome.duplicates + lost.size,
    conflicts: [...outcome.conflicts, ...sortReports(events, first).conflicts],
    waiting: outcome.waiting.filter((event) => !keys.has(eventKey(event))),
  };
}

/** The outcome when steps behind the writes have released some of its waiting events. @param current the waiting ones as they are stored now */
export function withoutReleased(outcome: RecordOutcome, current: readonly StoredEvent[]): RecordOutcome {
  const waiting = new Set(current.filter((event) => event.waiting !== undefined).map(keyOfStored));
  return { ...outcome, waiting: outcome.waiting.filter((event) => waiting.has(eventKey(event))) };
}
