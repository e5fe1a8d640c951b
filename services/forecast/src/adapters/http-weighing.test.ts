import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { WeighingData } from '@parcelway/contracts/weighing-api';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

describe('the weighing query', () => {
  const weighing = (query: string, tenant = 'tnt_a') => app.call('GET', `/open/v1/forecasts/weighing${query}`, { tenant });

  test('has nulls and empty lists before the weighing', async () => {
    await app.submit(app.submission());
    const response = await weighing('?po_number=PO-1');
    expect(compileValidator(WeighingData).errors(response.data)).toEqual([]);
    expect(response).toMatchObject({ status: 200, code: '0' });
    expect(response.data).toEqual({
      po_number: 'PO-1',
      status: 1,
      length_cm: null,
      width_cm: null,
      height_cm: null,
      weight_kg: null,
      weighing_images: [],
      forecast_images: [],
      on_hold: false,
      holds: [],
      exceptions: [],
    });
  });

  test.each([
    ['', '42201'],
    ['?po_number=', '42201'],
    ['?po_number[$ne]=x', '42201'],
    ['?po_number=PO-1&po_number=PO-2', '42201'],
    ['?po_number=PO-1%00', '40401'],
    ['?po_number=%20PO-1', '40401'],
    ['?po_number=PO-1%E2%80%8B', '40401'],
    [`?po_number=${'x'.repeat(65)}`, '40401'],
    ['?po_number=po-1', '40401'],
    ['?po_number=PO-9', '40401'],
  ])('responds %j with %s', async (query, code) => {
    await app.submit(app.submission());
    expect((await weighing(query)).code).toBe(code);
  });

  test('responds to a foreign po_number as to an unknown one', async () => {
    await app.submit(app.submission());
    const [foreign, unknown] = [await weighing('?po_number=PO-1', 'tnt_b'), await weighing('?po_number=PO-9', 'tnt_b')];
    expect(foreign.code).toBe('40401');
    expect({ ...foreign, headers: null }).toEqual({ ...unknown, headers: null });
  });
});
