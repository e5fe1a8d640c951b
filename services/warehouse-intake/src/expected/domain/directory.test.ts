import { describe, expect, test } from '@jest/globals';
import { acceptance, acceptedForecast, forecastEvent, NOW, traceOf } from '../../testing/samples.ts';
import { countChange, dayOf, firstSeenDay, isSuspect } from './declared-numbers.ts';
import {
  acceptedEntry,
  assignedEntry,
  cancelledEntry,
  correctedEntry,
  type DirectoryEntry,
  finishedEntry,
  leadsTo,
  parcelSeen,
  settledEntry,
} from './directory.ts';
import { type ForecastFact, factOf, forecastNoOf, independentFacts } from './forecast-fact.ts';

const accepted = (...trackingNumbers: string[]): DirectoryEntry => acceptedEntry(undefined, acceptedForecast({ trackingNumbers }));

const at = (number: string, warehouseCode = 'WH1') => ({ warehouseCode, number });

const corrected = (entry: DirectoryEntry | undefined, version: number, given = {}) =>
  correctedEntry(entry, { ...acceptedForecast(given), version });

describe('an entry of the directory', () => {
  test('leads to what its forecast declares, from the first acceptance on', () => {
    const entry = accepted('N1', 'N2');
    expect([at('N1'), at('N2'), at('N3'), at('N1', 'WH2')].map((number) => leadsTo(entry, number))).toEqual([true, true, false, false]);
    expect(acceptedEntry(entry, acceptedForecast({ trackingNumbers: ['N3'] }))).toBe(entry);
  });

  test('that was cancelled leads nowhere and releases its numbers, whichever fact comes first', () => {
    const cancelled = cancelledEntry(accepted('N1'), 'FC1', NOW);
    expect(cancelled).toMatchObject({ numbers: [], released: [at('N1')], cancelledAt: NOW });
    expect(cancelledEntry(cancelled, 'FC1', NOW + 1)).toBe(cancelled);
    const early = acceptedEntry(cancelledEntry(undefined, 'FC1', NOW), acceptedForecast());
    expect(early).toMatchObject({ numbers: [], released: [], cancelledAt: NOW });
  });

  test('follows newer corrections only, and keeps what is on the parcel', () => {
    const seen = parcelSeen(accepted('N1', 'N2'), at('N1'));
    const second = corrected(seen, 2, { trackingNumbers: ['N3'], warehouseCode: 'WH2' });
    expect(second).toMatchObject({ version: 2, numbers: ['N3', 'N1'], released: [at('N2')], forecast: { warehouseCode: 'WH1' } });
    expect(corrected(second, 2, { trackingNumbers: [] })).toBe(second);
    const cancelled = cancelledEntry(second, 'FC1', NOW);
    expect(corrected(cancelled, 3)).toBe(cancelled);
    expect(corrected(accepted('N1', 'N2'), 2, { trackingNumbers: ['N2', 'N1'] }).released).toEqual([]);
    expect(corrected(undefined, 3, { trackingNumbers: ['N1'] })).toMatchObject({ version: 3, numbers: ['N1'] });
  });

  test('moves to another warehouse while nobody has seen the parcel, and back to the warehouse that has', () => {
    const moved = corrected(accepted('N1'), 2, { trackingNumbers: ['N1'], warehouseCode: 'WH2' });
    expect(moved).toMatchObject({ forecast: { warehouseCode: 'WH2' }, released: [at('N1')] });
    const seen = parcelSeen(moved, at('N1'));
    expect(seen).toMatchObject({ forecast: { warehouseCode: 'WH1' }, claimed: ['N1'] });
    expect(parcelSeen(seen, at('N1'))).toBe(seen);
  });

  test('takes a number back that a correction took away before its first event was written down', () => {
    const without = corrected(accepted('N1'), 2, { trackingNumbers: ['N2'] });
    expect(parcelSeen(without, at('N1'))).toMatchObject({ numbers: ['N2', 'N1'], claimed: ['N1'] });
  });

  test('has the latest claim of each number, scanned or named', () => {
    const scanned = { kind: 'scanned', ...at('N9') } as const;
    const named = { kind: 'named', ...at('FC9') } as const;
    const first = assignedEntry(assignedEntry(accepted(), scanned, '1'), named, '2');
    expect(first).toMatchObject({
      numbers: ['N9'],
      claimed: ['N9'],
      assigned: [{ number: 'N9', by: '1' }],
      aliases: [{ number: 'FC9', by: '2' }],
    });
    expect(assignedEntry(first, scanned, '1')).toBe(first);
    expect(assignedEntry(first, scanned, '3').assigned).toEqual([{ number: 'N9', by: '3' }]);
    const cancelled = cancelledEntry(first, 'FC1', NOW);
    expect(assignedEntry(cancelled, scanned, '4')).toBe(cancelled);
  });

  test('ends the stay once, and forgets released numbers as they are matched again', () => {
    const finished = finishedEntry(accepted('N1'), NOW);
    expect(finishedEntry(finished, NOW + 1)).toBe(finished);
    expect(finished).toMatchObject({ numbers: ['N1'], finishedAt: NOW });
    const cancelled = cancelledEntry(accepted('N1', 'N2'), 'FC1', NOW);
    expect(settledEntry(cancelled, [at('N1')]).released).toEqual([at('N2')]);
    expect(settledEntry(cancelled, [])).toBe(cancelled);
  });
});

