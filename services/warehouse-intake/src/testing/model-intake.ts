import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import {
  assignedEntry,
  claimableEntry,
  type DirectoryChange,
  type DirectoryEntry,
  finishedEntry,
  listedEntry,
  parcelSeen,
  type ScannedNumber,
  settledEntry,
} from '../expected/domain/directory.ts';
import { eventKey, type IntakeEvent, isMatched } from '../expected/domain/event.ts';
import { changeOf, type ForecastFact, forecastNoOf } from '../expected/domain/forecast-fact.ts';
import type { UnclaimedReason } from '../expected/domain/match.ts';
import { type Resolution, type ResolutionRequest, waitingNumberOf } from '../expected/domain/resolution.ts';
import { decideResolution, isMeant } from '../reports/domain/claim-or-dismiss.ts';
import { decideReports, type RecordOutcome } from '../reports/domain/decide-reports.ts';
import { decideWaiting, type Publication, type WaitingCandidate, type WaitingChange } from '../reports/domain/decide-waiting.ts';
import { publicationOf } from '../reports/domain/publication.ts';
import type { IntakeStore, ResolveOutcome, UnclaimedParcel } from '../reports/ports.ts';

interface ModelEvent {
  readonly event: IntakeEvent;
  readonly text: string;
  readonly receivedAt: number;
  readonly order: number;
  waiting: UnclaimedReason | null;
  publishedTo: string | null;
  resolution: Resolution | undefined;
}

type Candidate = WaitingCandidate<ModelEvent>;

/** Which waiting events. */
interface Scope {
  readonly forecastNo: string | null;
  readonly scanned: readonly ScannedNumber[];
}

const occurredAt = ({ event }: ModelEvent): number => Date.parse(event.occurredAt);

