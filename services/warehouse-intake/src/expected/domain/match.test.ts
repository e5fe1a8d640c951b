import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import { acceptedEntry } from './directory.ts';
import type { AcceptedForecast, IntakeEvent } from './event.ts';
import { type Candidate, LATE_REPORT_MS, matchEvent } from './match.ts';
import { type BatchEvent, type ListedForecast, matchBatch } from './match-batch.ts';

const candidate = (given: Partial<Candidate> = {}): Candidate => ({
  ...acceptedForecast(),
  declares: true,
  claimed: false,
  assignedBy: null,
  finishedAt: null,
  ...given,
});

const scanned = intakeEvent();

const among = (candidates: readonly Candidate[]) => matchEvent(scanned, { named: undefined, candidates }, NOW);

describe('matchEvent', () => {
  test('prefers a parcel that is expected to one that has left', () => {
    const expected = candidate({ forecastNo: 'FC2' });
    expect(among([candidate({ finishedAt: NOW - 1, claimed: true }), expected])).toEqual({ forecast: expected });
  });

  test('takes a late report for the parcel that left, until it is too late', () => {
    const left = candidate({ finishedAt: NOW - LATE_REPORT_MS });
    expect(among([left])).toEqual({ forecast: left });
    expect(among([candidate({ finishedAt: NOW - LATE_REPORT_MS - 1 })])).toEqual({ reason: 'no_forecast' });
  });

  test('gives one of many numbers, which nobody saw on the parcel that left, no scan', () => {
    const left = { finishedAt: NOW - 1, declaresMore: true } as const;
    const guess = candidate({ ...left, wasSeen: true });
    expect(among([guess])).toEqual({ reason: 'ambiguous', candidates: ['FC1'] });
    for (const given of [{ claimed: true }, { assignedBy: 'r1' }, { declaresMore: false }])
      expect(among([{ ...guess, ...given }])).toMatchObject({ forecast: { forecastNo: 'FC1' } });
    // Nor does it hold up the owner, unless no number of that parcel was seen.
    const owner = candidate({ forecastNo: 'FC2', tenantId: 'tnt_b' });
    expect(among([guess, owner])).toEqual({ forecast: owner });
    expect(among([candidate(left), owner])).toEqual({ reason: 'ambiguous', candidates: ['FC2', 'FC1'] });
  });

  test('leaves the parcel with the one forecast that has had events under the number', () => {
    const claimed = candidate({ forecastNo: 'FC2', claimed: true });
    expect(among([candidate(), claimed])).toEqual({ forecast: claimed });
    expect(among([candidate({ claimed: true }), claimed])).toEqual({ reason: 'ambiguous', candidates: ['FC1', 'FC2'] });
  });

  test('gives a stranger no late report on a parcel that has just left', () => {
    const left = candidate({ finishedAt: NOW - LATE_REPORT_MS });
    const stranger = candidate({ forecastNo: 'FC2', tenantId: 'tnt_b' });
    expect(among([left, stranger])).toEqual({ reason: 'ambiguous', candidates: ['FC2', 'FC1'] });
    // Once the stranger's own parcel has come in under the number, or the other left long ago, it is the stranger's.
    expect(among([left, { ...stranger, claimed: true }])).toMatchObject({ forecast: { forecastNo: 'FC2' } });
    expect(among([candidate({ finishedAt: NOW - LATE_REPORT_MS - 1 }), stranger])).toEqual({ forecast: stranger });
  });

  test('gives nobody the carton of the order of another tenant that has the number as its po_number', () => {
    const order = candidate({ forecastNo: 'FC2', tenantId: 'tnt_b', declares: false });
    expect(among([candidate(), order])).toEqual({ reason: 'ambiguous', candidates: ['FC1', 'FC2'] });
    expect(among([order])).toEqual({ reason: 'no_forecast' });
    // Their own orders are no matter, nor is one whose parcel has left; and the first event under the number decides as ever.
    for (const given of [{ tenantId: 'tnt_a' }, { finishedAt: NOW }])
      expect(among([candidate(), { ...order, ...given }])).toMatchObject({ forecast: { forecastNo: 'FC1' } });
    expect(among([candidate({ claimed: true }), order])).toMatchObject({ forecast: { forecastNo: 'FC1' } });
    expect(among([candidate(), { ...order, claimed: true }])).toMatchObject({ forecast: { forecastNo: 'FC2' } });
  });

  test('gives a suspect tenant only what the warehouse names or has named', () => {
    const suspect = candidate({ isSuspect: true });
    expect(among([suspect])).toEqual({ reason: 'ambiguous', candidates: ['FC1'] });
    expect(among([{ ...suspect, claimed: true }])).toMatchObject({ forecast: { forecastNo: 'FC1' } });
    expect(matchEvent(intakeEvent({ forecastNo: 'FC1' }), { named: suspect, candidates: [] }, NOW)).toEqual({ forecast: suspect });
  });

  test('holds up nobody for the po_number of a suspect tenant', () => {
    const order = candidate({ forecastNo: 'FC2', tenantId: 'tnt_b', declares: false, isSuspect: true });
    expect(among([candidate(), order])).toMatchObject({ forecast: { forecastNo: 'FC1' } });
    expect(among([candidate({ isSuspect: true }), order])).toEqual({ reason: 'ambiguous', candidates: ['FC1'] });
    expect(among([order])).toEqual({ reason: 'no_forecast' });
  });

  test('gives a type 1 forecast no dispatch, by whatever number', () => {
    const replenishment = candidate({ forecastType: 1 });
    const refused = { reason: 'takes_no_dispatch' };
    expect(matchEvent(intakeEvent({ detail: dispatch }), { named: undefined, candidates: [replenishment] }, NOW)).toEqual(refused);
    expect(matchEvent(intakeEvent({ detail: dispatch, forecastNo: 'FC1' }), { named: replenishment, candidates: [] }, NOW)).toEqual(
      refused,
    );
    expect(among([replenishment])).toEqual({ forecast: replenishment });
  });

  test('holds a named forecast against the warehouse and looks at nothing else', () => {
    const named = acceptedForecast({ warehouseCode: 'WH2' });
    const event = intakeEvent({ forecastNo: 'FC1', expressNo: 'SF12345678' });
    expect(matchEvent(event, { named, candidates: [candidate()] }, NOW)).toEqual({ reason: 'warehouse_mismatch' });
    expect(matchEvent(event, { named: undefined, candidates: [candidate()] }, NOW)).toEqual({ reason: 'no_forecast' });
  });

  test('never chooses between equals: several that stand alike are ambiguous, in whatever order they come', () => {
    const state = fc.record({ claimed: fc.boolean(), finishedAt: fc.constantFrom(null, NOW - 1000, NOW - 2 * LATE_REPORT_MS) });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), (states) => {
        const candidates = states.map((given, index) => candidate({ ...given, forecastNo: `FC${index}`, tenantId: `tnt_${index}` }));
        const match = among(candidates);
        const reversed = among([...candidates].reverse());
        if ('reason' in match) {
          expect(reversed).toMatchObject({ reason: match.reason });
          return;
        }
        expect(reversed).toEqual(match);
        const chosen = match.forecast as Candidate;
        const alike = candidates.filter(
          (other) =>
            (other.finishedAt === null) === (chosen.finishedAt === null) &&
            other.claimed === chosen.claimed &&
            other.finishedAt === chosen.finishedAt,
        );
        expect(alike).toEqual([chosen]);
      }),
    );
  });
});

