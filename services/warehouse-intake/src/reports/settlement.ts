import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Outcome, Store, Write } from '@parcelway/store/store';
import { type Directory, listedIn, type ReadEntries } from '../expected/directory-store.ts';
import { leadsTo } from '../expected/domain/directory.ts';
import { type IntakeEvent, scannedForm, storedText } from '../expected/domain/event.ts';
import type { UnclaimedReason } from '../expected/domain/match.ts';
import { isBehindInCall, type NamedNumber, type NamingEvent, namedForecastOf } from '../expected/domain/named-number.ts';
import { reportKindOf } from '../expected/domain/parcel-reports.ts';
import { type Consequences, changesBy, consequencesOf } from './consequences.ts';
import { decideWaiting, type Publication, type WaitingCandidate } from './domain/decide-reports.ts';
import { publicationOf } from './domain/publication.ts';
import type { TraceOf } from './domain/trace.ts';
import { type EventDocument, events, type ResolutionDocument } from './report-collections.ts';
import { type EventScope, eventIn, isUnfinished, keyOf, type StoredEvent, waitingIn } from './waiting-events.ts';

type Candidate = WaitingCandidate<StoredEvent>;

/** Fields of a waiting event; undefined of another. */
const WAITS_NO_MORE = { waiting: undefined, namedNo: undefined, scannedNo: undefined } as const;

/** What an event waits with: the reason, and the one number by which it is matched. */
export function waitingFields({ forecastNo, scannedNumber }: IntakeEvent, waiting: UnclaimedReason): Partial<EventDocument> {
  if (forecastNo !== null) return { waiting, namedNo: forecastNo };
  return { waiting, ...(scannedNumber !== null && { scannedNo: scannedNumber }) };
}

/** What an event is published with. A step remains when it changes something in the directory. @param now epoch milliseconds */
function publishedFields({ forecast, claims, ends }: Publication, now: number): Partial<EventDocument> {
  return {
    publishedTo: forecast.forecastNo,
    ...(claims && { claimsNumber: true }),
    ...(ends && { endsStay: true }),
    ...((claims || ends) && { unfinishedSince: now }),
  };
}

const messageOf = (publication: Publication, id: string, now: number, trace: TraceOf): EncodedMessage =>
  encodeEvent(publicationOf(publication.event, publication.forecast, { id, now, traceparent: trace(publication) }));

/** The insert of a new event, with its publication if it has a forecast. One that waits is looked at a second time, and says so. */
export function insertOf(
  event: IntakeEvent,
  becomes: Publication | { readonly reason: UnclaimedReason },
  now: number,
  trace: TraceOf,
): Write & { readonly insert: EventDocument } {
  const id = newId('evt');
  const kind = reportKindOf(event);
  const insert = {
    warehouseCode: event.warehouseCode,
    eventId: event.eventId,
    id,
    occurredAt: Date.parse(event.occurredAt),
    receivedAt: now,
    event: storedText(event),
    ...(kind !== null && { kind }),
    ...('reason' in becomes ? { ...waitingFields(event, becomes.reason), unfinishedSince: now } : publishedFields(becomes, now)),
  };
  return { in: events, insert, messages: 'reason' in becomes ? [] : [messageOf(becomes, id, now, trace)] };
}

function toCandidate(stored: StoredEvent): Candidate {
  const { waiting, publishedTo } = stored.value;
  return { event: eventIn(stored), stored, waiting: waiting as Candidate['waiting'], publishedTo };
}

/** Events of one call, by their ids. The call itself has matched them with what those before them change. Undefined of one that a crash has cut short. */
type Call = ReadonlySet<string> | undefined;

/** With the forecast that the warehouse has just named for its number, if the event waits for that; none when it came behind that in the same call. */
function namedCandidate(stored: StoredEvent, naming: readonly NamingEvent[], call: Call): readonly Candidate[] {
  const candidate = toCandidate(stored);
  const { event, waiting } = candidate;
  const { id, receivedAt } = stored.value;
  const known = { event, waiting, id, receivedAt };
  const resolvedTo = namedForecastOf(known, naming);
  if (resolvedTo !== undefined) return [{ ...candidate, resolvedTo }];
  return isBehindInCall(known, naming, call) ? [] : [candidate];
}