/** What the intake does, decided by the domain alone over maps: every decision sees everything, and nothing happens in between. */
export class ModelIntake implements Pick<IntakeStore, 'record' | 'follow' | 'resolve' | 'unclaimed'> {
  /** Encoded domain events, in the order of their publication. */
  readonly published: string[] = [];
  readonly #clock: Clock;
  readonly #events = new Map<string, ModelEvent>();
  readonly #entries = new Map<string, DirectoryEntry>();
  #resolutions = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async record(events: readonly IntakeEvent[]): Promise<RecordOutcome> {
    const waiting = this.#waiting().map((stored): Candidate => ({ ...toCandidate(stored), isParked: true }));
    const decision = decideReports(events, { stored: this.#events, waiting, listed: this.#listed() }, this.#clock.now());
    for (const { event, text, match } of decision.inserts) {
      this.#events.set(eventKey(event), {
        event,
        text,
        receivedAt: this.#clock.now(),
        order: this.#events.size,
        waiting: 'reason' in match ? match.reason : null,
        publishedTo: 'forecast' in match ? match.forecast.forecastNo : null,
        resolution: undefined,
      });
    }
    this.#apply(decision.released.changes);
    for (const { publication } of decision.publications) this.#publish(publication);
    return decision.outcome;
  }

  async follow(facts: readonly ForecastFact[]): Promise<{ readonly published: number }> {
    let published = 0;
    for (const fact of facts) published += this.#follow(fact);
    return { published };
  }

  async resolve(request: ResolutionRequest): Promise<ResolveOutcome> {
    const known = this.#events.get(eventKey(request));
    const decision = decideResolution(request, {
      event: known && { ...known, waits: known.waiting !== null },
      forecast: request.action === 'claim' ? claimableEntry(this.#entries.get(request.forecastNo)) : undefined,
    });
    if ('repeated' in decision) return { resolution: decision.repeated, repeated: true, published: 0 };
    this.#resolutions += 1;
    const id = String(this.#resolutions).padStart(16, '0');
    const forecastNo = request.action === 'claim' ? request.forecastNo : null;
    const open = { id, number: decision.number, resolvedAt: this.#clock.now(), forecastNo };
    if (forecastNo !== null) this.#change(forecastNo, (entry) => entry && assignedEntry(entry, decision.number, id));
    const own = this.#waiting().filter(({ event, receivedAt }) => {
      const { kind, number } = waitingNumberOf(event);
      const isUnder = kind === decision.number.kind && number === decision.number.number;
      return isUnder && isMeant(open, { event, receivedAt, reservedBy: null });
    });
    let published = 0;
    if (forecastNo === null) for (const stored of own) stored.waiting = null;
    else published = this.#settle(own, forecastNo);
    const ended = own.filter(({ waiting }) => waiting === null);
    const resolution: Resolution = { ...request, id, resolvedAt: open.resolvedAt, events: ended.length };
    for (const stored of ended) stored.resolution = resolution;
    return { resolution, repeated: false, published };
  }

  async unclaimed(limit: number): Promise<readonly UnclaimedParcel[]> {
    const waiting = [...this.#events.values()].slice(0, limit);
    return waiting.flatMap(({ event, waiting: reason, receivedAt }) =>
      reason === null ? [] : [{ event, type: event.detail.type, reason, receivedAt }],
    );
  }

  #follow(fact: ForecastFact): number {
    const forecastNo = forecastNoOf(fact);
    this.#change(forecastNo, changeOf(fact));
    if (fact.kind === 'cancelled') return this.#settleReleased(forecastNo);
    if (fact.kind === 'refused')
      return this.#settleReleased(forecastNo) + this.#rematch(this.#events.get(eventKey(fact.report)), forecastNo);
    const { warehouseCode, trackingNumbers } = fact.forecast;
    const released = this.#settleReleased(null, forecastNo);
    const scanned = trackingNumbers.map((number) => ({ warehouseCode, number }));
    return released + this.#settle(this.#waiting({ forecastNo, scanned }));
  }

  #settleReleased(named: string | null, forecastNo: string | null = named): number {
    const released = this.#entries.get(forecastNo ?? '')?.released ?? [];
    if (forecastNo === null || released.length === 0) return 0;
    this.#change(forecastNo, (entry) => entry && settledEntry(entry, released));
    return this.#settle(this.#waiting({ forecastNo: named, scanned: released }));
  }

  #rematch(stored: ModelEvent | undefined, forecastNo: string): number {
    if (stored === undefined || stored.publishedTo !== forecastNo || !isMatched(stored.event, forecastNo)) return 0;
    Object.assign(stored, { waiting: 'no_forecast', publishedTo: null, resolution: undefined });
    return this.#settle([stored]);
  }

  #settle(own: readonly ModelEvent[], resolvedTo?: string): number {
    const candidates = own.map((stored): Candidate => ({ ...toCandidate(stored), resolvedTo }));
    const others = this.#waiting().filter((stored) => !own.includes(stored));
    const parked = others.map((stored): Candidate => ({ ...toCandidate(stored), isParked: true }));
    const { changes, publications } = decideWaiting([...candidates, ...parked], this.#listed(), this.#clock.now());
    this.#apply(changes);
    for (const { becomes } of publications) if (!('reason' in becomes)) this.#publish(becomes);
    return publications.length;
  }

  #apply(changes: readonly WaitingChange<ModelEvent>[]): void {
    for (const { stored, becomes } of changes) {
      stored.waiting = 'reason' in becomes ? becomes.reason : null;
      if (!('reason' in becomes)) stored.publishedTo = becomes.forecast.forecastNo;
    }
  }

  #publish({ event, forecast, claims, ends }: Publication): void {
    const now = this.#clock.now();
    const number = claims ? event.scannedNumber : null;
    const { forecastNo, warehouseCode } = forecast;
    if (number !== null) this.#change(forecastNo, (entry) => entry && parcelSeen(entry, { warehouseCode, number }));
    if (ends) this.#change(forecastNo, (entry) => entry && finishedEntry(entry, now));
    const occasion = { id: `evt_${this.published.length}`, now, traceparent: undefined };
    this.published.push(encodeEvent(publicationOf(event, forecast, occasion)).value);
  }

  #change(forecastNo: string, decide: DirectoryChange): void {
    const after = decide(this.#entries.get(forecastNo));
    if (after !== undefined) this.#entries.set(forecastNo, after);
  }

  /** What waits, in the order in which it occurred. */
  #waiting(scope?: Scope): readonly ModelEvent[] {
    const isIn = ({ event }: ModelEvent): boolean => {
      if (scope === undefined) return true;
      if (event.forecastNo !== null) return event.forecastNo === scope.forecastNo;
      const scanned = event.scannedNumber;
      return scope.scanned.some(({ warehouseCode, number }) => warehouseCode === event.warehouseCode && number === scanned);
    };
    const waiting = [...this.#events.values()].filter((stored) => stored.waiting !== null && isIn(stored));
    return waiting.sort((a, b) => occurredAt(a) - occurredAt(b) || a.order - b.order);
  }

  #listed() {
    return [...this.#entries.values()].flatMap((entry) => listedEntry(entry) ?? []);
  }
}

function toCandidate(stored: ModelEvent): Candidate {
  return { event: stored.event, stored, waiting: stored.waiting ?? undefined };
}
