import type { DirectoryForecast, IntakeEvent } from './event.ts';

/** Why an event has no forecast yet. */
export type UnclaimedReason =
  /** No forecast of this number is known here. */
  | 'no_forecast'
  /** The forecast that the warehouse names is meant for another warehouse. */
  | 'warehouse_mismatch'
  /** Several forecasts declare the scanned number; choosing one would be a guess, perhaps across tenants. */
  | 'ambiguous';

/** A forecast, not cancelled, that declares the scanned number at the reporting warehouse. */
export interface Candidate extends DirectoryForecast {
  /** An earlier event under this very number went to this forecast. */
  readonly claimed: boolean;
  /** Epoch milliseconds at which an event ended the parcel's stay; null while it is expected or here. */
  readonly finishedAt: number | null;
}

/** What the directory says about an event: the forecast it names, or else those that declare the scanned number. */
export interface DirectoryAnswer {
  readonly named: DirectoryForecast | undefined;
  readonly candidates: readonly Candidate[];
}

/** Outcome of the match. */
export type Match = { readonly forecast: DirectoryForecast } | { readonly reason: UnclaimedReason };

/**
 * A report that comes in late, after the parcel has left, still belongs to it for this long. Afterwards the number
 * is taken to be on another parcel, whose forecast is waited for.
 */
export const LATE_REPORT_MS = 7 * 86_400_000;

function only(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}

function byScannedNumber(candidates: readonly Candidate[], now: number): Match {
  const expected = candidates.filter((candidate) => candidate.finishedAt === null);
  const left = candidates.filter((candidate) => candidate.finishedAt !== null && now - candidate.finishedAt <= LATE_REPORT_MS);
  const choice = expected.length > 0 ? expected : left;
  if (choice.length === 0) return { reason: 'no_forecast' };
  // A parcel stays with the forecast of its first event: a stranger who declares its number later does not hold it up.
  const forecast = only(choice) ?? only(choice.filter((candidate) => candidate.claimed));
  return forecast ? { forecast } : { reason: 'ambiguous' };
}

/**
 * Finds the forecast of an event. The forecast number decides when it is given, whatever state that forecast is in
 * (the forecast service owns the state); otherwise the only forecast that declares the scanned number at this
 * warehouse: one whose parcel is expected or here before one whose parcel has left.
 * @param now epoch milliseconds
 */
export function matchEvent(event: IntakeEvent, directory: DirectoryAnswer, now: number): Match {
  if (event.forecastNo === null) return byScannedNumber(directory.candidates, now);
  if (!directory.named) return { reason: 'no_forecast' };
  return directory.named.warehouseCode === event.warehouseCode ? { forecast: directory.named } : { reason: 'warehouse_mismatch' };
}
