import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { ForecastCounts } from '@parcelway/contracts/forecast-counts-api';
import type { ForecastFigures } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import { app, START, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

const system = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'tracking', scopes: [], environment: 'sandbox' } as const;

describe('the internal content', () => {
  const content = (query: string) => app.call('GET', `/internal/v1/forecasts/content?${query}`, { principal: system });

  test('has the items that are too large for an event', async () => {
    const items = Array.from({ length: 1000 }, (_, index) => ({
      sku_code: `SKU-${index}`,
      product_name_en: 'Lamp',
      product_name_cn: '灯'.repeat(100),
      forecast_quantity: 1,
    }));
    const { data: accepted } = await app.submit(app.submission({ items }));
    const [event] = (await app.published()) as [DomainEvent<'forecast.accepted'>];
    expect(event.data).toMatchObject({ version: 1, item_count: 1000, items: null });
    const { data } = await content(`tenant_id=tnt_a&forecast_no=${accepted.forecast_no}&version=1`);
    expect(data).toMatchObject({ po_number: 'PO-1', version: 1, versioned_at: isoInstant(START), items });
    app.clock.advance(1000);
    await app.correct('PO-1', { due_date: '2026-12-24' });
    const { data: corrected } = await content(`tenant_id=tnt_a&forecast_no=${accepted.forecast_no}`);
    expect(corrected).toMatchObject({ version: 2, versioned_at: isoInstant(START + 1000), due_date: '2026-12-24' });
  });
});

describe('what the queries return, for services', () => {
  const read = (what: string, query: string, principal?: typeof system) =>
    app.call('GET', `/internal/v1/forecasts/${what}?${query}`, principal === undefined ? {} : { principal });

  test('is read by forecast_no, whoever has the po_number by now', async () => {
    const { data: former } = await app.submit(app.submission());
    const { data: cancelled } = await app.call('GET', '/open/v1/forecasts/PO-1');
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await app.submit(app.submission());
    const detail = await read('detail', `tenant_id=tnt_a&forecast_no=${former.forecast_no}`, system);
    expect(detail.data).toMatchObject({ forecast_no: former.forecast_no, status: 7, items: cancelled.items });
    const weighing = await read('weighing', `tenant_id=tnt_a&forecast_no=${former.forecast_no}`, system);
    expect(weighing.data).toMatchObject({ po_number: 'PO-1', status: 7 });
  });

  test.each(['content', 'detail', 'weighing'])('is for services only, and of the tenant: %s', async (what) => {
    const { data } = await app.submit(app.submission());
    expect((await read(what, `tenant_id=tnt_a&forecast_no=${data.forecast_no}`)).code).toBe('40301');
    expect((await read(what, `tenant_id=tnt_b&forecast_no=${data.forecast_no}`, system)).code).toBe('40403');
    expect((await read(what, 'tenant_id=tnt_a', system)).code).toBe('42201');
  });
});

describe('which forecasts exist', () => {
  const existing = (forecasts: unknown, principal?: typeof system) =>
    app.call('POST', '/internal/v1/forecasts/existing', { body: { forecasts }, ...(principal && { principal }) });

  test('is known of those that are named, whatever their status, and of no other tenant', async () => {
    const { data: first } = await app.submit(app.submission());
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    const named = { tenant_id: 'tnt_a', forecast_no: first.forecast_no };
    const others = [
      { tenant_id: 'tnt_b', forecast_no: first.forecast_no },
      { tenant_id: 'tnt_a', forecast_no: 'FC-NONE' },
    ];
    expect((await existing([named, ...others, named], system)).data).toEqual({ forecasts: [named] });
    expect((await existing(others, system)).data).toEqual({ forecasts: [] });
  });

  test('is for services only, and needs names', async () => {
    const named = { tenant_id: 'tnt_a', forecast_no: 'FC1' };
    expect((await existing([named])).code).toBe('40301');
    for (const wrong of [undefined, [], ['FC1'], [{ ...named, forecast_no: 'F'.repeat(65) }], Array(101).fill(named)])
      expect([wrong, (await existing(wrong, system)).code]).toEqual([wrong, '42201']);
  });
});

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
