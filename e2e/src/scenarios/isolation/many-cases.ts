import { expect } from '@jest/globals';
import type { ForecastBatchResults } from '@parcelway/contracts/forecast-batch-api';
import type { ForecastQueryResults } from '@parcelway/contracts/forecast-query-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { expectRoute } from '@parcelway/harness/route-call';
import type { Cases, Neighbours } from './neighbours.ts';

/** Many forecasts at once, with numbers of another tenant. */
export function manyCases({ stage, owner, owned }: Neighbours): Cases {
  /** A forecast with the po_number and the logistics number of the owner's, from a tenant that has nothing yet. */
  const copied = async () => {
    const another = await stage.operator.newMerchant();
    return { another, body: await another.body({ poNumber: owned.po_number, trackingNumber: owned.trackingNumber, items: 2 }) };
  };
  const unchanged = async () =>
    expect(await owner.forecast(owned.po_number)).toMatchObject({ forecast_no: owned.forecast_no, item_count: 1 });

  return {
    validateForecast: async () => {
      const { another, body } = await copied();
      const validation = await expectRoute<ForecastValidation>(another.client, 'validateForecast', { body });
      expect(validation).toMatchObject({ valid: true, existing_forecast_no: null, errors: [] });
    },
    submitForecastBatch: async () => {
      const { another, body } = await copied();
      const { results } = await expectRoute<ForecastBatchResults>(another.client, 'submitForecastBatch', { body: { forecasts: [body] } });
      expect(results).toMatchObject([{ code: '0', data: { replayed: false } }]);
      expect(results[0]?.data?.forecast_no).not.toBe(owned.forecast_no);
      await unchanged();
    },
    queryForecasts: async () => {
      const another = await stage.operator.newMerchant();
      const body = { po_numbers: [owned.po_number], include: ['weighing', 'tracking'] };
      const { results } = await expectRoute<ForecastQueryResults>(another.client, 'queryForecasts', { body });
      expect(results).toEqual([expect.objectContaining({ index: 0, code: '40401', data: null })]);
    },
  };
}
