import { decodeEvent } from '@parcelway/contracts/encode-event';
import type { AcceptedForecast, EventDetail, IntakeEvent } from '../expected/domain/event.ts';
import type { ForecastFact } from '../expected/domain/forecast-fact.ts';
import type { ResolutionRequest } from '../expected/domain/resolution.ts';
import type { Intake } from '../reports/intake-store.ts';
import { acceptedForecast, intakeEvent, NOW } from './samples.ts';

export type Step = (store: Intake) => Promise<unknown>;

/** What ends a parcel's stay. */
export const dispatch: EventDetail = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' };

/** An event under a scanned number at WH1. */
export function scan(expressNo: string, detail: EventDetail = { type: 'arrival' }): IntakeEvent {
  return intakeEvent({ expressNo, detail });
}

export function record(...events: readonly IntakeEvent[]): Step {
  return (store) => store.record(events);
}

/** Accepts a forecast at WH1, all of one tenant: a number that is free again is free for its next forecast at once. */
export function accept(forecastNo: string, ...trackingNumbers: readonly string[]): Step {
  return (store) => store.follow([{ kind: 'accepted', forecast: acceptedForecast({ forecastNo, trackingNumbers }) }]);
}

export function cancel(forecastNo: string): Step {
  return (store) => store.follow([{ kind: 'cancelled', forecastNo, at: NOW }]);
}

/** Corrects a forecast: `given` is what it declares from that version on. */
export function correct(forecastNo: string, version: number, given: Partial<AcceptedForecast>): Step {
  const forecast = { ...acceptedForecast({ forecastNo, trackingNumbers: [], ...given }), version };
  return (store) => store.follow([{ kind: 'corrected', forecast }]);
}

/** Follows the facts of several steps in one batch. */
export function together(facts: readonly ForecastFact[]): Step {
  return (store) => store.follow(facts);
}

/** The request of a warehouse that an event is for a forecast. */
export function claimOf({ warehouseCode, eventId }: IntakeEvent, forecastNo: string): ResolutionRequest {
  return { action: 'claim', forecastNo, warehouseCode, eventId, resolvedBy: 'key_1' };
}

/** The request of a warehouse that nothing more is done for an event. */
export function dismissalOf({ warehouseCode, eventId }: IntakeEvent): ResolutionRequest {
  return { action: 'dismiss', reason: 'Returned to sender', warehouseCode, eventId, resolvedBy: 'key_1' };
}

/** Claims what waits under the number of an event for a forecast. */
export function claim(event: IntakeEvent, forecastNo: string): Step {
  return (store) => store.resolve(claimOf(event, forecastNo));
}

export function dismiss(event: IntakeEvent): Step {
  return (store) => store.resolve(dismissalOf(event));
}

/**
 * Where every event is: the forecast that it was published for, once per publication, or why it waits.
 * @param published every event published so far, encoded
 */
export async function whereabouts(store: Intake, published: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const publications = (await published()).map(decodeEvent);
  const gone = publications.map((event) => wentTo((event.data as { readonly event_id: string }).event_id, event.subject));
  const waiting = (await store.unclaimed(1000)).map((parcel) => `${parcel.event.eventId}: ${parcel.reason}`);
  return [...gone, ...waiting].sort();
}

/** How {@link whereabouts} shows a published event. */
export function wentTo(eventId: string, forecastNo: string): string {
  return `${eventId} → ${forecastNo}`;
}