describe('a number that the warehouse has claimed', () => {
  test('comes before whoever declares it, and of two claims the later holds', () => {
    const claimed = candidate({ forecastNo: 'FC2', claimed: true });
    const assigned = candidate({ forecastNo: 'FC3', claimed: true, assignedBy: 'r1' });
    expect(among([candidate(), claimed, assigned])).toEqual({ forecast: assigned });
    const later = candidate({ forecastNo: 'FC4', assignedBy: 'r2' });
    expect(among([later, assigned])).toEqual({ forecast: later });
    expect(among([assigned, later])).toEqual({ forecast: later });
  });

  test('is on another parcel once that of the claim has left', () => {
    const left = candidate({ forecastNo: 'FC2', claimed: true, assignedBy: 'r1', finishedAt: NOW - 1 });
    expect(among([left])).toEqual({ forecast: left });
    const expected = candidate({ forecastNo: 'FC3', claimed: true });
    expect(among([left, expected])).toEqual({ forecast: expected });
    expect(among([{ ...left, finishedAt: NOW - LATE_REPORT_MS - 1 }])).toEqual({ reason: 'no_forecast' });
  });

  test('and that names no forecast leads to the one that stands in for it, unless the real one is here', () => {
    const named = intakeEvent({ forecastNo: 'FC9' });
    const standIn = acceptedForecast();
    const elsewhere = acceptedForecast({ forecastNo: 'FC9', warehouseCode: 'WH2' });
    const here = acceptedForecast({ forecastNo: 'FC9' });
    expect(matchEvent(named, { named: undefined, standIn, candidates: [] }, NOW)).toEqual({ forecast: standIn });
    expect(matchEvent(named, { named: elsewhere, standIn, candidates: [] }, NOW)).toEqual({ forecast: standIn });
    expect(matchEvent(named, { named: here, standIn, candidates: [] }, NOW)).toEqual({ forecast: here });
    expect(matchEvent(named, { named: elsewhere, candidates: [] }, NOW)).toEqual({ reason: 'warehouse_mismatch' });
  });
});

