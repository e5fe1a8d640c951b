import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastCounts } from '@parcelway/contracts/forecast-counts-api';
import type { ForecastFigures } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const system = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'gateway', scopes: [], environment: 'sandbox' } as const;

describe('what operators see', () => {
  test('is a forecast in short, of whichever tenant, without those that do not exist', async () => {
    const { data } = await app.submit(app.submission());
    const forecasts = [
      { tenant_id: 'tnt_a', forecast_no: data.forecast_no },
      { tenant_id: 'tnt_b', forecast_no: data.forecast_no },
    ];
    const short = await app.call('POST', '/internal/v1/forecasts/short', { principal: system, body: { forecasts } });
    expect(short.data.forecasts).toEqual([
      {
        tenant_id: 'tnt_a',
        forecast_no: data.forecast_no,
        po_number: 'PO-1',
        status_name: 'ACCEPTED',
        create_time: expect.any(String),
        update_time: expect.any(String),
        weighing: null,
        dispatch: null,
        tracking: null,
      },
    ]);
    expect((await app.call('POST', '/internal/v1/forecasts/short', { body: { forecasts } })).code).toBe('40301');
  });

  test('are the counts that the tenant sees of its own forecasts', async () => {
    await app.submit(app.submission());
    const { data } = await app.call('GET', '/open/v1/forecast-counts');
    expect(compileValidator(ForecastCounts).errors(data)).toEqual([]);
    const { statuses } = data as unknown as ForecastCounts;
    expect(statuses.filter(({ count }) => count > 0)).toEqual([{ status_name: 'ACCEPTED', count: 1, has_more: false }]);
  });

  test('are the counts of each status, and the last change', async () => {
    const read = (tenantId: string, principal?: typeof system) =>
      app.call('GET', `/internal/v1/forecasts/figures?tenant_id=${tenantId}`, principal === undefined ? {} : { principal });
    await app.submit(app.submission());
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await app.submit(app.submission());
    const data = (await read('tnt_a', system)).data as unknown as ForecastFigures;
    expect(data.parcels).toHaveLength(7);
    expect(data.parcels).toContainEqual({ status_name: 'ACCEPTED', count: 1, has_more: false });
    expect(data.parcels).toContainEqual({ status_name: 'CANCELLED', count: 1, has_more: false });
    expect(data.last_change_time).toEqual(expect.any(String));
    expect((await read('tnt_none', system)).data).toMatchObject({ last_change_time: null });
    expect((await read('tnt_a')).code).toBe('40301');
    expect((await read('', system)).code).toBe('42201');
  });
});