/** How events are matched again. */
interface MatchOptions {
  readonly trace: TraceOf;
  /** The claim that they are matched for. */
  readonly claim?: Pick<ResolutionDocument, 'id' | 'forecastNo'>;
  /** It is the second look at new events: none remains. All of a warehouse are written together. */
  readonly isSecondLook?: boolean;
}

type Patch = Extract<Write<EventDocument>, { readonly patch: unknown }>;

/** Which of some stored events are matched, as they are. */
type ToMatch = (stored: StoredEvent) => readonly Candidate[];

/** What matching events again has done. */
interface Matched {
  published: number;
  /** Published events that change something in the directory. */
  readonly unfinished: StoredEvent[];
  /** The directory as the match has seen it. */
  entries: ReadEntries;
}

/** @returns false when the event waits still, and is to be matched again */
function noteOutcome(matched: Matched, { patch, set, messages = [] }: Patch, outcome: Outcome<EventDocument>): boolean {
  if (outcome.kind === 'written') {
    matched.published += messages.length;
    const stored = { value: { ...patch.value, ...set }, version: outcome.version };
    if (messages.length > 0 && isUnfinished(stored)) matched.unfinished.push(stored);
    return true;
  }
  if (outcome.kind !== 'lost') return false;
  const { current } = outcome;
  if (current?.value.waiting !== undefined) return false;
  // Another process has published it, and perhaps not lived to conclude it.
  if (current !== undefined && isUnfinished(current)) matched.unfinished.push(current);
  return true;
}

/**
 * Matches waiting events again and takes the steps that remain of stored events. Safe to repeat, and to be done by
 * several processes at once: see Intake. What makes a step necessary comes again, or is written down, so nobody waits until the disk has it.
 */
