import type { WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import type { Clock } from '@parcelway/kernel/clock';
import { untilWrittenInTurn } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { type ChangedEntry, type Directory, listedIn, type ReadEntries } from '../expected/directory-store.ts';
import type { DecideView } from '../expected/domain/decide-view.ts';
import { type DirectoryEntry, type ScannedNumber, settledEntry } from '../expected/domain/directory.ts';
import { type AcceptedForecast, type EventKey, eventKey, type IntakeEvent } from '../expected/domain/event.ts';
import { changeOf, type ForecastFact, forecastNoOf, independentFacts } from '../expected/domain/forecast-fact.ts';
import { type UnclaimedReason, unclaimedReasons } from '../expected/domain/match.ts';
import type { Resolution, ResolutionRequest } from '../expected/domain/resolution.ts';
import { decideReports, type RecordOutcome } from './domain/decide-reports.ts';
import { type ReportTrace, type TraceOf, tracesOfFacts, tracesOfReports } from './domain/trace.ts';
import { type EventDocument, events, resolutions } from './report-collections.ts';
import { type ResolutionQuery, ResolutionStore, type ResolveOutcome, type ResumeOutcome } from './resolution-store.ts';
import { insertOf, Settlement, waitingFields } from './settlement.ts';
import { eventIn, isUnfinished, keyOf, type StoredEvent } from './waiting-events.ts';

interface IntakeOptions {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: Clock;
}

/** An event that waits for its forecast. */
export interface UnclaimedParcel {
  readonly event: IntakeEvent;
  readonly type: WarehouseEventType;
  readonly reason: UnclaimedReason;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** What one step of the clean-up deleted. */
export interface PurgeOutcome {
  readonly deleted: number;
  /** Of the deleted events, those that had still been waiting. */
  readonly unclaimed: readonly EventKey[];
}

/** Events that wait for one reason are counted to so many: more are no other case, and the count stays cheap. */
const MAX_COUNTED = 10_000;
/** At most this many events are finished ahead of one acceptance or cancellation. */
const RESUME_LIMIT = 500;

/**
 * The reports of warehouses, and the forecasts that they are matched with. The domain decides what is written. Every decision is written on condition that
 * the documents are as they were read; else it is decided again.
 *
 * Several processes do this at once, and no write spans an event and a forecast, so the order of the writes keeps them together:
 *
 * - **Published once.** An event is published by the insert of its document, or by the write that ends its waiting.
 * - **None waits for a forecast that is there.** Who stores a waiting event looks into the directory a second time; who changes the directory so that
 *   waiting events may match looks for them afterwards. Of two that race, the one who writes last sees what the other wrote.
 * - **What an event changes in the directory follows from the event as it is stored**, and comes after: a number claimed, a stay ended.
 * - **What a crash may leave undone is written down before.** `unfinishedSince` is set by the write that makes a further step necessary, and taken away
 *   behind that step. The report sent again takes the step; so does a fact delivered again; else {@link resume}.
 * - **The events of a call are stored together**, so that a repeat decides on all of them or finds all of them.
 *
 * A look that is out of date publishes what was right a moment ago, or leaves waiting what the next look finds. Should a second forecast declare a number in
 * the milliseconds between a publication and its claim, an event under that number that comes just then waits as ambiguous until the warehouse names the
 * forecast: never is one guessed.
 */
export class Intake {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #settlement: Settlement;
  readonly #resolving: ResolutionStore;

  constructor({ store, directory, clock }: IntakeOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#settlement = new Settlement(store, directory, clock);
    this.#resolving = new ResolutionStore({ store, directory, clock, settlement: this.#settlement });
  }

  /**
   * Stores events, once per warehouse and event id, and in the same durable step writes the publication of each that matches a forecast
   * (domain/match). The others wait, except those that their forecast does not take. Durable when it resolves. When it rejects, a part may be
   * stored: calling it again with the same events completes that and doubles nothing.
   * @param traceOf `traceparent` of each report, which its publication carries; no part of the stored events
   * @throws AppError 50301 when the store is out
   */
  async record(reported: readonly IntakeEvent[], traceOf: ReportTrace = () => undefined): Promise<RecordOutcome> {
    const trace = tracesOfReports(reported, traceOf);
    const outcomes: RecordOutcome[] = [];
    for (const warehouseCode of new Set(reported.map((event) => event.warehouseCode))) {
      const own = reported.filter((event) => event.warehouseCode === warehouseCode);
      outcomes.push(await this.#recordAt(warehouseCode, own, trace));
    }
    return summed(outcomes);
  }

  /**
   * Applies facts to the directory, with the effect of applying them one after the other, and writes the publications of the waiting events that
   * they release, in the order in which these occurred. Idempotent. A crowd of more than some hundred waiting events is processed in several steps;
   * repeating the call continues where a crash ended it.
   *
   * - Accepted: adds the forecast. Events that waited for it are published.
   * - Corrected (domain/directory): events that waited for what the forecast declares now are published, and events that were ambiguous
   *   because of what it declared before are matched again. Adds a forecast whose acceptance was not seen. A version that is not newer than the known
   *   one changes nothing.
   * - Cancelled: removes the forecast from the match by scanned number. Events that were ambiguous because of it are matched again.
   * - Refused: the same, and the report that was published for it is matched again, or waits. A report that names the forecast stays.
   * @param views what becomes of what warehouses are shown of these forecasts, written with the first fact of each
   * @returns how many events found their forecast
   * @throws AppError 50301 when the store is out
   */
  async follow(
    facts: readonly ForecastFact[],
    views: ReadonlyMap<string, DecideView> = new Map(),
  ): Promise<{ readonly published: number }> {
    const existing = facts.filter(({ kind }) => kind !== 'accepted').map(forecastNoOf);
    const known: ReadEntries = existing.length === 0 ? new Map() : await this.#directory.read([...new Set(existing)], views.size > 0);
    let published = 0;
    const steps = independentFacts(facts, (forecastNo) => known.get(forecastNo)?.entry);
    const left = new Map(views);
    for (const [index, step] of steps.entries()) published += await this.#followStep(step, index === 0 ? known : new Map(), left);
    return { published };
  }

  /** The oldest `limit` events without a forecast, for one reason or for any. */
  async unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]> {
    const { items } = await this.#store.find(events.by.reason, { eq: [reason ?? unclaimedReasons], limit });
    return items.map((one) => {
      const event = eventIn(one);
      return { event, type: event.detail.type, reason: one.value.waiting as UnclaimedReason, receivedAt: one.value.receivedAt };
    });
  }

  /** How many events wait for each reason, each counted to {@link MAX_COUNTED}. */
  async countUnclaimed(): Promise<Readonly<Record<UnclaimedReason, number>>> {
    const counts = unclaimedReasons.map(async (reason) => {
      return [reason, (await this.#store.count(events.by.reason, { eq: [reason], most: MAX_COUNTED })).count] as const;
    });
    return Object.fromEntries(await Promise.all(counts)) as Record<UnclaimedReason, number>;
  }

  /** Deletes at most `limit` events received before `before` (epoch milliseconds), and old resolutions. */
  async purge(before: number, limit: number): Promise<PurgeOutcome> {
    const { items } = await this.#store.find(events.by.received, { eq: [], to: before, limit });
    const deletions = items.map((one) => ({ in: events, delete: one }) as Write);
    const outcomes = await this.#store.apply(deletions, { sparesMessages: true });
    const old = items.filter((_, place) => outcomes[place]?.kind === 'written');
    // A resolution is younger than its events: it goes when none of its time is left.
    if (items.length < limit) await this.#store.deleteRange(resolutions.by.age, { eq: [], to: before, limit });
    const unclaimed = old.filter(({ value }) => value.waiting !== undefined);
    return { deleted: old.length, unclaimed: unclaimed.map(({ value: { warehouseCode, eventId } }) => ({ warehouseCode, eventId })) };
  }

  /**
   * Takes the step that remains of at most `limit` events since before `before`. What is published by it belongs to no trace: whatever caused it is over.
   * @param before epoch milliseconds; long enough ago that nobody is still at it
   * @throws AppError 50301 when the store is out
   */
  async resume(before: number, limit: number): Promise<ResumeOutcome> {
    const { items } = await this.#store.find(events.by.unfinished, { eq: [], to: before, limit });
    const finished = await this.#settlement.finish(items, () => undefined);
    const resolved = await this.#resolving.resume(before, limit - items.length);
    return { resumed: items.length + resolved.resumed, published: finished + resolved.published };
  }

  /** See ResolutionStore. */
  resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    return this.#resolving.resolve(request, traceparent);
  }

  /** Finished resolutions, the newest first. */
  resolutions(query: ResolutionQuery): Promise<readonly Resolution[]> {
    return this.#resolving.list(query);
  }

  #stored(keys: readonly EventKey[]): Promise<readonly StoredEvent[]> {
    return this.#store.read(events, keys.map(keyOf));
  }

  /** Stores the events of one warehouse. */
  async #recordAt(warehouseCode: string, reported: readonly IntakeEvent[], trace: TraceOf): Promise<RecordOutcome> {
    let released = 0;
    const { outcome, inserted, known } = await untilWrittenInTurn(this.#store, `reports ${warehouseCode}`, async () => {
      const batch = reported.map((event) => ({ event }));
      const [found, entries] = await Promise.all([this.#stored(reported), this.#directory.lookUp(batch)]);
      const unfinished = found.filter(isUnfinished);
      if (unfinished.length === 0) return this.#insert(reported, found, entries, trace);
      // What an earlier try of the call left unfinished comes first.
      released += await this.#settlement.finish(unfinished, trace);
      return undefined;
    });
    released += await this.#settlement.finish(inserted.filter(isUnfinished), trace, known, true);
    const published = released + inserted.filter(({ value }) => value.waiting === undefined).length;
    if (released === 0 || outcome.waiting.length === 0) return { ...outcome, published };
    // What was released may be events of the call.
    const current = await this.#stored(outcome.waiting);
    const waiting = new Set(current.filter(({ value }) => value.waiting !== undefined).map(({ value }) => eventKey(value)));
    return { ...outcome, waiting: outcome.waiting.filter((event) => waiting.has(eventKey(event))), published };
  }

  /** @returns undefined when another process has stored some of the events first */
  async #insert(reported: readonly IntakeEvent[], found: readonly StoredEvent[], known: ReadEntries, trace: TraceOf) {
    const now = this.#clock.now();
    const stored = found.map(({ value }) => {
      return [eventKey(value), { text: value.event, waiting: (value.waiting as UnclaimedReason | undefined) ?? null }] as const;
    });
    const { inserts, outcome } = decideReports(reported, new Map(stored), listedIn(known), now);
    const writes = inserts.map(({ event, becomes }) => insertOf(event, becomes, now, trace));
    const outcomes = await this.#store.apply(writes as readonly Write[], { together: writes.length > 1 });
    if (outcomes.some(({ kind }) => kind !== 'written')) return undefined;
    return { outcome, inserted: writes.map(({ insert }) => ({ value: insert, version: 1 })), known };
  }

  /** The report that a forecast has refused waits again, and is matched. Delivered again, the refusal finishes what a crash left of that. */
  async #takeBack({ forecastNo, report, traceparent }: Extract<ForecastFact, { readonly kind: 'refused' }>): Promise<number> {
    const now = this.#clock.now();
    const gone = { publishedTo: undefined, claimsNumber: undefined, endsStay: undefined, resolution: undefined };
    await this.#settlement.change(await this.#stored([report]), (stored) => {
      const event = eventIn(stored);
      if (stored.value.publishedTo !== forecastNo || event.forecastNo === forecastNo) return undefined;
      return { ...gone, ...waitingFields(event, 'no_forecast'), unfinishedSince: now } as Partial<EventDocument>;
    });
    return this.#settlement.finish((await this.#stored([report])).filter(isUnfinished), () => traceparent);
  }

  /**
   * Applies facts of different forecasts and numbers at once: the entries first, then the events that wait under what these facts touch.
   * @param known the entries of corrected and cancelled forecasts, if they are known
   * @param views those that are left; those of the facts are taken out
   */
  async #followStep(facts: readonly ForecastFact[], known: ReadEntries, views: Map<string, DecideView>): Promise<number> {
    // A forecast that is accepted is new, as a rule.
    const accepted = facts.filter(({ kind }) => kind === 'accepted').map((fact) => [forecastNoOf(fact), undefined] as const);
    const changes = new Map(facts.map((fact) => [forecastNoOf(fact), { entry: changeOf(fact), view: views.get(forecastNoOf(fact)) }]));
    const changed = await this.#directory.change(changes, new Map([...known, ...accepted]));
    for (const forecastNo of changes.keys()) views.delete(forecastNo);
    const releasedBy = (fact: ForecastFact): readonly ScannedNumber[] => changed.get(forecastNoOf(fact))?.after?.released ?? [];
    // Before what may be the second try of a process that crashed: finishes what that left behind, and others: it belongs to no trace.
    const isRepeat = facts.some((fact) => isRepeated(fact, changed.get(forecastNoOf(fact))));
    let published = isRepeat ? (await this.resume(Number.MAX_SAFE_INTEGER, RESUME_LIMIT)).published : 0;
    const [first] = facts;
    if (first?.kind === 'refused') published += await this.#takeBack(first);
    const touching = facts.filter((fact) => 'forecast' in fact || releasedBy(fact).length > 0);
    if (touching.length === 0) return published;
    const scanned = touching.flatMap((fact) => [...('forecast' in fact ? numbersOf(fact.forecast) : []), ...releasedBy(fact)]);
    const trace = tracesOfFacts(facts, (fact) => releasedBy(fact).map(({ number }) => number));
    published += await this.#settlement.settle({ forecastNos: touching.map(forecastNoOf), scanned }, trace);
    const settled = facts.filter((fact) => releasedBy(fact).length > 0);
    await this.#directory.change(
      new Map(
        settled.map((fact) => [
          forecastNoOf(fact),
          { entry: (entry: DirectoryEntry | undefined) => entry && settledEntry(entry, releasedBy(fact)) },
        ]),
      ),
    );
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

function summed(outcomes: readonly RecordOutcome[]): RecordOutcome {
  const sum = (field: 'accepted' | 'duplicates' | 'published'): number => outcomes.reduce((total, one) => total + one[field], 0);
  return {
    accepted: sum('accepted'),
    duplicates: sum('duplicates'),
    published: sum('published'),
    conflicts: outcomes.flatMap(({ conflicts }) => conflicts),
    refused: outcomes.flatMap(({ refused }) => refused),
    waiting: outcomes.flatMap(({ waiting }) => waiting),
  };
}
