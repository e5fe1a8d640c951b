import { describe, expect, test } from '@jest/globals';
import type { ForecastBatchResults } from '@parcelway/contracts/forecast-batch-api';
import type { ForecastQueryResults } from '@parcelway/contracts/forecast-query-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useMerchant, useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();
const stranger = useMerchant(stage);

const restock = (poNumber: string, over: object = {}) => ({
  po_number: poNumber,
  forecast_type: 1,
  warehouse_code: stage.clerk.code,
  items: [{ sku_code: 'MUG', product_name_en: 'Mug', forecast_quantity: 1 }],
  ...over,
});

describe('many forecasts at once', () => {
  test('are submitted with a result each, and repeated without effect', async () => {
    const forecasts = Array.from({ length: 100 }, (_, index) => restock(`MANY-${index}`, index % 10 === 3 ? { items: [] } : {}));
    const send = () => expectRoute<ForecastBatchResults>(merchant.client, 'submitForecastBatch', { body: { forecasts } });
    const first = await send();
    expect([first.accepted, first.failed]).toEqual([90, 10]);
    expect(first.results.map(({ index, code }) => [index, code])).toEqual(
      forecasts.map((_, index) => [index, index % 10 === 3 ? '42201' : '0']),
    );
    const again = await send();
    expect(again.results.map(({ data }) => data?.forecast_no)).toEqual(first.results.map(({ data }) => data?.forecast_no));
    expect(again.results.filter(({ data }) => data?.replayed === true)).toHaveLength(90);
    expect((await merchant.forecast('MANY-0')).forecast_no).toBe(first.results[0]?.data?.forecast_no);
  });

  test('are validated without effect', async () => {
    const body = restock('ONLY-VALIDATED', { due_date: '2001-01-01' });
    const validation = await expectRoute<ForecastValidation>(merchant.client, 'validateForecast', { body });
    expect(validation).toMatchObject({ valid: true, existing_forecast_no: null, errors: [], warnings: [{ field: 'due_date' }] });
    const query = { validate_only: 'true' };
    expect(await merchant.client.expectOk('/open/v1/forecasts?validate_only=true', { method: 'POST', body })).toEqual(validation);
    const batch = await expectRoute<ForecastBatchResults>(merchant.client, 'submitForecastBatch', {
      query,
      body: { forecasts: [body, { ...body, items: [] }, restock('ONLY-VALIDATED', { warehouse_code: 'NONE' })] },
    });
    expect(batch.results.map(({ data }) => data?.valid)).toEqual([true, false, false]);
    const read = await callRoute(merchant.client, 'getForecast', { path: { po_number: 'ONLY-VALIDATED' } });
    expect(read.code).toBe('40401');
  });

  test('are read with weighing and tracking', async () => {
    const { po_number: poNumber } = await merchant.submit();
    await merchant.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 1.5 });
    await merchant.simulate({ po_number: poNumber, step: 'dispatch' });
    await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'In Transit' });
    await merchant.untilStatus(poNumber, 5);
    const body = { po_numbers: [poNumber, 'MANY-NONE'], include: ['weighing', 'tracking'] };
    const query = (): Promise<ForecastQueryResults> => expectRoute<ForecastQueryResults>(merchant.client, 'queryForecasts', { body });
    // What the query of the tracking asks the carrier for is stored a moment later.
    const live = await expectRoute<{ nodes: object[] }>(merchant.client, 'queryTracking', { query: { po_number: poNumber } });
    const { results } = await until(
      async () => {
        const found = await query();
        return found.results[0]?.data?.tracking?.latest_status === 'In Transit' ? found : undefined;
      },
      { what: 'the tracking to be stored' },
    );
    expect(results).toMatchObject([
      {
        code: '0',
        data: {
          po_number: poNumber,
          status_name: 'SHIPPED',
          weighing: { weight_kg: 1.5 },
          tracking: { po_number: poNumber, is_shipped: true, latest_status: 'In Transit', as_of: expect.any(String), nodes: live.nodes },
        },
      },
      { code: '40401', data: null },
    ]);
    const foreign = await expectRoute<ForecastQueryResults>(stranger.client, 'queryForecasts', { body });
    expect(foreign.results.map(({ code }) => code)).toEqual(['40401', '40401']);
  });
});
