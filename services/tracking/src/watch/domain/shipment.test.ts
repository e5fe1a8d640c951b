import { expect, test } from '@jest/globals';
import { NOW, shipmentOf } from '../../testing/samples.ts';
import { inDispatchOrder, keyText, parcelKey } from './shipment.ts';

test('parcels of one forecast, of two forecasts and of two tenants have texts of their own', () => {
  const keys = [
    parcelKey({ tenantId: 'tnt_a', forecastNo: 'FC1' }),
    parcelKey({ tenantId: 'tnt_a', forecastNo: 'FC1' }, 'SIM1'),
    parcelKey({ tenantId: 'tnt_a', forecastNo: 'FC1' }, 'null'),
    parcelKey({ tenantId: 'tnt_a', forecastNo: 'FC2' }),
    parcelKey({ tenantId: 'tnt_b', forecastNo: 'FC1' }),
  ];
  expect(new Set(keys.map(keyText)).size).toBe(keys.length);
});

test('parcels of a forecast are in the order of their dispatches', () => {
  const first = shipmentOf({ trackingNumber: 'AA', dispatchedAt: NOW + 2 });
  const further = (number: string, at: number) => shipmentOf({ trackingNumber: number, furtherNumber: number, dispatchedAt: NOW + at });
  const [a, b, late] = [further('A', 1), further('B', 2), further('C', 3)];
  expect(inDispatchOrder([late, b, first, a])).toEqual([a, first, b, late]);
  expect(inDispatchOrder([])).toEqual([]);
});
