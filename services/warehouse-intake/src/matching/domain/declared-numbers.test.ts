import { expect, test } from '@jest/globals';
import { acceptedForecast, NOW } from '../../testing/samples.ts';
import { countChange, dayOf, firstSeenDay, isSuspect } from './declared-numbers.ts';
import { acceptedEntry, cancelledEntry, correctedEntry, type DirectoryEntry, finishedEntry, parcelSeen } from './directory.ts';

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
