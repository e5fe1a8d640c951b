import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });
const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;

const corrections = async () =>
  (await app.published()).filter((event): event is DomainEvent<'forecast.corrected'> => event.type === 'forecast.corrected');

describe('a correction sent again', () => {
  const key = { 'idempotency-key': 'k1' };

  test('with its key has the first response, whatever happened since', async () => {
    await app.submit(app.submission());
    const first = await app.correct('PO-1', { due_date: '2026-12-24' }, { ...key, 'if-match': '"1"' });
    await app.correct('PO-1', { due_date: '2026-12-25' });
    const again = await app.correct('PO-1', { due_date: '2026-12-24' }, { ...key, 'if-match': '"1"' });
    expect(again.data).toEqual(first.data);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: '"2"' });
    expect(await read()).toMatchObject({ version: 3, due_date: '2026-12-25' });
    expect((await app.correct('PO-1', { due_date: '2026-12-26' }, key)).code).toBe('40901');
  });

  test('with its key is known again, though its response was too large to be kept', async () => {
    await app.submit(app.submission());
    const items = Array.from({ length: 500 }, () => item({ product_name_cn: '灯'.repeat(100) }));
    const first = await app.correct('PO-1', { items }, { ...key, 'if-match': '"1"' });
    expect(first.data.version).toBe(2);
    await app.correct('PO-1', { items: [item()] });
    const again = await app.correct('PO-1', { items }, { ...key, 'if-match': '"1"' });
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: '"3"' });
    expect(again.data).toMatchObject({ version: 3, item_count: 1 });
    expect(await corrections()).toHaveLength(2);
  });
});
