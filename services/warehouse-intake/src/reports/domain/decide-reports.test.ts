import { describe, expect, test } from '@jest/globals';
import { acceptedEntry } from '../../expected/domain/directory.ts';
import { eventKey, type IntakeEvent, nameOf, scannedNumberOf, storedEvent, storedText } from '../../expected/domain/event.ts';
import type { ForecastFact } from '../../expected/domain/forecast-fact.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import type { ListedForecast } from '../../expected/domain/match-batch.ts';
import { dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW, traceOf } from '../../testing/samples.ts';
import { decideReports, decideWaiting } from './decide-reports.ts';
import { tracesOfFacts, tracesOfReports } from './trace.ts';

const listed = (forecastNo: string, forecastType = 2): ListedForecast =>
  acceptedEntry(undefined, acceptedForecast({ forecastNo, forecastType, trackingNumbers: ['N1'] })) as ListedForecast;

const scan = (given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo: 'N1', ...given });

const storedAs = (event: IntakeEvent, waiting: UnclaimedReason | null = null) =>
  new Map([[eventKey(event), { text: storedText(event), waiting }]]);
const NOTHING_STORED: Parameters<typeof decideReports>[1] = new Map();

describe('decideReports', () => {
  test('names what waits, of new events and of repeats', () => {
    const [event, known, done] = [scan(), scan(), scan()];
    const stored = new Map([...storedAs(known, 'no_forecast'), ...storedAs(done)]);
    const { outcome } = decideReports([event, known, done], stored, [], NOW);
    expect(outcome).toMatchObject({ accepted: 1, duplicates: 2 });
    expect(outcome.waiting.map(({ eventId }) => eventId).sort()).toEqual([event.eventId, known.eventId].sort());
  });

  test('refuses a dispatch that its forecast does not take, but keeps one that had waited when that turned out', () => {
    const refused = scan({ detail: dispatch });
    expect(decideReports([refused], NOTHING_STORED, [listed('FC1', 1)], NOW)).toMatchObject({
      inserts: [],
      outcome: { accepted: 0, duplicates: 0, refused: [{ eventId: refused.eventId }] },
    });
    const call = [scan({ detail: dispatch }), scan({ forecastNo: 'FC1' })];
    const { outcome } = decideReports(call, NOTHING_STORED, [listed('FC1', 1), listed('FC2', 1)], NOW);
    expect(outcome).toMatchObject({ accepted: 2, refused: [], waiting: [{ reason: 'takes_no_dispatch' }] });
  });
});

describe('an event that is sent again', () => {
  const [event, other] = [intakeEvent(), intakeEvent()];
  const changed = { ...event, expressNo: 'N2' };
  const decided = (events: readonly IntakeEvent[], stored = NOTHING_STORED) => {
    const { inserts, outcome } = decideReports(events, stored, [], NOW);
    return { fresh: inserts.map((insert) => insert.event), conflicts: outcome.conflicts };
  };

  test('has no second effect, whether it is stored or stays twice in the call', () => {
    expect(decided([event, other, event])).toEqual({ fresh: [event, other], conflicts: [] });
    expect(decided([event, other, event], storedAs(event))).toEqual({ fresh: [other], conflicts: [] });
  });

  test('with other content is a conflict each time, and the first stays', () => {
    const conflicts = [nameOf(event)];
    expect(decided([changed, event])).toEqual({ fresh: [changed], conflicts });
    expect(decided([changed, changed], storedAs(event))).toEqual({ fresh: [], conflicts: [...conflicts, ...conflicts] });
  });

  test('is another event when another warehouse uses the same id', () => {
    const elsewhere = { ...changed, warehouseCode: 'WH2' };
    expect(decided([event, elsewhere])).toEqual({ fresh: [event, elsewhere], conflicts: [] });
  });
});

describe('decideWaiting', () => {
  test('publishes what finds its forecast, says what that changes, and gives others their new reason', () => {
    const events = [scan(), scan({ detail: dispatch }), scan({ forecastNo: 'FC9' })];
    const candidates = events.map((event, stored) => ({ event, stored, waiting: 'ambiguous' as const }));
    const { changes, publications } = decideWaiting(candidates, [listed('FC1')], NOW);
    expect(changes).toMatchObject([
      { stored: 0, becomes: { forecast: { forecastNo: 'FC1' }, claims: true, ends: false } },
      { stored: 1, becomes: { claims: false, ends: true } },
      { stored: 2, becomes: { reason: 'no_forecast' } },
    ]);
    expect(publications.map(({ stored }) => stored)).toEqual([0, 1]);
  });

  test('publishes no event twice that one before it in the batch releases, and changes nothing that stays', () => {
    const reasons = ['no_forecast', 'ambiguous', 'no_forecast'] as const;
    const candidates = [intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' }), scan(), scan({ warehouseCode: 'WH2' })].map(
      (event, stored) => ({
        event,
        stored,
        waiting: reasons[stored],
      }),
    );
    const { changes, publications } = decideWaiting(candidates, [listed('FC1'), listed('FC2')], NOW);
    expect(publications.map(({ stored }) => stored)).toEqual([1, 0]);
    expect(changes.map(({ stored }) => stored)).toEqual([0, 1]);
  });
});

test('a scanned number is compared in capitals, without blanks and hyphens', () => {
  expect(scannedNumberOf('sf 12-34')).toBe('SF1234');
  expect(scannedNumberOf(null)).toBeNull();
});

test('an event is stored as it was reported, and read with the number that is compared', () => {
  const event = intakeEvent({ eventId: 'e1', expressNo: 'sf 12-34' });
  expect(storedText(event)).toBe(
    '{"eventId":"e1","warehouseCode":"WH1","occurredAt":"2026-11-21T09:00:00+08:00","forecastNo":null,"expressNo":"sf 12-34","detail":{"type":"arrival"}}',
  );
  expect(storedEvent(storedText(event))).toEqual(event);
  expect(event.scannedNumber).toBe('SF1234');
});

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
