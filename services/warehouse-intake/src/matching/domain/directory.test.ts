import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, NOW } from '../../testing/samples.ts';
import {
  acceptedEntry,
  assignedEntry,
  cancelledEntry,
  claimableEntry,
  correctedEntry,
  type DirectoryEntry,
  finishedEntry,
  leadsTo,
  listedEntry,
  parcelSeen,
  settledEntry,
} from './directory.ts';

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
    expect(claimableEntry(early)).toMatchObject({ isCancelled: true, claimedNumbers: 0 });
  });

  test('follows newer corrections only, and keeps what is on the parcel', () => {
    const seen = parcelSeen(accepted('N1', 'N2'), at('N1'));
    const second = corrected(seen, 2, { trackingNumbers: ['N3'], warehouseCode: 'WH2' });
    expect(second).toMatchObject({ version: 2, numbers: ['N3', 'N1'], released: [at('N2')], forecast: { warehouseCode: 'WH1' } });
    expect(corrected(second, 2, { trackingNumbers: [] })).toBe(second);
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
    expect(claimableEntry(first)).toMatchObject({ isCancelled: false, claimedNumbers: 2 });
    expect(assignedEntry(first, scanned, '1')).toBe(first);
    expect(assignedEntry(first, scanned, '3').assigned).toEqual([{ number: 'N9', by: '3' }]);
    const cancelled = cancelledEntry(first, 'FC1', NOW);
    expect(assignedEntry(cancelled, scanned, '4')).toBe(cancelled);
  });

  test('ends the stay once, and forgets released numbers as they are matched again', () => {
    const finished = finishedEntry(accepted('N1'), NOW);
    expect(finishedEntry(finished, NOW + 1)).toBe(finished);
    expect(listedEntry(finished)).toMatchObject({ forecastNo: 'FC1', numbers: ['N1'], finishedAt: NOW });
    const cancelled = cancelledEntry(accepted('N1', 'N2'), 'FC1', NOW);
    expect(settledEntry(cancelled, [at('N1')]).released).toEqual([at('N2')]);
    expect(settledEntry(cancelled, [])).toBe(cancelled);
  });
});
