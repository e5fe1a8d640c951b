import fc from 'fast-check';
import { type AcceptedForecast, type EventDetail, eventKey, type IntakeEvent, nameOf } from '../expected/domain/event.ts';
import { type ForecastFact, forecastNoOf } from '../expected/domain/forecast-fact.ts';
import { LATE_REPORT_MS } from '../expected/domain/match.ts';
import { claim, dismiss, dispatch, record, type Step, together } from './intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW } from './samples.ts';

/** A step, with what a failed test shows of it. */
export interface ShownStep {
  readonly does: string;
  readonly run: Step;
  /** The same, one report or fact a step; default the step itself. */
  readonly singly?: readonly Step[];
  /** How long it takes, milliseconds; default a second. */
  readonly ms?: number;
}

const NUMBERS = ['SHARED1', 'OWN0', 'OWN1', 'OWN2'] as const;
const forecastIndex = fc.nat(3);

/** Forecasts of two tenants, one of type 1, one whose po_number is a number that another declares. */
const forecastOf = (index: number, given: Partial<AcceptedForecast> = {}): AcceptedForecast =>
  acceptedForecast({
    forecastNo: `FC${index}`,
    tenantId: index === 1 ? 'tnt_b' : 'tnt_a',
    forecastType: index === 3 ? 1 : 2,
    trackingNumbers: ['SHARED1', `OWN${index}`],
    poNumber: index === 2 ? 'OWN1' : '',
    ...given,
  });

/** An event out of few, so that histories repeat some, and use the id of one for another. */
const event: fc.Arbitrary<IntakeEvent> = fc
  .record({
    id: fc.nat(30),
    forecastNo: fc.constantFrom(null, null, 'FC0', 'FC1', 'FC2', 'FC3'),
    expressNo: fc.constantFrom(...NUMBERS),
    warehouseCode: fc.constantFrom('WH1', 'WH1', 'WH1', 'WH2'),
    detail: fc.constantFrom<EventDetail>({ type: 'arrival' }, { type: 'arrival' }, dispatch, { type: 'put_away' }),
    minute: fc.integer({ min: 10, max: 59 }),
  })
  .map(({ id, minute, ...given }) => intakeEvent({ ...given, eventId: `e${id}`, occurredAt: `2026-11-21T09:${minute}:00+08:00` }));

const shown = (events: readonly IntakeEvent[]): string =>
  events
    .map(
      ({ eventId, warehouseCode, forecastNo, expressNo, detail }) =>
        `${eventId} ${warehouseCode} ${forecastNo} ${expressNo} ${detail.type}`,
    )
    .join(', ');

const fact: fc.Arbitrary<ForecastFact> = fc
  .record({
    index: forecastIndex,
    kind: fc.constantFrom('accepted' as const, 'corrected' as const, 'cancelled' as const, 'refused' as const),
    report: event,
    version: fc.integer({ min: 2, max: 5 }),
    trackingNumbers: fc.uniqueArray(fc.constantFrom(...NUMBERS), { maxLength: 3 }),
    warehouseCode: fc.constantFrom('WH1', 'WH1', 'WH2'),
  })
  .map(({ index, kind, version, report, ...given }) => {
    const forecastNo = `FC${index}`;
    if (kind === 'refused') return { kind, forecastNo, at: NOW, report: nameOf(report) };
    if (kind === 'cancelled') return { kind, forecastNo, at: NOW };
    if (kind === 'corrected') return { kind, forecast: { ...forecastOf(index, given), version } };
    return { kind, forecast: forecastOf(index) };
  });

const reportStep: fc.Arbitrary<ShownStep> = fc.array(event, { minLength: 1, maxLength: 5 }).map((events) => ({
  does: `record ${shown(events)}`,
  run: record(...events),
  // Those that share an id share its fate in a call.
  ...(new Set(events.map(eventKey)).size === events.length && { singly: events.map((one) => record(one)) }),
}));

const resolutionStep: fc.Arbitrary<ShownStep> = fc.oneof(
  fc.tuple(event, forecastIndex).map(([named, index]) => ({
    does: `claim ${named.warehouseCode} ${named.eventId} for FC${index}`,
    run: claim(named, `FC${index}`),
  })),
  event.map((named) => ({ does: `dismiss ${named.warehouseCode} ${named.eventId}`, run: dismiss(named) })),
);

/** Facts that one delivery of the log brings, often one alone, about the same forecasts and numbers too. */
const factsStep: fc.Arbitrary<ShownStep> = fc.oneof(fc.tuple(fact), fc.array(fact, { minLength: 2, maxLength: 6 })).map((facts) => ({
  does: `together ${facts.map((one) => `${one.kind} ${forecastNoOf(one)}`).join(', ')}`,
  run: together(facts),
  singly: facts.map((one) => together([one])),
}));

const weekStep: fc.Arbitrary<ShownStep> = fc.constant({ does: 'wait a week', run: async () => undefined, ms: LATE_REPORT_MS + 1 });

/** Any sequence of reports, facts (one by one and in batches), claims, dismissals and weeks of waiting. Reports are repeated, and their ids reused. */
export const histories: fc.Arbitrary<readonly ShownStep[]> = fc.array(
  fc.oneof(
    { arbitrary: reportStep, weight: 4 },
    { arbitrary: factsStep, weight: 4 },
    { arbitrary: resolutionStep, weight: 1 },
    { arbitrary: weekStep, weight: 1 },
  ),
  { maxLength: 30 },
);
