import { expect, test } from '@jest/globals';
import { after, dispatched } from '../../testing/facts.ts';
import { shipmentOf } from '../../testing/samples.ts';
import { firstParcel, furtherParcel, keyOf, keyText } from './parcel-key.ts';

test('parcels of one forecast, of two forecasts and of two tenants have texts of their own', () => {
  const keys = [
    firstParcel({ tenantId: 'tnt_a', forecastNo: 'FC1' }),
    furtherParcel({ tenantId: 'tnt_a', forecastNo: 'FC1' }, 'SIM1'),
    furtherParcel({ tenantId: 'tnt_a', forecastNo: 'FC1' }, 'null'),
    firstParcel({ tenantId: 'tnt_a', forecastNo: 'FC2' }),
    firstParcel({ tenantId: 'tnt_b', forecastNo: 'FC1' }),
  ];
  expect(new Set(keys.map(keyText)).size).toBe(keys.length);
});

test('a parcel without a shipment is the first one of its forecast', () => {
  const parcel = after(dispatched);
  const key = { tenantId: 'tnt_a', forecastNo: 'FC1' };
  expect(keyOf({ ...parcel, shipment: undefined })).toEqual(firstParcel(key));
  expect(keyOf(parcel)).toEqual(firstParcel(key));
  expect(keyOf({ ...parcel, shipment: { ...parcel.shipment, ...shipmentOf({ furtherNumber: 'SIM2' }) } as never })).toEqual(
    furtherParcel(key, 'SIM2'),
  );
});
