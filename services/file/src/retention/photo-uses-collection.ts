import { collection } from '@parcelway/store/collection';
import Type from 'typebox';

/** Which photos were reported of which forecasts. */
export const photoUses = collection(
  'photo_uses',
  Type.Object({ tenantId: Type.String(), forecastNo: Type.String(), token: Type.String() }, { additionalProperties: false }),
  {
    describe: 'Photos of warehouses, and the forecasts that they were reported of',
    key: ['tenantId', 'forecastNo', 'token'],
    lists: {
      forecast: ['tenantId', 'forecastNo'],
      // Not by tenant: a photo belongs to its warehouse, and may have been reported of forecasts of several tenants.
      token: ['token', 'tenantId'],
    },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with its forecast',
    copy: 'the photos are listed with the weighings',
  },
);
