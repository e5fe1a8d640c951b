import type { ClaimedNumber, DirectoryEntry } from './directory.ts';
import { type DirectoryForecast, type IntakeEvent, isDeclared, scannedForm } from './event.ts';
import { type Candidate, type DirectoryLookup, endsStay, type Match, matchEvent, matchWith, type UnclaimedReason } from './match.ts';

/** An entry of the directory whose acceptance is known. */
export interface ListedForecast extends DirectoryEntry {
  readonly forecast: DirectoryForecast;
  /** See {@link Candidate.isSuspect}. */
  readonly isSuspect?: boolean;
}

export interface BatchEvent {
  readonly event: IntakeEvent;
  /** Why it waits, of an event that is stored; absent of a new one. */
  readonly waiting?: UnclaimedReason | undefined;
  /** It is stored, but the events before it in the batch came before it: they do not find it waiting. */
  readonly isRecent?: boolean;
  /** Number of the forecast that it was published for before; that stays, and counts for the events behind it. */
  readonly publishedTo?: string | undefined;
  /** Number of the forecast that the warehouse has named since the event waits. */
  readonly resolvedTo?: string | undefined;
}

/** What becomes of events that are matched one after the other. */
export interface BatchMatch {
  /** For each event, in the order given. */
  readonly matches: readonly Match[];
  /** Indices of the events with a forecast, in the order of their publication. */
  readonly publications: readonly number[];
  /**
   * Indices of those that say whose parcel their scanned number is on: the first under it to go to their forecast, and those
   * that name the forecast while others declare the number too.
   */
  readonly claiming: ReadonlySet<number>;
  /** Indices of those that end the stay of their parcel. */
  readonly ending: ReadonlySet<number>;
  /** Indices of new events that their forecast does not take: they are not stored. */
  readonly refused: ReadonlySet<number>;
}

/** A listed forecast as the events of the batch change it. */
interface Progress {
  readonly forecast: DirectoryForecast;
  readonly isSuspect: boolean | undefined;
  readonly declared: ReadonlySet<string>;
  /** Those of the declared numbers, and what is scanned of its po_number. */
  readonly known: ReadonlySet<string>;
  readonly claimed: Set<string>;
  readonly assigned: ReadonlyMap<string, string>;
  finishedAt: number | null;
}

/** Warehouse codes hold no blank, so the two parts cannot run into each other. */
const scanKey = (warehouseCode: string, number: string): string => `${warehouseCode} ${number}`;

/** Number → the latest claim of it. */
function latestOf(claims: readonly ClaimedNumber[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const { number, by } of claims) if (by > (latest.get(number) ?? '')) latest.set(number, by);
  return latest;
}

class Batch {
  readonly matches: Match[] = [];
  readonly publications: number[] = [];
  readonly claiming = new Set<number>();
  readonly ending = new Set<number>();
  readonly refused = new Set<number>();
  readonly #events: readonly BatchEvent[];
  readonly #now: number;
  readonly #byNo = new Map<string, Progress>();
  readonly #byNumber = new Map<string, Progress[]>();
  readonly #standIns = new Map<string, { readonly by: string; readonly forecast: DirectoryForecast }>();
  /** Indices of the events that wait under a scanned number. */
  readonly #waiting = new Map<string, Set<number>>();