describe('declared numbers', () => {
  const forecast = acceptedForecast({ trackingNumbers: ['N1', 'N2', 'N3'], poNumber: 'PO-1001' });

  const accepted = acceptedEntry(undefined, forecast);

  const seen = (entry: DirectoryEntry, number: string) => parcelSeen(entry, { warehouseCode: 'WH1', number });

  const counted = (before: DirectoryEntry | undefined, after: DirectoryEntry) => {
    const { unseen, seen: parcels } = countChange(before, after) ?? { unseen: 0, seen: 0 };
    return [unseen, parcels];
  };

  test('a tenant is suspect with more than 5,000 unseen numbers and more than 20 for each parcel seen', () => {
    const counts = [
      [5000, 0],
      [5001, 0],
      [6000, 300],
      [6001, 300],
    ] as const;
    expect(counts.map(([unseen, parcels]) => isSuspect({ unseen, seen: parcels }))).toEqual([false, true, false, true]);
  });

  test('declared numbers count until a scan, the end of the stay or a cancellation', () => {
    expect(counted(undefined, accepted)).toEqual([3, 0]);
    const first = seen(accepted, 'N1');
    expect(counted(accepted, first)).toEqual([-1, 1]);
    expect(counted(first, seen(first, 'N1'))).toEqual([0, 0]);
    expect(counted(first, finishedEntry(first, NOW))).toEqual([-2, 0]);
    expect(counted(first, cancelledEntry(first, 'FC1', NOW))).toEqual([-2, 0]);
    expect(counted(accepted, correctedEntry(accepted, { ...forecast, trackingNumbers: ['N4'], version: 2 }))).toEqual([-2, 0]);
    // A warehouse may report by the forecast number alone.
    expect(counted(accepted, finishedEntry(accepted, NOW))).toEqual([-3, 1]);
    expect(countChange(undefined, cancelledEntry(undefined, 'FC1', NOW))).toBeUndefined();
  });

  test('a po_number in the form of a number of a carrier counts where no logistics number is declared', () => {
    const order = (poNumber: string, trackingNumbers: readonly string[] = []) =>
      acceptedEntry(undefined, acceptedForecast({ trackingNumbers, poNumber }));
    const guess = order('1Z999AA10123456784');
    expect(counted(undefined, guess)).toEqual([1, 0]);
    expect(counted(guess, seen(guess, '1Z999AA10123456784'))).toEqual([-1, 1]);
    expect(counted(guess, finishedEntry(guess, NOW))).toEqual([-1, 1]);
    expect(counted(guess, cancelledEntry(guess, 'FC1', NOW))).toEqual([-1, 0]);
    expect(counted(undefined, order('PO-1001'))).toEqual([0, 0]);
    expect(counted(undefined, order('1Z999AA10123456784', ['N1']))).toEqual([1, 0]);
  });

  test('parcels of 30 days count', () => {
    expect([dayOf(NOW), firstSeenDay(NOW)]).toEqual([20261121, 20261023]);
  });
});

describe('forecast fact', () => {
  const accepted = (forecastNo: string, ...trackingNumbers: string[]): ForecastFact => ({
    kind: 'accepted',
    forecast: acceptedForecast({ forecastNo, trackingNumbers }),
  });

  const cancelled = (forecastNo: string): ForecastFact => ({ kind: 'cancelled', forecastNo, at: NOW });

  const nobody = () => undefined;

  test('is what its event says', () => {
    const ended = { cancelled_at: new Date(NOW).toISOString() };
    const traceparent = traceOf(1);
    const forecast = acceptedForecast({ poNumber: 'PO-1', trackingNumbers: ['N1'] });
    const refused = { ...ended, warehouse_code: 'WH1', event_id: 'e1', photos: [] };
    expect([
      factOf(forecastEvent('forecast.accepted', acceptance)),
      factOf(forecastEvent('forecast.corrected', { ...acceptance, version: 2 })),
      factOf(forecastEvent('forecast.cancelled', ended)),
      factOf(forecastEvent('forecast.report_refused', refused)),
    ]).toEqual([
      { kind: 'accepted', forecast, traceparent },
      { kind: 'corrected', forecast: { ...forecast, version: 2 }, traceparent },
      { kind: 'cancelled', forecastNo: 'FC1', at: NOW, traceparent },
      { kind: 'refused', forecastNo: 'FC1', at: NOW, report: { warehouseCode: 'WH1', eventId: 'e1' }, traceparent },
    ]);
  });

  describe('facts are split into steps', () => {
    const steps = (facts: readonly ForecastFact[], known: (forecastNo: string) => DirectoryEntry | undefined = nobody) =>
      independentFacts(facts, known).map((step) => step.map(forecastNoOf));

    test('a new one where a forecast comes again', () => {
      expect(steps([accepted('FC1', 'N1'), accepted('FC2', 'N2'), cancelled('FC1')])).toEqual([['FC1', 'FC2'], ['FC1']]);
    });

    test('a new one where a number comes again, which the cancellation of its first forecast releases', () => {
      expect(steps([accepted('FC1', 'N1'), accepted('FC2', 'N1')])).toEqual([['FC1'], ['FC2']]);
      const entry = acceptedEntry(undefined, acceptedForecast({ trackingNumbers: ['N1'] }));
      const known = (forecastNo: string) => (forecastNo === 'FC1' ? entry : undefined);
      expect(steps([cancelled('FC1'), accepted('FC2', 'N1')], known)).toEqual([['FC1'], ['FC2']]);
      expect(steps([cancelled('FC1'), accepted('FC2', 'N2')], known)).toEqual([['FC1', 'FC2']]);
    });

    test('a new one where there are too many numbers, none lost and in their order', () => {
      const facts = Array.from({ length: 250 }, (_, index) => accepted(`FC${index}`, `N${index}`));
      const split = steps(facts);
      expect(split.length).toBeGreaterThan(1);
      for (const step of split) expect(step.length).toBeLessThanOrEqual(100);
      expect(split.flat()).toEqual(facts.map(forecastNoOf));
    });
  });
});
