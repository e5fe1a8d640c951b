import { expect, test } from '@jest/globals';
import { NOW, shipmentOf } from '../../testing/samples.ts';
import { inDispatchOrder } from './shipment.ts';

test('parcels of a forecast are in the order of their dispatches', () => {
  const first = shipmentOf({ trackingNumber: 'AA', dispatchedAt: NOW + 2 });
  const further = (number: string, at: number) => shipmentOf({ trackingNumber: number, furtherNumber: number, dispatchedAt: NOW + at });
  const [a, b, late] = [further('A', 1), further('B', 2), further('C', 3)];
  expect(inDispatchOrder([late, b, first, a])).toEqual([a, first, b, late]);
  expect(inDispatchOrder([])).toEqual([]);
});
