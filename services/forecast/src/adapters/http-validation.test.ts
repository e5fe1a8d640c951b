import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });
const validate = (body: unknown, tenant = 'tnt_a') => app.call('POST', '/open/v1/forecasts/validate', { body, tenant });
const named = (data: { readonly errors: readonly object[] }) =>
  (data.errors as readonly { code: string; field: string }[]).map(({ code, field }) => `${code} ${field}`);
const nothingStored = async () => {
  expect(await app.published()).toEqual([]);
  expect((await app.call('GET', '/open/v1/forecasts')).data.forecasts).toEqual([]);
};

describe('a validation', () => {
  test('of what would be accepted has no error, and the warnings of the submission', async () => {
    const { status, data } = await validate(app.submission({ due_date: '2026-11-01', colour: 'red' }));
    expect([status, data]).toEqual([
      200,
      {
        valid: true,
        existing_forecast_no: null,
        errors: [],
        warnings: [{ field: 'colour', message: expect.any(String) }, expect.objectContaining({ field: 'due_date' })],
      },
    ]);
    await nothingStored();
  });

  test('is what a submission with validate_only=true gets', async () => {
    const body = app.submission({ warehouse_code: 'NONE' });
    const only = await app.call('POST', '/open/v1/forecasts?validate_only=true', { body });
    expect(only.data).toEqual((await validate(body)).data);
    expect(named(only.data)).toEqual(['42201 warehouse_code']);
    expect((await app.call('POST', '/open/v1/forecasts?validate_only=maybe', { body })).data.errors).toMatchObject([
      { field: 'validate_only', rule: 'enum' },
    ]);
    await nothingStored();
    expect((await app.call('POST', '/open/v1/forecasts?validate_only=false', { body: app.submission() })).data).toHaveProperty(
      'forecast_no',
    );
  });

  test('claims no Idempotency-Key: the submission after it may use it', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const body = app.submission();
    const only = await app.call('POST', '/open/v1/forecasts?validate_only=true', { body, headers });
    const submitted = await app.call('POST', '/open/v1/forecasts', { body, headers });
    expect([only.data.valid, submitted.code, submitted.headers['idempotent-replayed']]).toEqual([true, '0', undefined]);
  });

  test('names errors of fields, warehouse and files at once', async () => {
    const body = app.submission({ warehouse_code: 'NONE', shipping_label: 'https://example.com/a.pdf', po_number: ' ' });
    expect(named((await validate(body)).data)).toEqual(['42201 po_number', '42201 warehouse_code', '42203 shipping_label']);
    const fine = { ...body, po_number: 'PO-1' };
    expect(named((await validate(fine)).data)).toEqual(['42201 warehouse_code', '42203 shipping_label']);
  });

  test('of a wrong shape warns of unknown fields, which are often the missing ones', async () => {
    const { data } = await validate({ ...app.submission(), items: [{ sku: 'S', product_name_en: 'L', forecast_quantity: 1 }] });
    expect(named(data)).toEqual(['42201 items[0].sku_code']);
    expect(data.warnings).toMatchObject([{ field: 'items[0].sku' }]);
  });

  test.each([[null], [[]], ['text'], [1]])('of %j is no forecast', async (body) => {
    const { status, data } = await validate(JSON.stringify(body));
    expect([status, data.valid]).toEqual([200, false]);
  });

  test('names numbers of others, the conflict of the po_number and an unknown warehouse together', async () => {
    await app.submit(app.submission({ items: [item({ tracking_number: 'TN-1111' })] }));
    await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'TN-2222' })] }));
    const body = app.submission({ po_number: 'PO-2', warehouse_code: 'NONE', items: [item(), item({ tracking_number: 'tn 1111' })] });
    expect(named((await validate(body)).data)).toEqual([
      '42201 warehouse_code',
      '42202 items[1].tracking_number',
      '40901 warehouse_code',
      '40901 items[0].tracking_number',
      '40901 items[1]',
    ]);
    // Of another tenant nothing is known.
    expect(
      (await validate(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'TN-1111' })] }, 'tnt_b'), 'tnt_b')).data.valid,
    ).toBe(true);
  });

  test('of an accepted content names its forecast, also after its warehouse was closed', async () => {
    const { data } = await app.submit(app.submission());
    await app.closeWarehouse('WH1');
    expect((await validate(app.submission())).data).toMatchObject({ valid: true, existing_forecast_no: data.forecast_no, errors: [] });
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    expect((await validate(app.submission())).data).toMatchObject({ valid: false, existing_forecast_no: null });
  });

  test('of a po_number that only a cancelled forecast has warns that it is submitted again', async () => {
    const warned = { field: 'po_number', message: 'A forecast with this po_number was cancelled; this submits it again' };
    await app.submit(app.submission());
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    const { data } = await validate(app.submission({ due_date: '2026-11-01' }));
    expect(data).toMatchObject({ valid: true, warnings: [warned, { field: 'due_date' }] });
    expect((await validate(app.submission({ warehouse_code: 'NONE' }))).data).toMatchObject({ valid: false, warnings: [warned] });
    await app.submit(app.submission());
    expect((await validate(app.submission())).data).toMatchObject({ valid: true, warnings: [] });
    expect((await validate(app.submission({}, 'tnt_b'), 'tnt_b')).data).toMatchObject({ warnings: [] });
  });

  test('of a content that a correction has made is a repeat, as it is when submitted', async () => {
    const { data } = await app.submit(app.submission());
    await app.correct('PO-1', { due_date: '2026-12-24' });
    const body = app.submission({ due_date: '2026-12-24' });
    expect((await validate(body)).data.existing_forecast_no).toBe(data.forecast_no);
    expect((await app.submit(body)).headers['idempotent-replayed']).toBe('true');
  });
});

/** What a validation says, a submission does: the first error has its code. */
test.each([
  ['valid', {}],
  ['a field', { items: [] }],
  ['a warehouse', { warehouse_code: 'NONE' }],
  ['a file', { shipping_note: 'https://example.com/x.pdf' }],
  ['a number in use', { po_number: 'PO-2', items: [item({ tracking_number: 'TN-1111' })] }],
  ['other content', { due_date: '2026-12-24' }],
])('validation and submission agree: %s', async (_, over) => {
  await app.submit(app.submission({ items: [item({ tracking_number: 'TN-1111' })] }));
  const body = app.submission({ items: [item({ tracking_number: 'TN-1111' })], ...over });
  const { data } = await validate(body);
  const submitted = await app.submit(body);
  const [first] = data.errors as unknown as readonly { code: string }[];
  expect(first?.code ?? '0').toBe(submitted.code);
});
