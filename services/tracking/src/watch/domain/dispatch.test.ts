import { describe, expect, test } from '@jest/globals';
import { after, decideOn, dispatched, furtherDispatched, redispatched, rescheduled, response } from '../../testing/facts.ts';
import { shipmentOf as dispatchedShipment, dispatchOf, NOW, node } from '../../testing/samples.ts';
import type { ParcelFact } from './facts.ts';
import { MAX_PARCELS, shipmentOf } from './shipment.ts';

describe('a dispatch', () => {
  test('puts the parcel under watch, due at once', () => {
    expect(shipmentOf(after(dispatched))).toEqual(dispatchedShipment());
  });

  test('that names another carrier begins the history again, as if nothing had been published', () => {
    const [write] = decideOn(after(dispatched, response([node(1)])), redispatched).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { nodes: [], nodesSeen: 1 } });
    expect(write?.after.shipment).toMatchObject({
      carrierCode: 'other',
      watch: 2,
      wakes: 1,
      publishedStatus: '',
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

describe('a dispatch under another number', () => {
  test('is a further parcel, which the forecast lists', () => {
    const first = after(dispatched, response([node(1)]));
    const { writes, outcomes } = decideOn(first, furtherDispatched);
    expect(outcomes).toEqual([{ isChanged: true }]);
    expect(writes).toMatchObject([
      { before: first, after: { ...first, furtherNumbers: ['SIM2'] }, isLeaseEnded: false },
      {
        before: undefined,
        after: { furtherNumber: 'SIM2', shipment: { trackingNumber: 'SIM2', watch: 1, wakes: 0 } },
      },
    ]);
    expect(writes[0]?.after.nodes).toBe(first.nodes);
    expect(writes[1]?.after).toMatchObject({ isCancelled: false, furtherNumbers: [], nodesSeen: 0 });
  });

  test('in one batch with the first makes two parcels; what comes again changes nothing', () => {
    const { writes, outcomes } = decideOn(undefined, furtherDispatched, dispatched, furtherDispatched, dispatched);
    expect(outcomes.map(({ isChanged }) => isChanged)).toEqual([true, true, false, false]);
    // The one that is known first is the first parcel, whichever was dispatched first.
    expect(writes.map(({ after: { shipment, furtherNumber } }) => [shipment?.trackingNumber, furtherNumber])).toEqual([
      ['SIM2', ''],
      ['SIM1', 'SIM1'],
    ]);
  });

  test('is not watched beyond the most parcels of a forecast', () => {
    const first = after(dispatched);
    const furtherNumbers = Array.from({ length: MAX_PARCELS - 1 }, (_none, index) => `F${index}`);
    const full = { ...first, furtherNumbers };
    expect(decideOn(full, furtherDispatched)).toMatchObject({ writes: [], outcomes: [{ isChanged: false }] });
    expect(decideOn({ ...full, furtherNumbers: furtherNumbers.slice(1) }, furtherDispatched).writes).toHaveLength(2);
  });
});

test('the details of a shipment are kept while it is watched, and no longer', () => {
  const detailed: ParcelFact = { type: 'dispatched', ...dispatchOf({ sealedDetails: 's1.k.AAAA' }) };
  expect(after(detailed).shipment?.sealedDetails).toBe('s1.k.AAAA');
  expect(after(detailed, rescheduled(NOW + 5)).shipment?.sealedDetails).toBe('s1.k.AAAA');
  expect(after(detailed, rescheduled(null)).shipment?.sealedDetails).toBeNull();
  expect(after(detailed, redispatched).shipment?.sealedDetails).toBeNull();
});
