import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

describe('the caller', () => {
  test('must be a tenant', async () => {
    const body = app.submission();
    expect((await app.call('POST', '/open/v1/forecasts', { body, principal: null })).code).toBe('40101');
    const warehouse = { kind: 'warehouse', tenantId: null, warehouseCode: 'WH1', keyId: 'k', scopes: [], environment: 'sandbox' } as const;
    expect((await app.call('POST', '/open/v1/forecasts', { body, principal: warehouse })).code).toBe('40301');
  });
});

describe('the warehouse', () => {
  test('may be used as soon as it was added: its event is waited for', async () => {
    const early = app.submit(app.submission({ warehouse_code: 'NEW1' }));
    const wrong = app.submit(app.submission({ warehouse_code: 'NEW1', items: [] }));
    await app.openWarehouse('NEW1');
    expect((await early).code).toBe('0');
    expect(await wrong).toMatchObject({ code: '42201', data: { errors: [{ field: 'items' }] } });
  });

  test('cannot be judged before any is known: the submission is to be tried again, a wrong one gets its errors', async () => {
    const fresh = await ForecastHarness.open(undefined, []);
    try {
      const response = await fresh.submit(fresh.submission());
      expect(response).toMatchObject({ status: 503, code: '50301' });
      expect(response.headers).toHaveProperty('retry-after');
      expect(await fresh.submit(fresh.submission({ items: [] }))).toMatchObject({ code: '42201', data: { errors: [{ field: 'items' }] } });
      await fresh.openWarehouse('WH1');
      expect((await fresh.submit(fresh.submission())).code).toBe('0');
    } finally {
      await fresh.close();
    }
  });
});
