import { AppError } from '@parcelway/kernel/app-error';
import type { DirectoryEntry } from '../../expected/domain/directory.ts';
import type { DirectoryForecast, IntakeEvent } from '../../expected/domain/event.ts';
import { matchWith } from '../../expected/domain/match.ts';
import { type Resolution, type ResolutionRequest, type WaitingNumber, waitingNumberOf } from '../../expected/domain/resolution.ts';

/** What is known of the event that a request names. */
export interface ResolvableEvent {
  readonly event: IntakeEvent;
  readonly waits: boolean;
  /** Number of the forecast that it was applied to, where that is known. */
  readonly publishedTo: string | null;
  /** What ended its waiting, unless its forecast came by itself. */
  readonly resolution: Resolution | undefined;
}

export interface ResolutionState {
  readonly event: ResolvableEvent | undefined;
  /** The forecast of a claim. */
  readonly forecast: DirectoryEntry | undefined;
}

/** What becomes of a request: it is carried out, or was before. */
export type ResolutionDecision =
  /** `forecast`: whose parcel it is; null for a dismissal. */
  { readonly number: WaitingNumber; readonly forecast: DirectoryForecast | null } | { readonly repeated: Resolution };

/** At most this many numbers are claimed for one forecast: a parcel has a few labels. */
export const MAX_CLAIMED_NUMBERS = 1000;

/** True when a request asks for what a resolution has done. Who asks, and for which of its events, does not matter. */
function asksFor(request: ResolutionRequest, done: Resolution): boolean {
  if (request.action === 'claim') return done.action === 'claim' && done.forecastNo === request.forecastNo;
  return done.action === 'dismiss' && done.reason === request.reason;
}

function resolvedBefore(done: Resolution): AppError {
  const what = done.action === 'claim' ? `claimed for forecast ${done.forecastNo}` : `dismissed (${done.reason})`;
  const data = { action: done.action, ...(done.action === 'claim' ? { forecast_no: done.forecastNo } : { reason: done.reason }) };
  return new AppError('40902', `The event was already ${what}; this cannot be changed`, { data });
}

function appliedBefore(forecastNo: string | null): AppError {
  const where = forecastNo === null ? 'its forecast' : `forecast ${forecastNo}`;
  return new AppError('40902', `The event is not waiting: it was applied to ${where}`, {
    data: forecastNo === null ? {} : { forecast_no: forecastNo },
  });
}

function assertClaimable(event: IntakeEvent, entry: DirectoryEntry | undefined): DirectoryForecast {
  const forecast = entry?.forecast;
  if (!forecast || forecast.warehouseCode !== event.warehouseCode)
    throw new AppError('40403', 'No such forecast is known at this warehouse');
  const { cancelledAt, assigned, aliases } = entry;
  if (cancelledAt !== null) throw new AppError('40902', `Forecast ${forecast.forecastNo} is cancelled`);
  if (!('forecast' in matchWith(event, forecast)))
    throw new AppError(
      '40902',
      `Forecast ${forecast.forecastNo} is of type 1 and takes no dispatch; dismiss the event, or claim it for another forecast`,
    );
  if (assigned.length + aliases.length >= MAX_CLAIMED_NUMBERS)
    throw new AppError('40902', `A forecast can have at most ${MAX_CLAIMED_NUMBERS} claimed numbers`);
  return forecast;
}

/**
 * Decides a claim or a dismissal. A claim needs an event that waits, and a forecast of its warehouse that is not cancelled
 * and takes the event; a dismissal needs an event that waits. The response to the same request again is what it did.
 * @throws AppError 40403 when the warehouse has no such event or forecast; 40902 when the event was resolved otherwise, or the forecast does not take it
 */
export function decideResolution(request: ResolutionRequest, { event: known, forecast }: ResolutionState): ResolutionDecision {
  if (known === undefined) throw new AppError('40403', 'The warehouse has no such event');
  const { event, waits, publishedTo, resolution } = known;
  if (!waits) {
    if (resolution === undefined) throw appliedBefore(publishedTo);
    if (!asksFor(request, resolution)) throw resolvedBefore(resolution);
    return { repeated: resolution };
  }
  return { number: waitingNumberOf(event), forecast: request.action === 'claim' ? assertClaimable(event, forecast) : null };
}
