import type { DirectoryForecast, IntakeEvent } from './event.ts';

/** Why an event has no forecast yet. */
export type UnclaimedReason =
  /** No forecast of this number is known here. */
  | 'no_forecast'
  /** The forecast that the warehouse names is meant for another warehouse. */
  | 'warehouse_mismatch'
  /** Several forecasts declare the scanned number, or only one that may have guessed it; choosing would be a guess, perhaps across tenants. */
  | 'ambiguous'
  /** A dispatch of a type 1 forecast, whose goods stay in the warehouse. */
  | 'takes_no_dispatch';

export const unclaimedReasons = [
  'no_forecast',
  'warehouse_mismatch',
  'ambiguous',
  'takes_no_dispatch',
] as const satisfies UnclaimedReason[];

/** A forecast, not cancelled, that declares the scanned number at the reporting warehouse, or has it as its po_number. */
export interface Candidate extends DirectoryForecast {
  /** False when the number is its po_number alone. */
  readonly declares: boolean;
  /** Its tenant declares far more numbers than parcels come (domain/declared-numbers). */
  readonly isSuspect?: boolean | undefined;
  /** An earlier event under this very number went to this forecast. */
  readonly claimed: boolean;
  /**
   * The warehouse has claimed the number for this forecast, which need not declare it: a text that rises from one claim to the next. Null when
   * it has not.
   */
  readonly assignedBy: string | null;
  /** It declares other numbers, too. */
  readonly declaresMore?: boolean | undefined;
  /** An event under any number went to it. */
  readonly wasSeen?: boolean | undefined;
  /** Epoch milliseconds at which an event ended the parcel's stay; null while it is expected or here. */
  readonly finishedAt: number | null;
}

/** What the directory says about an event: the forecast it names, or else those that declare the scanned number. */
export interface DirectoryLookup {
  readonly named: DirectoryForecast | undefined;
  /** The forecast that the reporting warehouse has claimed the named number for. */
  readonly standIn?: DirectoryForecast | undefined;
  readonly candidates: readonly Candidate[];
}

/** An event that finds no forecast. */
export interface NoMatch {
  readonly reason: UnclaimedReason;
  /** Numbers of the forecasts that it may be for, of an ambiguous event. */
  readonly candidates?: readonly string[];
}

export type Match = { readonly forecast: DirectoryForecast } | NoMatch;

/** The one that the warehouse claimed the number for last. */
function assigned(candidates: readonly Candidate[]): Candidate | undefined {
  let latest: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate.assignedBy !== null && candidate.assignedBy > (latest?.assignedBy ?? '')) latest = candidate;
  }
  return latest;
}

function only(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** What becomes of an event that is for this forecast. */
export function matchWith(event: IntakeEvent, forecast: DirectoryForecast): Match {
  return event.detail.type === 'dispatch' && !takesDispatch(forecast) ? { reason: 'takes_no_dispatch' } : { forecast };
}

/**
 * False for one of many numbers of a forecast whose parcel has left, when nobody has seen it on that parcel: most likely it never was there. It
 * counts no longer (domain/declared-numbers), so it must not take the scans of others either.
 */
function wasOnParcel({ claimed, assignedBy, declaresMore }: Candidate): boolean {
  return claimed || assignedBy !== null || declaresMore !== true;
}

function byScannedNumber(event: IntakeEvent, candidates: readonly Candidate[], now: number): Match {
  const declaring = candidates.filter(({ declares, claimed }) => declares || claimed);
  const expected = declaring.filter((candidate) => candidate.finishedAt === null);
  const late = declaring.filter((candidate) => candidate.finishedAt !== null && takesLateReports(candidate.finishedAt, now));
  const left = late.filter(wasOnParcel);
  const choice = expected.length > 0 ? expected : left;
  if (choice.length === 0) return late.length === 0 ? { reason: 'no_forecast' } : ambiguous(late);
  // What the warehouse has claimed comes first. Otherwise a parcel stays with the forecast of its first event: a
  // stranger who declares its number later does not hold it up.
  const established = assigned(choice) ?? only(choice.filter((candidate) => candidate.claimed));
  if (established) return matchWith(event, established);
  const sole = only(choice);
  // Nor does a stranger get the late reports on a parcel that has just left, or those on the carton of another's order. A suspect tenant, which may
  // have guessed the po_number, holds nobody up by it.
  const orders = candidates.filter((each) => !declaring.includes(each) && each.finishedAt === null && !each.isSuspect);
  // While no number of a parcel was seen, any of them may have been on it.
  const leaving = late.filter((candidate) => wasOnParcel(candidate) || candidate.wasSeen !== true);
  const strangers = [...(choice === left ? [] : leaving), ...orders].filter((candidate) => candidate.tenantId !== sole?.tenantId);
  if (sole && strangers.length === 0 && !sole.isSuspect) return matchWith(event, sole);
  return ambiguous([...choice, ...strangers]);
}

function ambiguous(candidates: readonly Candidate[]): NoMatch {
  return { reason: 'ambiguous', candidates: candidates.map((candidate) => candidate.forecastNo) };
}

/**
 * Finds the forecast of an event. The forecast number decides when it is given, whatever state that forecast is in
 * (the forecast service owns the state); otherwise the only forecast that declares the scanned number at this
 * warehouse: one whose parcel is expected or here before one whose parcel has left. A forecast number that leads nowhere goes
 * where the warehouse has claimed it for.
 * @param now epoch milliseconds
 */
export function matchEvent(event: IntakeEvent, directory: DirectoryLookup, now: number): Match {
  if (event.forecastNo === null) return byScannedNumber(event, directory.candidates, now);
  const { named, standIn } = directory;
  if (named?.warehouseCode === event.warehouseCode) return matchWith(event, named);
  if (standIn) return matchWith(event, standIn);
  return { reason: named ? 'warehouse_mismatch' : 'no_forecast' };
}

/**
 * True when the goods of a forecast leave the warehouse with a carrier. Those of type 1 stay: a report of their dispatch is refused. If it came before
 * its forecast was known, it continues to wait (./match-batch.ts). The forecast service has the same rule in facts/domain/advance.ts.
 */
export function takesDispatch({ forecastType }: Pick<DirectoryForecast, 'forecastType'>): boolean {
  return forecastType !== 1;
}

/**
 * True when an event ends the parcel's stay in the warehouse: it was handed to a carrier, or the goods of a
 * replenishment are on the shelf. From then on a forecast whose parcel is expected
 * comes first under the number that was scanned from it.
 */
export function endsStay(event: IntakeEvent, forecast: DirectoryForecast): boolean {
  return event.detail.type === 'dispatch' || (event.detail.type === 'put_away' && forecast.forecastType === 1);
}

/**
 * A report that comes in late, after the parcel has left, still belongs to it for this long. Afterwards the number
 * is taken to be on another parcel, whose forecast is waited for.
 */
export const LATE_REPORT_MS = 7 * 86_400_000;

/** True while a late report may still be on the parcel. Both in epoch milliseconds. */
export function takesLateReports(finishedAt: number, now: number): boolean {
  return now - finishedAt <= LATE_REPORT_MS;
}