const listed = (forecastNo: string, given: Partial<ListedForecast> = {}, forecast: Partial<AcceptedForecast> = {}): ListedForecast => {
  const accepted = acceptedForecast({ forecastNo, trackingNumbers: ['N1', 'N2'], ...forecast });
  return { ...(acceptedEntry(undefined, accepted) as ListedForecast), ...given };
};

const scan = (given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo: 'N1', ...given });

/** Where each event goes, the order of the publications, and which of them claim a number. */
function outcome(events: readonly (IntakeEvent | BatchEvent)[], forecasts: readonly ListedForecast[]) {
  const batch = events.map((event) => ('event' in event ? event : { event }));
  const { matches, publications, claiming } = matchBatch(batch, forecasts, NOW);
  return {
    to: matches.map((match) => ('forecast' in match ? match.forecast.forecastNo : match.reason)),
    order: publications,
    claiming: [...claiming],
  };
}

describe('matchBatch', () => {
  test('lets the first event under a number claim it, once', () => {
    expect(outcome([scan(), scan(), scan({ expressNo: 'n-2' })], [listed('FC1')])).toEqual({
      to: ['FC1', 'FC1', 'FC1'],
      order: [0, 1, 2],
      claiming: [0, 2],
    });
    expect(outcome([scan()], [listed('FC1', { claimed: ['N1'] })])).toMatchObject({ claiming: [] });
  });

  test('lets nobody claim a number that the forecast does not declare', () => {
    const named = intakeEvent({ forecastNo: 'FC1', expressNo: 'OTHER1' });
    expect(outcome([named, scan()], [listed('FC1'), listed('FC2')])).toEqual({ to: ['FC1', 'ambiguous'], order: [0], claiming: [] });
  });

  test('publishes what waited for a number to be named before the event that names it, in the order of occurrence', () => {
    const late = scan({ occurredAt: '2026-11-21T09:30:00+08:00' });
    const early = scan({ occurredAt: '2026-11-21T09:10:00+08:00' });
    const other = scan({ expressNo: 'N2' });
    const naming = scan({ forecastNo: 'FC2', occurredAt: '2026-11-21T09:20:00+08:00' });
    expect(outcome([late, early, other, naming, scan()], [listed('FC1'), listed('FC2')])).toEqual({
      to: ['FC2', 'FC2', 'ambiguous', 'FC2', 'FC2'],
      order: [1, 0, 3, 4],
      claiming: [3],
    });
  });

  test('releases a recent event only by what comes behind it', () => {
    const claimed = [listed('FC1', { claimed: ['N1'] }), listed('FC2')];
    const naming: BatchEvent = { event: scan({ forecastNo: 'FC2' }), publishedTo: 'FC2' };
    const recent: BatchEvent = { event: scan(), waiting: 'ambiguous', isRecent: true };
    expect(outcome([naming, recent], claimed).to).toEqual(['FC2', 'ambiguous']);
    expect(outcome([{ ...recent, waiting: 'no_forecast' }, naming], [listed('FC1'), listed('FC2')]).to).toEqual(['FC2', 'FC2']);
    expect(outcome([naming, { ...recent, isRecent: false }], claimed).to).toEqual(['FC2', 'FC2']);
  });

  test('does not release what waits when the number is only inferred', () => {
    const leaving = intakeEvent({ forecastNo: 'FC1', expressNo: null, detail: dispatch });
    expect(outcome([scan(), leaving, scan()], [listed('FC1'), listed('FC2')])).toEqual({
      to: ['ambiguous', 'FC1', 'FC2'],
      order: [1, 2],
      claiming: [2],
    });
  });

  test('gives the number to the next forecast behind the event that ends the stay, not before', () => {
    const forecasts = [listed('FC1', { claimed: ['N1'] }), listed('FC2')];
    expect(outcome([scan(), scan({ detail: dispatch }), scan()], forecasts)).toEqual({
      to: ['FC1', 'FC1', 'FC2'],
      order: [0, 1, 2],
      claiming: [2],
    });
  });

  test('counts what was published before, and does not match it again', () => {
    const naming = { event: scan({ forecastNo: 'FC2' }), publishedTo: 'FC2' };
    expect(outcome([naming, scan()], [listed('FC1'), listed('FC2')])).toMatchObject({ to: ['FC2', 'FC2'] });
    const leaving = { event: scan({ detail: dispatch }), publishedTo: 'FC1' };
    expect(outcome([leaving, scan()], [listed('FC1'), listed('FC2')])).toMatchObject({ to: ['FC1', 'FC2'] });
    const forgotten = { event: scan(), publishedTo: 'FC9' };
    expect(outcome([forgotten, scan({ forecastNo: 'FC1' }), scan()], [listed('FC1')])).toMatchObject({ order: [1, 2] });
  });

  test('records again whose parcel a number is on as long as others declare it, and lets that decide for what is ambiguous', () => {
    const forecasts = [listed('FC1', { claimed: ['N1'] }), listed('FC2', { claimed: ['N1'] })];
    const naming = scan({ forecastNo: 'FC1' });
    expect(outcome([scan(), naming, scan()], forecasts)).toEqual({ to: ['FC1', 'FC1', 'ambiguous'], order: [0, 1], claiming: [1] });
    expect(outcome([naming], forecasts.slice(0, 1))).toMatchObject({ claiming: [] });
    const resolved = { event: scan(), resolvedTo: 'FC2' };
    expect(outcome([resolved], forecasts)).toMatchObject({ to: ['FC2'] });
    const leaving = { event: scan({ detail: dispatch }), resolvedTo: 'FC1' };
    expect(outcome([leaving], [listed('FC1', {}, { forecastType: 1 })])).toEqual({ to: ['takes_no_dispatch'], order: [], claiming: [] });
  });

  test('keeps warehouses apart', () => {
    const elsewhere = listed('FC1', {}, { warehouseCode: 'WH2' });
    expect(outcome([scan(), scan({ forecastNo: 'FC1' }), scan({ warehouseCode: 'WH2' })], [elsewhere])).toEqual({
      to: ['no_forecast', 'warehouse_mismatch', 'FC1'],
      order: [2],
      claiming: [2],
    });
  });
});
