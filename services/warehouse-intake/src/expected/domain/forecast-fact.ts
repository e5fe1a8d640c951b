import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { acceptedEntry, cancelledEntry, correctedEntry, type DirectoryChange, type DirectoryEntry, numbersOf } from './directory.ts';
import { type AcceptedForecast, type CorrectedForecast, type EventKey, scannedForm } from './event.ts';

/** A fact about a forecast that the directory follows. */
export type ForecastFact = (
  | { readonly kind: 'accepted'; readonly forecast: AcceptedForecast }
  | { readonly kind: 'corrected'; readonly forecast: CorrectedForecast }
  /** `at`: epoch milliseconds. */
  | { readonly kind: 'cancelled'; readonly forecastNo: string; readonly at: number }
  /** It is cancelled, and a report that the platform had matched with it came too late. `at`: of the cancellation, epoch milliseconds. */
  | { readonly kind: 'refused'; readonly forecastNo: string; readonly at: number; readonly report: EventKey }
) & {
  /** Of the message that reports it. What had waited and is published because of the fact carries it. */
  readonly traceparent?: string | undefined;
};

/** An event that changes the directory. */
export type DirectoryEvent =
  | DomainEvent<'forecast.accepted'>
  | DomainEvent<'forecast.corrected'>
  | DomainEvent<'forecast.cancelled'>
  | DomainEvent<'forecast.report_refused'>;

function forecastOf(event: DomainEvent<'forecast.accepted' | 'forecast.corrected'>): AcceptedForecast {
  return {
    forecastNo: event.data.forecast_no,
    tenantId: event.tenantid,
    environment: event.environment,
    warehouseCode: event.data.warehouse_code,
    forecastType: event.data.forecast_type,
    trackingNumbers: event.data.tracking_numbers,
    poNumber: event.data.po_number,
  };
}

/** What an event says that the directory follows. */
export function factOf(event: DirectoryEvent): ForecastFact {
  const { traceparent } = event;
  switch (event.type) {
    case 'forecast.accepted':
      return { kind: 'accepted', forecast: forecastOf(event), traceparent };
    case 'forecast.corrected':
      return { kind: 'corrected', forecast: { ...forecastOf(event), version: event.data.version }, traceparent };
    case 'forecast.cancelled':
      return { kind: 'cancelled', forecastNo: event.data.forecast_no, at: Date.parse(event.data.cancelled_at), traceparent };
    case 'forecast.report_refused': {
      const report = { warehouseCode: event.data.warehouse_code, eventId: event.data.event_id };
      return { kind: 'refused', forecastNo: event.data.forecast_no, at: Date.parse(event.data.cancelled_at), report, traceparent };
    }
  }
}

/** At most this many numbers of forecasts are matched again in one step: MongoDB merges the results of up to 200 ranges of an index in their order. */
const MAX_NUMBERS = 200;

export function forecastNoOf(fact: ForecastFact): string {
  return 'forecast' in fact ? fact.forecast.forecastNo : fact.forecastNo;
}

/** What the fact makes of the entry of its forecast. */
export function changeOf(fact: ForecastFact): DirectoryChange {
  switch (fact.kind) {
    case 'accepted':
      return (entry) => acceptedEntry(entry, fact.forecast);
    case 'corrected':
      return (entry) => correctedEntry(entry, fact.forecast);
    case 'cancelled':
    case 'refused':
      return (entry) => cancelledEntry(entry, fact.forecastNo, fact.at);
  }
}

/**
 * Splits facts into steps, in their order. The facts of a step concern different forecasts and different numbers, so applying them at once has the
 * effect of applying them one after the other. A refusal is a step of its own: its report may be any forecast's.
 * @param known the entries of all but accepted forecasts, as far as there are any
 */
export function independentFacts(
  facts: readonly ForecastFact[],
  known: (forecastNo: string) => DirectoryEntry | undefined,
): readonly (readonly ForecastFact[])[] {
  const steps: ForecastFact[][] = [];
  let touched = new Set<string>();
  const numbers = new Map<string, Set<string>>();
  for (const fact of facts) {
    const forecastNo = forecastNoOf(fact);
    const entry = known(forecastNo);
    // All that have led to the forecast: the fact may release them.
    const own =
      numbers.get(forecastNo) ??
      new Set([...(entry?.numbers ?? []).map(scannedForm), ...(entry?.released.map(({ number }) => number) ?? [])]);
    // A po_number, too: what is scanned may be that of one forecast and a number of another.
    if ('forecast' in fact) for (const number of numbersOf(fact.forecast)) own.add(scannedForm(number));
    numbers.set(forecastNo, own);
    const touches = [`forecast ${forecastNo}`, ...own];
    const step = steps.at(-1);
    const isAlone = fact.kind === 'refused' || step?.[0]?.kind === 'refused';
    if (step !== undefined && !isAlone && touched.size + touches.length <= MAX_NUMBERS && !touches.some((one) => touched.has(one)))
      step.push(fact);
    else {
      steps.push([fact]);
      touched = new Set();
    }
    for (const one of touches) touched.add(one);
  }
  return steps;
}
