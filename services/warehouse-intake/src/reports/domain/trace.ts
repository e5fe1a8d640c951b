import { eventKey, type IntakeEvent } from '../../expected/domain/event.ts';
import { type ForecastFact, forecastNoOf } from '../../expected/domain/forecast-fact.ts';
import type { Publication } from './decide-reports.ts';

/** The `traceparent` of what causes a publication; undefined when nothing is known to. */
export type TraceOf = (publication: Pick<Publication, 'event' | 'forecast'>) => string | undefined;

/** The `traceparent` of a report of a call. */
export type ReportTrace = (event: IntakeEvent) => string | undefined;

const scanKey = ({ warehouseCode }: IntakeEvent, number: string): string => `${warehouseCode} ${number}`;

/** Traces of what reports publish: their own, or that of the report that names the forecast of a waiting event's number. */
export function tracesOfReports(events: readonly IntakeEvent[], traceOf: ReportTrace): TraceOf {
  const [first] = events;
  const common = first && traceOf(first);
  if (events.every((event) => traceOf(event) === common)) return () => common;
  const byEvent = new Map<string, string | undefined>();
  const byNumber = new Map<string, string | undefined>();
  for (const event of events) {
    const key = eventKey(event);
    if (!byEvent.has(key)) byEvent.set(key, traceOf(event));
    const number = event.forecastNo === null ? null : event.scannedNumber;
    if (number !== null) byNumber.set(scanKey(event, number), traceOf(event));
  }
  return ({ event }) => {
    const key = eventKey(event);
    return byEvent.has(key) ? byEvent.get(key) : byNumber.get(scanKey(event, event.scannedNumber ?? ''));
  };
}

/**
 * Traces of what facts publish: that of the fact about its forecast, or of the fact that took the number from another one.
 * @param facts of different forecasts
 * @param releasedBy numbers that led to the forecast of a fact before
 */
export function tracesOfFacts(facts: readonly ForecastFact[], releasedBy: (fact: ForecastFact) => readonly string[]): TraceOf {
  const [first] = facts;
  if (facts.length === 1) return () => first?.traceparent;
  const byForecast = new Map(facts.map((fact) => [forecastNoOf(fact), fact.traceparent]));
  const byNumber = new Map(facts.flatMap((fact) => releasedBy(fact).map((number) => [number, fact.traceparent] as const)));
  return ({ event, forecast }) =>
    byForecast.has(forecast.forecastNo) ? byForecast.get(forecast.forecastNo) : byNumber.get(event.scannedNumber ?? '');
}
