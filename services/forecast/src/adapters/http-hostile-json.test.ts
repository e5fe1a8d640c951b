import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

describe('hostile JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  test.each<[string, string | Buffer, string]>([
    ['a duplicate name', '{"po_number":"a","po_number":"b"}', '40001'],
    ['an escaped duplicate name', '{"po_number":"a","po\\u005fnumber":"b"}', '40001'],
    ['depth 33', nested(33), '40001'],
    ['depth 100000', nested(100_000), '40001'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '40001'],
    ['a lone surrogate', '{"po_number":"\\ud800"}', '40001'],
    ['truncated JSON', '{"po_number":', '40001'],
    ['nothing', '', '40001'],
    ['5 MB and 1 byte', `"${'x'.repeat(5 * 1024 * 1024 - 1)}"`, '41301'],
  ])('responds %s with the right code', async (_name, body, code) => {
    expect((await app.submit(body)).code).toBe(code);
    expect(await app.published()).toEqual([]);
  });

  test('refuses other media types and encodings', async () => {
    const response = await app.call('POST', '/open/v1/forecasts', { body: app.submission(), contentType: 'text/plain' });
    expect(response).toMatchObject({ status: 415, code: '41501' });
  });

  test('refuses 1e400 as a field error', async () => {
    const body = JSON.stringify(app.submission()).replace('"forecast_quantity":3', '"forecast_quantity":3,"forecast_price":1e400');
    expect((await app.submit(body)).data.errors).toContainEqual(expect.objectContaining({ field: 'items[0].forecast_price' }));
  });

  test('ignores __proto__ and constructor like any unknown field', async () => {
    const body = `{"__proto__":{"po_number":"EVIL"},"constructor":1,${JSON.stringify(app.submission()).slice(1)}`;
    const response = await app.submit(body);
    expect(response).toMatchObject({ code: '0', data: { po_number: 'PO-1' } });
    expect(response.data.warnings).toHaveLength(2);
    expect(({} as Record<string, unknown>)['po_number']).toBeUndefined();
    const detail = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(JSON.stringify(detail.data)).not.toContain('EVIL');
  });

  test('a missing po_number is not found on the prototype', async () => {
    const { po_number: _, ...rest } = app.submission();
    const body = `{"__proto__":{"po_number":"EVIL"},${JSON.stringify(rest).slice(1)}`;
    expect((await app.submit(body)).data.errors).toMatchObject([{ field: 'po_number', rule: 'required' }]);
  });
});
