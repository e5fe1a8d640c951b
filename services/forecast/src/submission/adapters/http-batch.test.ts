import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { app, ForecastHarness, useHarness } from '../../testing/forecast-harness.ts';
import { createSubmitBatch } from '../submit-batch.ts';
import type { Acceptance } from '../submit-forecast.ts';

useHarness();

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

const batch = (forecasts: readonly unknown[], query = '', headers: Readonly<Record<string, string>> = {}) =>
  app.call('POST', `/open/v1/forecasts/batch${query}`, { body: { forecasts }, headers });

const codes = ({ data }: { readonly data: { readonly results: readonly { readonly code: string }[] } }) =>
  data.results.map(({ code }) => code);

describe('a batch', () => {
  test('has one result for each forecast, in order, each as if sent alone', async () => {
    const forecasts = [app.submission(), app.submission({ po_number: 'PO-2', items: [] }), app.submission({ po_number: 'PO-3' })];
    const { status, data } = await batch(forecasts);
    expect(status).toBe(200);
    expect(data).toMatchObject({ accepted: 2, failed: 1, warnings: [] });
    expect(data.results).toEqual([
      {
        index: 0,
        code: '0',
        message: 'success',
        data: { ...((await app.submit(forecasts[0])).data as object), replayed: false },
      },
      { index: 1, code: '42201', message: expect.any(String), data: (await app.submit(forecasts[1])).data },
      expect.objectContaining({ index: 2, code: '0' }),
    ]);
    expect(await app.published()).toHaveLength(2);
  });

  test('to be validated stores nothing, and compares its forecasts with each other', async () => {
    const forecasts = [
      app.submission({ items: [item({ tracking_number: 'TN-1111' })] }),
      app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'TN 1111' })] }),
      app.submission({ due_date: '2026-12-24' }),
      app.submission({ po_number: 'PO-4', items: [] }),
      app.submission({ po_number: 'PO-5' }),
    ];
    const { data } = await batch(forecasts, '?validate_only=true');
    expect(
      data.results.map((result) => [
        result.code,
        result.data?.['valid'],
        ((result.data?.['errors'] ?? []) as { code: string }[]).map(({ code }) => code),
      ]),
    ).toEqual([
      ['0', true, []],
      ['0', false, ['42202']],
      ['0', false, ['40901']],
      ['0', false, ['42201']],
      ['0', true, []],
    ]);
    expect(await app.published()).toEqual([]);
  });
});

test('what failed for now is submitted again under the same Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'batch-2' };
  // This service has heard of no warehouse: whether it exists cannot be known.
  const fresh = await ForecastHarness.open(undefined, []);
  const submit = () => fresh.call('POST', '/open/v1/forecasts/batch', { body: { forecasts: [fresh.submission()] }, headers });
  const first = await submit();
  await fresh.openWarehouse('WH1');
  const again = await submit();
  expect([codes(first), codes(again), again.headers['idempotent-replayed']]).toEqual([['50301'], ['0'], undefined]);
  await fresh.close();
});

test('a forecast that fails unexpectedly does not keep those after it from being submitted', async () => {
  const begun: number[] = [];
  const submit = createSubmitBatch(async (_tenantId, body): Promise<Acceptance> => {
    const { place } = body as { readonly place: number };
    begun.push(place);
    if (place % 2 === 0) throw new AppError('50000');
    return { poNumber: String(place) } as Acceptance;
  });
  const outcomes = await submit(
    'tnt_a',
    Array.from({ length: 60 }, (_, place) => ({ place, po_number: 'same' })),
  );
  expect(begun).toEqual(Array.from({ length: 60 }, (_, place) => place));
  expect(outcomes.map(({ kind }) => kind)).toEqual(begun.map((place) => (place % 2 === 0 ? 'failed' : 'done')));
});

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

  test('of wrong fields names files of others and ignored fields as well', async () => {
    const body = { ...app.submission(), colour: 'red', shipping_note: 'https://example.com/x.pdf', items: [null, item({ size: 'L' })] };
    const { data } = await validate(body);
    expect(named(data)).toEqual(['42201 items[0]', '42203 shipping_note']);
    expect(data.warnings).toMatchObject([{ field: 'colour' }, { field: 'items[1].size' }]);
    expect((await validate('[{"colour":"red"}]')).data).toMatchObject({ valid: false, warnings: [] });
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