export class Settlement {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor(store: Store, directory: Directory, clock: Clock) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
  }

  /**
   * Matches the waiting events of a scope again, in the order in which they occurred. One that a resolution has reserved is left to that.
   * @param trace of what makes that necessary
   * @param named events that say whose parcels numbers are on: ambiguous events before them go there (domain/named-number)
   * @param call the naming events, and the others of their call
   * @returns how many events were published
   */
  async settle(scope: EventScope, trace: TraceOf, named: readonly NamingEvent[] = [], call?: Call): Promise<number> {
    let total = 0;
    for await (const waiting of waitingIn(this.#store, scope)) {
      const toMatch = (stored: StoredEvent): readonly Candidate[] =>
        stored.value.waiting !== undefined && stored.value.resolution === undefined ? namedCandidate(stored, named, call) : [];
      total += await this.#publish(waiting, toMatch, { trace });
    }
    return total;
  }

  /**
   * Ends the waiting of the events under the number of a resolution, in the order in which they occurred. Those that the forecast of a claim does
   * not take wait on.
   * @param isOpen false once the resolution has been carried out to its end
   * @returns how many events were published
   */
  async resolve(resolution: ResolutionDocument, isOpen: () => Promise<boolean>, trace: TraceOf): Promise<number> {
    const { id, kind, warehouseCode, number, resolvedAt, forecastNo } = resolution;
    const scope = kind === 'named' ? { forecastNos: [number], scanned: [] } : { forecastNos: [], scanned: [{ warehouseCode, number }] };
    // Other warehouses may have been given the same wrong forecast number, another resolution may have reserved the event, and a dismissal means what was
    // there when it was decided.
    const isOwn = ({ value }: StoredEvent): boolean => {
      if (value.waiting === undefined || value.warehouseCode !== warehouseCode) return false;
      return value.resolution === undefined ? forecastNo !== undefined || value.receivedAt <= resolvedAt : value.resolution === id;
    };
    let total = 0;
    for await (const waiting of waitingIn(this.#store, scope)) {
      // Asked behind the read: what was waiting while the resolution was open is its own, whoever else is at it.
      if (!(await isOpen())) return total;
      if (forecastNo === undefined) {
        const set = { ...WAITS_NO_MORE, resolution: id, unfinishedSince: undefined };
        await this.change(waiting.filter(isOwn), (stored) => (isOwn(stored) ? set : undefined));
        continue;
      }
      const toMatch = (stored: StoredEvent) => (isOwn(stored) ? [{ ...toCandidate(stored), resolvedTo: forecastNo }] : []);
      total += await this.#publish(waiting, toMatch, { trace, claim: { id, forecastNo } });
    }
    return total;
  }

  /**
   * Takes the step that remains of stored events: of waiting ones the second look into the directory, of published ones
   * what they change there.
   * @param trace of what has them finished
   * @param known the directory as it was read for the match of the published ones
   * @param isCall true when they have just been stored by one call
   * @returns how many events were published, others that had waited for that included
   */
  async finish(unfinished: readonly StoredEvent[], trace: TraceOf, known?: ReadEntries, isCall = false): Promise<number> {
    const call = isCall ? new Set(unfinished.map(({ value }) => value.id)) : undefined;
    const all = unfinished.toSorted((a, b) => (a.value.id < b.value.id ? -1 : 1));
    if (all.every(({ value }) => value.waiting === undefined)) return this.#conclude(all, trace, known, call);
    // The look comes first, and among them all: it sees what those before an event change, not what those behind it do. Nor does a repeat behind a crash
    // see that: with the look it is written down that it was taken, before the directory changes.
    const matched = await this.#match(all, (stored) => (isUnfinished(stored) ? [{ ...toCandidate(stored), isRecent: true }] : []), {
      trace,
      isSecondLook: true,
    });
    const done = all.filter(({ value }) => value.waiting === undefined);
    return matched.published + (await this.#conclude([...done, ...matched.unfinished], trace, matched.entries, call));
  }

  /**
   * Changes events, each as long as `decide` says how.
   * @returns how many of them
   */
  async change(stored: readonly StoredEvent[], decide: (stored: StoredEvent) => Partial<EventDocument> | undefined): Promise<number> {
    let changed = 0;
    let open = stored;
    await untilWritten(async () => {
      const writes = open.flatMap((one): Write<EventDocument>[] => {
        const set = decide(one);
        return set === undefined ? [] : [{ in: events, patch: one, set } as Write<EventDocument>];
      });
      const outcomes = await this.#store.apply(writes as unknown as readonly Write[], { flushLater: true });
      changed += outcomes.filter(({ kind }) => kind === 'written').length;
      open = outcomes.flatMap((outcome) => (outcome.kind === 'lost' && outcome.current ? [outcome.current as StoredEvent] : []));
      return open.length === 0 || undefined;
    });
    return changed;
  }

  async #publish(waiting: readonly StoredEvent[], toMatch: ToMatch, options: MatchOptions): Promise<number> {
    const { published, unfinished, entries } = await this.#match(waiting, toMatch, options);
    return published + (await this.#conclude(unfinished, options.trace, entries));
  }

  /** Matches events again and publishes those that wait and have a forecast by now; and again, as they are stored then, when others were quicker. */
  async #match(stored: readonly StoredEvent[], toMatch: ToMatch, options: MatchOptions): Promise<Matched> {
    const matched: Matched = { published: 0, unfinished: [], entries: new Map() };
    let current: readonly StoredEvent[] | undefined = stored;
    await untilWritten(async () => {
      const known = current ?? (await this.#again(stored));
      current = undefined;
      const candidates = known.flatMap(toMatch);
      if (candidates.length === 0) return true;
      return (await this.#matchOnce(candidates, options, matched)) || undefined;
    });
    return matched;
  }

  /** Events as they are stored now, in their order. */
  async #again(stored: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const found = await this.#store.read(
      events,
      stored.map(({ value }) => keyOf(value)),
    );
    const byId = new Map(found.map((one) => [one.value.id, one]));
    return stored.flatMap(({ value }) => byId.get(value.id) ?? []);
  }

  /** @returns false when others were quicker at some of them */
  async #matchOnce(
    candidates: readonly Candidate[],
    { trace, claim, isSecondLook = false }: MatchOptions,
    matched: Matched,
  ): Promise<boolean> {
    const now = this.#clock.now();
    matched.entries = await this.#directory.lookUp(candidates);
    const { changes, publications } = decideWaiting(candidates, listedIn(matched.entries), now);
    const writes = new Map<StoredEvent, Patch>();
    const patch = (stored: StoredEvent, set: Partial<EventDocument>, messages: readonly EncodedMessage[] = []): void =>
      void writes.set(stored, { in: events, patch: stored, set, messages });
    for (const { stored, becomes } of publications) {
      // A forecast that was deleted in the meantime: what waits is left to wait.
      if ('reason' in becomes || (claim && becomes.forecast.forecastNo !== claim.forecastNo)) continue;
      const set = {
        ...WAITS_NO_MORE,
        unfinishedSince: undefined,
        ...publishedFields(becomes, now),
        ...(claim && { resolution: claim.id }),
      };
      patch(stored, set as Partial<EventDocument>, [messageOf(becomes, newId('evt'), now, trace)]);
    }
    const looked = isSecondLook ? ({ unfinishedSince: undefined } as unknown as Partial<EventDocument>) : {};
    for (const { stored, becomes } of changes) if ('reason' in becomes) patch(stored, { waiting: becomes.reason, ...looked });
    if (isSecondLook) for (const { stored, waiting } of candidates) if (waiting && !writes.has(stored)) patch(stored, looked);
    return this.#write([...writes.values()], isSecondLook, matched);
  }

  async #write(writes: readonly Patch[], isTogether: boolean, matched: Matched): Promise<boolean> {
    const warehouses = isTogether ? new Set(writes.map(({ patch }) => patch.value.warehouseCode)) : [undefined];
    let isWritten = true;
    for (const warehouseCode of warehouses) {
      const some = writes.filter(({ patch }) => warehouseCode === undefined || patch.value.warehouseCode === warehouseCode);
      const outcomes = await this.#store.apply(some as unknown as readonly Write[], {
        together: isTogether && some.length > 1,
        flushLater: true,
      });
      for (const [place, outcome] of outcomes.entries())
        if (!noteOutcome(matched, some[place] as Patch, outcome as Outcome<EventDocument>)) isWritten = false;
    }
    return isWritten;
  }

  /**
   * Writes down what published events change in the directory. Events that wait for the forecast of a number
   * come before the end of its stay: afterwards the number may be another forecast's.
   * @returns how many waiting events were published
   */
  async #conclude(done: readonly StoredEvent[], trace: TraceOf, known?: ReadEntries, call?: Call): Promise<number> {
    if (done.length === 0) return 0;
    let published = 0;
    for (const [index, consequences] of consequencesOf(done).entries())
      published += await this.#follow(consequences, trace, index === 0 ? known : undefined, call);
    const isConcluded = ({ value }: StoredEvent): boolean => value.waiting !== undefined || value.unfinishedSince === undefined;
    await this.change(done, (stored) =>
      isConcluded(stored) ? undefined : ({ unfinishedSince: undefined } as unknown as Partial<EventDocument>),
    );
    return published;
  }

  async #follow({ claims, named, ended }: Consequences, trace: TraceOf, known?: ReadEntries, call?: Call): Promise<number> {
    const now = this.#clock.now();
    const isNamed = named.length > 0;
    let published = await this.#claim({ claims, ended: isNamed ? [] : ended }, now, trace, known);
    if (!isNamed) return published;
    published += await this.settle({ forecastNos: [], scanned: named }, trace, named, call);
    await this.#directory.change(changesBy({ claims: [], ended }, now));
    return published;
  }

  /** @returns how many waiting events were published: those under numbers that a correction had taken away and that lead to their forecast again */
  async #claim(
    consequences: { readonly claims: readonly NamedNumber[]; readonly ended: readonly string[] },
    now: number,
    trace: TraceOf,
    known: ReadEntries | undefined,
  ): Promise<number> {
    const changed = await this.#directory.change(changesBy(consequences, now), known);
    const restored = consequences.claims.flatMap((claim) => {
      const { before, after } = changed.get(claim.forecastNo) ?? {};
      // A forecast that has the number as its po_number was found by it before.
      const hadLed =
        before?.numbers.some((number) => scannedForm(number) === claim.number) && leadsTo({ ...before, numbers: [claim.number] }, claim);
      return before && after && !hadLed && leadsTo(after, claim) ? [after] : [];
    });
    if (restored.length === 0) return 0;
    const scanned = restored.flatMap(({ forecast, numbers }) =>
      forecast === null ? [] : numbers.map((number) => ({ warehouseCode: forecast.warehouseCode, number })),
    );
    return this.settle({ forecastNos: restored.map(({ forecastNo }) => forecastNo), scanned }, trace);
  }
}