  constructor(events: readonly BatchEvent[], listed: readonly ListedForecast[], now: number) {
    this.#events = events;
    this.#now = now;
    const scanned = new Set(events.map(({ event }) => scanKey(event.warehouseCode, event.scannedNumber ?? '')));
    for (const { forecast, isSuspect, numbers, claimed, assigned, aliases, finishedAt } of listed) {
      const progress: Progress = {
        forecast,
        isSuspect,
        declared: new Set(numbers.filter(isDeclared)),
        known: new Set(numbers.map(scannedForm)),
        claimed: new Set(claimed),
        assigned: latestOf(assigned),
        finishedAt,
      };
      this.#byNo.set(forecast.forecastNo, progress);
      for (const { number, by } of aliases) {
        const key = scanKey(forecast.warehouseCode, number);
        if (by > (this.#standIns.get(key)?.by ?? '')) this.#standIns.set(key, { by, forecast });
      }
      for (const number of progress.known) {
        const key = scanKey(forecast.warehouseCode, number);
        if (!scanned.has(key)) continue;
        const declaring = this.#byNumber.get(key);
        if (declaring === undefined) this.#byNumber.set(key, [progress]);
        else declaring.push(progress);
      }
    }
    for (const [index, { event, waiting, isRecent }] of events.entries()) {
      if (waiting === undefined || isRecent) continue;
      this.matches[index] = { reason: waiting };
      this.#wait(index, event);
    }
  }

  /** Matches an event in its turn. */
  take(index: number): void {
    const { event, waiting, publishedTo } = this.#events[index] as BatchEvent;
    if (this.#isPublished(index)) return;
    this.#match(index);
    if (this.#isPublished(index) || publishedTo !== undefined) return;
    if (waiting === undefined && isReason(this.matches[index], 'takes_no_dispatch')) this.refused.add(index);
    else this.#wait(index, event);
  }

  #isPublished(index: number): boolean {
    const match = this.matches[index];
    return match !== undefined && 'forecast' in match;
  }

  #settle(index: number, match: Match): void {
    this.matches[index] = match;
    if ('forecast' in match) this.#publish(index, (this.#events[index] as BatchEvent).event, match.forecast);
  }

  #match(index: number): void {
    this.#settle(index, this.#find(this.#events[index] as BatchEvent));
  }

  #find({ event, publishedTo, resolvedTo }: BatchEvent): Match {
    const known = publishedTo === undefined ? undefined : this.#byNo.get(publishedTo);
    if (publishedTo !== undefined) return known ? { forecast: known.forecast } : { reason: 'no_forecast' };
    const resolved = resolvedTo === undefined ? undefined : this.#byNo.get(resolvedTo);
    return resolved ? matchWith(event, resolved.forecast) : matchEvent(event, this.#lookUp(event), this.#now);
  }

  #lookUp(event: IntakeEvent): DirectoryLookup {
    if (event.forecastNo !== null) {
      const standIn = this.#standIns.get(scanKey(event.warehouseCode, event.forecastNo))?.forecast;
      return { named: this.#byNo.get(event.forecastNo)?.forecast, standIn, candidates: [] };
    }
    const number = event.scannedNumber ?? '';
    const declaring = this.#byNumber.get(scanKey(event.warehouseCode, number)) ?? [];
    const candidates = declaring.map(
      ({ forecast, isSuspect, declared, claimed, assigned, finishedAt }): Candidate => ({
        ...forecast,
        declares: declared.has(number),
        claimed: claimed.has(number),
        isSuspect,
        assignedBy: assigned.get(number) ?? null,
        declaresMore: declared.size > 1,
        wasSeen: claimed.size > 0,
        finishedAt,
      }),
    );
    return { named: undefined, candidates };
  }

  #publish(index: number, event: IntakeEvent, forecast: DirectoryForecast): void {
    const progress = this.#byNo.get(forecast.forecastNo) as Progress;
    const number = event.scannedNumber;
    const key = scanKey(forecast.warehouseCode, number ?? '');
    const others = this.#byNumber.get(key)?.filter((other) => other !== progress) ?? [];
    const isNamed = event.forecastNo !== null;
    // By its po_number a forecast has a parcel only if another one declares it and the warehouse says whose it is.
    const isOrder = isNamed && progress.known.has(number ?? '') && others.some(({ declared }) => declared.has(number ?? ''));
    if (number !== null && (progress.declared.has(number) || isOrder)) {
      const isShared = others.length > 0;
      if (!progress.claimed.has(number) || (isNamed && isShared)) this.claiming.add(index);
      progress.claimed.add(number);
      if (isNamed) this.#release(key, forecast);
    }
    this.publications.push(index);
    if (!endsStay(event, forecast) || progress.finishedAt !== null) return;
    this.ending.add(index);
    progress.finishedAt = this.#now;
  }

  #wait(index: number, event: IntakeEvent): void {
    if (event.forecastNo !== null) return;
    const key = scanKey(event.warehouseCode, event.scannedNumber ?? '');
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, new Set([index]));
    else waiting.add(index);
  }

  /** What waited for somebody to say whose parcel the number is on goes there, in the order in which it occurred. */
  #release(key: string, forecast: DirectoryForecast): void {
    const eventAt = (index: number): IntakeEvent => (this.#events[index] as BatchEvent).event;
    const occurredAt = (index: number): number => Date.parse(eventAt(index).occurredAt);
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const index of [...waiting].sort((a, b) => occurredAt(a) - occurredAt(b))) {
      if (this.#isPublished(index)) continue;
      if (isReason(this.matches[index], 'ambiguous')) this.#settle(index, matchWith(eventAt(index), forecast));
      else this.#match(index);
      if (!this.#isPublished(index)) this.#wait(index, eventAt(index));
    }
  }
}

function isReason(match: Match | undefined, reason: UnclaimedReason): boolean {
  return match !== undefined && 'reason' in match && match.reason === reason;
}

/**
 * Matches events one after the other, each with what those before it have changed: a number claimed, a stay ended. A
 * warehouse that names forecast and number together says whose parcel that number is on, so events that waited for just
 * that go there, and first.
 * @param listed the forecasts that the events name, were published for or resolved to, and those that declare a number that
 *   one of them was scanned under
 * @param now epoch milliseconds
 */
export function matchBatch(events: readonly BatchEvent[], listed: readonly ListedForecast[], now: number): BatchMatch {
  const batch = new Batch(events, listed, now);
  for (const index of events.keys()) batch.take(index);
  return batch;
}
