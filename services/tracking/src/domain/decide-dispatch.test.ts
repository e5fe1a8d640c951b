import { describe, expect, test } from '@jest/globals';
import { accepted, after, decideOn, dispatched, redispatched, rescheduled, response } from '../testing/facts.ts';
import { dispatchOf, NOW, node, shipmentOf } from '../testing/samples.ts';
import type { ParcelFact } from './facts.ts';

describe('a dispatch', () => {
  test('puts the parcel under watch, due at once', () => {
    expect(after(accepted, dispatched).shipment).toEqual({
      ...shipmentOf(),
      undated: [],
      sequence: dispatchOf().sequence,
      lastChangeAt: NOW,
      nextPollAt: NOW,
    });
  });

  test('of another parcel replaces the one under watch and its history, and keeps the status published last', () => {
    const [write] = decideOn(after(dispatched, response([node(1)])), redispatched).writes;
    expect(write).toMatchObject({ isHistoryReplaced: true, isLeaseEnded: true, added: [], dropped: [] });
    expect(write?.after.shipment).toMatchObject({
      trackingNumber: 'SIM2',
      watch: 2,
      wakes: 1,
      publishedStatus: 'In Transit',
      nextPollAt: NOW + 2,
    });
  });

  test('that is older than the one known changes nothing; a later one of the same parcel only its place', () => {
    expect(decideOn(after(redispatched), dispatched).writes).toEqual([]);
    const [write] = decideOn(after(dispatched), { ...dispatched, sequence: '2027', at: NOW + 9 } as ParcelFact).writes;
    expect(write?.after.shipment).toEqual({ ...after(dispatched).shipment, sequence: '2027' });
    expect(write?.isLeaseEnded).toBe(false);
  });
});

test('the details of a shipment are kept while it is watched, and no longer', () => {
  const detailed: ParcelFact = { type: 'dispatched', ...dispatchOf({ sealedDetails: 's1.k.AAAA' }) };
  expect(after(detailed).shipment?.sealedDetails).toBe('s1.k.AAAA');
  expect(after(detailed, rescheduled(NOW + 5)).shipment?.sealedDetails).toBe('s1.k.AAAA');
  expect(after(detailed, rescheduled(null)).shipment?.sealedDetails).toBeNull();
  expect(after(detailed, redispatched).shipment?.sealedDetails).toBeNull();
});
