import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import { decideReports, type ReportState } from './decide-reports.ts';
import { acceptedEntry, listedEntry } from './directory.ts';
import { type IntakeEvent, storedText } from './event.ts';
import type { ListedForecast } from './match-batch.ts';
import { eventKey } from './repeated-events.ts';

const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;
const listed = (forecastNo: string, forecastType = 2): ListedForecast =>
  listedEntry(acceptedEntry(undefined, acceptedForecast({ forecastNo, forecastType, trackingNumbers: ['N1'] }))) as ListedForecast;
const scan = (given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo: 'N1', ...given });
const state = (given: Partial<ReportState<string>> = {}): ReportState<string> => ({ stored: new Map(), waiting: [], listed: [], ...given });

describe('decideReports', () => {
  test('stores each event once and names repeats of other content', () => {
    const [event, known] = [scan(), scan()];
    const changed = { ...event, expressNo: 'N2' };
    const stored = new Map([[eventKey(known), { text: storedText(known), waiting: 'no_forecast' as const }]]);
    const { inserts, outcome } = decideReports([event, event, changed, known], state({ stored }), NOW);
    expect(inserts.map((insert) => insert.event)).toEqual([event]);
    expect(outcome).toMatchObject({ accepted: 1, duplicates: 3, published: 0 });
    expect(outcome.conflicts).toEqual([{ warehouseCode: 'WH1', eventId: event.eventId }]);
    expect(outcome.waiting.map(({ eventId }) => eventId).sort()).toEqual([event.eventId, known.eventId].sort());
  });

  test('releases a stored event before the report that says whose parcel it is', () => {
    const [waits, naming] = [scan(), scan({ forecastNo: 'FC2' })];
    const waiting = [{ event: waits, waiting: 'ambiguous' as const, isParked: true, stored: 'row 1' }];
    const decision = decideReports([naming], state({ waiting, listed: [listed('FC1'), listed('FC2')] }), NOW);
    expect(decision.released.changes).toMatchObject([{ stored: 'row 1', becomes: { forecast: { forecastNo: 'FC2' } } }]);
    expect(decision.publications.map(({ publication }) => publication.event)).toEqual([waits, naming]);
    expect(decision.outcome).toMatchObject({ accepted: 1, published: 2, waiting: [] });
  });

  test('leaves a stored event alone that nothing releases, and reports a repeat that waits', () => {
    const waits = scan();
    const waiting = [{ event: waits, waiting: 'ambiguous' as const, isParked: true, stored: 'row 1' }];
    const stored = new Map([[eventKey(waits), { text: storedText(waits), waiting: 'ambiguous' as const }]]);
    const decision = decideReports([waits], state({ stored, waiting, listed: [listed('FC1')] }), NOW);
    expect(decision).toMatchObject({ inserts: [], publications: [], released: { changes: [] } });
    expect(decision.outcome.waiting).toEqual([{ warehouseCode: 'WH1', eventId: waits.eventId, reason: 'ambiguous' }]);
  });

  test('refuses a dispatch that its forecast does not take, but keeps one that had waited when that turned out', () => {
    const refused = scan({ detail: dispatch });
    expect(decideReports([refused], state({ listed: [listed('FC1', 1)] }), NOW)).toMatchObject({
      inserts: [],
      outcome: { accepted: 0, duplicates: 0, refused: [{ eventId: refused.eventId }] },
    });
    const call = [scan({ detail: dispatch }), scan({ forecastNo: 'FC1' })];
    const { outcome } = decideReports(call, state({ listed: [listed('FC1', 1), listed('FC2', 1)] }), NOW);
    expect(outcome).toMatchObject({ accepted: 2, refused: [], waiting: [{ reason: 'takes_no_dispatch' }] });
  });
});
