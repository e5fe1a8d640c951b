import { expect, test } from '@jest/globals';
import { acceptedForecast, dispatchOf, NOW, shipmentOf } from '../../testing/samples.ts';
import { type ParcelFact, parcelOf, parcelsOf } from './facts.ts';
import { inDispatchOrder } from './shipment.ts';

test('parcels of a forecast are in the order of their dispatches', () => {
  const first = shipmentOf({ trackingNumber: 'AA', dispatchedAt: NOW + 2 });
  const further = (number: string, at: number) => shipmentOf({ trackingNumber: number, furtherNumber: number, dispatchedAt: NOW + at });
  const [a, b, late] = [further('A', 1), further('B', 2), further('C', 3)];
  expect(inDispatchOrder([late, b, first, a])).toEqual([a, first, b, late]);
  expect(inDispatchOrder([])).toEqual([]);
});

const key = { tenantId: 'tnt_a', forecastNo: 'FC1' };

test.each<ParcelFact>([
  { type: 'accepted', ...acceptedForecast() },
  { type: 'cancelled', ...key, poNumber: 'PO-1', at: NOW },
  { type: 'dispatched', ...dispatchOf() },
  { type: 'response', shipment: shipmentOf(), nodes: [], now: NOW },
  { type: 'rescheduled', shipment: shipmentOf(), nextPollAt: null, failures: 0, now: NOW },
  { type: 'news', ...key, furtherNumber: null, now: NOW },
])('a fact of the type $type is about its parcel', (fact) => expect(parcelOf(fact)).toMatchObject({ ...key, furtherNumber: null }));

test('a fact about a further parcel names it; a dispatch may concern the first parcel or the one of its number', () => {
  const further = { ...key, furtherNumber: 'SIM2' };
  const shipment = shipmentOf({ trackingNumber: 'SIM2', furtherNumber: 'SIM2' });
  expect(parcelOf({ type: 'response', shipment, nodes: [], now: NOW })).toMatchObject(further);
  expect(parcelsOf({ type: 'news', ...further, now: NOW })).toMatchObject([further]);
  expect(parcelsOf({ type: 'dispatched', ...dispatchOf({ trackingNumber: 'SIM2' }) })).toEqual([{ ...key, furtherNumber: null }, further]);
});
