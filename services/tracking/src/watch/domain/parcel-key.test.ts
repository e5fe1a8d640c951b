import { expect, test } from '@jest/globals';
import { firstParcel, furtherParcel, keyText } from './parcel-key.ts';

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
