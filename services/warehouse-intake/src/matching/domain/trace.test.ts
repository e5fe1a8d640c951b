import { expect, test } from '@jest/globals';
import { acceptedForecast, intakeEvent, traceOf } from '../../testing/samples.ts';
import type { IntakeEvent } from './event.ts';
import type { ForecastFact } from './forecast-fact.ts';
import { tracesOfFacts, tracesOfReports } from './trace.ts';

const forecast = (forecastNo: string) => acceptedForecast({ forecastNo });
/** A report with its trace. */
const traced = (digit: number | undefined, given: Partial<IntakeEvent>) => ({
  event: intakeEvent(given),
  trace: digit === undefined ? undefined : traceOf(digit),
});
const reportsOf = (...reports: readonly ReturnType<typeof traced>[]) => {
  const traces = new Map(reports.map(({ event, trace }) => [event, trace]));
  return tracesOfReports(
    reports.map(({ event }) => event),
    (event) => traces.get(event),
  );
};

test('reports of one trace publish under it, whatever they release', () => {
  const traceFor = reportsOf(traced(1, { forecastNo: 'FC1' }), traced(1, { forecastNo: 'FC2' }));
  expect(traceFor({ event: intakeEvent({ expressNo: 'N9' }), forecast: forecast('FC1') })).toBe(traceOf(1));
});

test('reports of several traces publish under their own, and a waiting event under that of the report that names its forecast', () => {
  const naming = traced(1, { forecastNo: 'FC1', expressNo: 'N1' });
  const other = traced(2, { expressNo: 'N2' });
  const silent = traced(undefined, { expressNo: 'N3' });
  const traceFor = reportsOf(naming, other, silent);
  expect([naming, other, silent].map(({ event }) => traceFor({ event, forecast: forecast('FC1') }))).toEqual([
    traceOf(1),
    traceOf(2),
    undefined,
  ]);
  const waiting = (given: Partial<IntakeEvent>) => traceFor({ event: intakeEvent(given), forecast: forecast('FC1') });
  expect(waiting({ expressNo: 'n1' })).toBe(traceOf(1));
  expect(waiting({ expressNo: 'N1', warehouseCode: 'WH2' })).toBeUndefined();
  expect(waiting({ expressNo: 'N2' })).toBeUndefined();
});

test('a repeated report has the trace of its first copy', () => {
  const first = traced(1, { expressNo: 'N1' });
  const copy = { ...first, event: { ...first.event } };
  const traceFor = reportsOf(first, { ...copy, trace: traceOf(2) });
  expect(traceFor({ event: first.event, forecast: forecast('FC1') })).toBe(traceOf(1));
});

test('facts publish under the trace of the fact about the forecast, or of the one that released the number', () => {
  const facts: readonly ForecastFact[] = [
    { kind: 'accepted', forecast: forecast('FC1'), traceparent: traceOf(1) },
    { kind: 'cancelled', forecastNo: 'FC2', at: 0, traceparent: traceOf(2) },
  ];
  const traceFor = tracesOfFacts(facts, (fact) => (fact.kind === 'cancelled' ? ['N2'] : []));
  expect(traceFor({ event: intakeEvent({ expressNo: 'N1' }), forecast: forecast('FC1') })).toBe(traceOf(1));
  expect(traceFor({ event: intakeEvent({ expressNo: 'N2' }), forecast: forecast('FC3') })).toBe(traceOf(2));
  expect(traceFor({ event: intakeEvent({ expressNo: 'N3' }), forecast: forecast('FC3') })).toBeUndefined();
  const alone = tracesOfFacts(facts.slice(1), () => []);
  expect(alone({ event: intakeEvent(), forecast: forecast('FC3') })).toBe(traceOf(2));
});
