import { beforeEach, describe, expect, test } from '@jest/globals';
import { openUseCases } from '../testing/open-use-cases.ts';
import { reportAt } from '../testing/samples.ts';
import { NumberLimits } from './number-limits.ts';
import { createSubmitBatch } from './submit-batch.ts';

const TENANT = 'tnt_a';

const item = (number: string | undefined, quantity = 1) => ({
  sku_code: 'LAMP',
  product_name_en: 'Lamp',
  forecast_quantity: quantity,
  ...(number !== undefined && { tracking_number: number }),
});

const submission = (poNumber: string, ...numbers: readonly string[]) => ({
  po_number: poNumber,
  forecast_type: 1,
  warehouse_code: 'WH1',
  items: (numbers.length === 0 ? [undefined] : numbers).map((number) => item(number)),
});

/** The service without its edges, and a tenant that may have ten numbers that no warehouse has seen. */
function openService() {
  const { submit: submitForecast, correct: correctForecast, validate, apply, numberLimits } = openUseCases();
  const counted = (unseen: number) => numberLimits.take(new Map([[TENANT, { unseen, limit: 10 }]]));
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return '0';
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  return {
    submitForecast,
    correctForecast,
    apply,
    counted,
    room: () => [...Array(12).keys()].filter((numbers) => numberLimits.refusals(TENANT, numbers).length === 0).at(-1),
    submit: (poNumber: string, ...numbers: readonly string[]) => codeOf(submitForecast(TENANT, submission(poNumber, ...numbers))),
    submitBatch: createSubmitBatch(submitForecast),
    correct: (poNumber: string, items: readonly object[], ifMatch?: string) =>
      codeOf(correctForecast({ tenantId: TENANT, poNumber, body: { items }, ifMatch, keyId: 'key_1', seed: undefined })),
    validate,
  };
}

let service: ReturnType<typeof openService>;

beforeEach(() => {
  service = openService();
  service.counted(0);
});

describe('a limit of declared numbers', () => {
  test('counts of a correction what it adds', async () => {
    const { submit, correct, counted, room } = service;
    const numbers = Array.from({ length: 10 }, (_, index) => `NUMBER${index}`);
    expect(await submit('PO-1', ...numbers)).toBe('0');
    expect([await submit('PO-2', 'MORE1'), room()]).toEqual(['42201', 0]);
    const [first = ''] = numbers;
    expect(
      await correct(
        'PO-1',
        numbers.map((number) => item(number, 2)),
      ),
    ).toBe('0');
    expect(await correct('PO-1', [item(first), item('MORE1')])).toBe('42201');
    expect(await correct('PO-1', [item(first)])).toBe('0');
    // The intake has heard of both.
    counted(10);
    counted(1);
    expect(room()).toBe(9);
    expect(await correct('PO-1', [item(first), item('MORE1'), item('MORE2')])).toBe('0');
    expect(room()).toBe(7);
  });

  test('gives back what was refused, or accepted before', async () => {
    const { submit, correct, room } = service;
    expect(await submit('PO-1', 'A001', 'A002')).toBe('0');
    expect(await submit('PO-1', 'A001', 'A002')).toBe('0');
    expect(await submit('PO-1', 'B001')).toBe('40901');
    expect(await correct('PO-1', [item('B001')], '"9"')).toBe('41201');
    expect(await correct('PO-1', [item('A001'), item('A002')])).toBe('0');
    expect(room()).toBe(8);
  });

  test('holds for the forecasts of a batch together', async () => {
    const forecasts = Array.from({ length: 25 }, (_, index) => submission(`PO-${index}`, `NUMBER${index}`));
    const outcomes = await service.submitBatch(TENANT, forecasts);
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(10);
    expect([service.room(), await service.submit('PO-100')]).toEqual([0, '0']);
    expect(await service.submit('RB123456785GB')).toBe('42201');
  });

  test('is in a validation, which takes no room', async () => {
    const numbers = Array.from({ length: 11 }, (_, index) => `NUMBER${index}`);
    expect((await service.validate(TENANT, submission('PO-1', ...numbers))).errors).toMatchObject([
      { code: '42201', rule: 'declared_numbers' },
    ]);
    expect((await service.validate(TENANT, submission('PO-1', ...numbers.slice(1)))).errors).toEqual([]);
    expect(service.room()).toBe(10);
  });
});

describe('the warning of a scan that went elsewhere', () => {
  beforeEach(async () => {
    const { forecastNo } = await service.submitForecast('tnt_b', submission('PO-1', 'TAKEN1'));
    const report = reportAt(1, { express_no: 'TAKEN1' });
    await service.apply([{ tenantId: 'tnt_b', forecastNo, eventId: 'e1', fact: { step: 'warehouse.arrived', report } }]);
  });
  const warned = [{ field: 'items[0].tracking_number', message: expect.stringContaining('went elsewhere') }];
  const correct = (items: readonly object[]) =>
    service.correctForecast({ tenantId: TENANT, poNumber: 'PO-1', body: { items }, ifMatch: undefined, keyId: 'key_1', seed: undefined });

  test('is for a submission, and a validation says nothing of it', async () => {
    expect((await service.validate(TENANT, submission('PO-1', 'TAKEN1'))).warnings).toEqual([]);
    expect((await service.submitForecast(TENANT, submission('PO-1', 'TAKEN1'))).warnings).toEqual(warned);
  });

  test('is for the numbers that a correction adds', async () => {
    await service.submitForecast(TENANT, submission('PO-1', 'A001'));
    expect((await correct([item('TAKEN1')])).warnings).toEqual(warned);
    expect((await correct([item('TAKEN1', 2)])).warnings).toEqual([]);
  });
});

test('a limit is of its tenant alone, and says what it is', () => {
  const limits = new NumberLimits();
  expect(limits.refusals('tnt_a', 1_000_000)).toEqual([]);
  limits.take(new Map([['tnt_a', { unseen: 7, limit: 10 }]]));
  expect([limits.refusals('tnt_a', 3), limits.refusals('tnt_a', 0), limits.refusals('tnt_b', 4)]).toEqual([[], [], []]);
  const [refusal] = limits.refusals('tnt_a', 4);
  expect(refusal).toMatchObject({ code: '42201', data: { errors: [{ field: 'items', rule: 'declared_numbers' }] } });
  expect(JSON.stringify(refusal?.data)).toContain('the limit is 10');
  limits.take(new Map());
  expect(limits.refusals('tnt_a', 100)).toEqual([]);
});

test('what is reserved counts until it is given back or the count has grown by it, however late', () => {
  const limits = new NumberLimits();
  const counted = (unseen: number) => limits.take(new Map([['tnt_a', { unseen, limit: 10 }]]));
  const room = () => [...Array(12).keys()].filter((numbers) => limits.refusals('tnt_a', numbers).length === 0).at(-1);
  counted(0);
  const [first, second] = [limits.reserve('tnt_a'), limits.reserve('tnt_a')];
  expect([first.take(6), second.take(6)?.code, second.take(4)]).toEqual([undefined, '42201', undefined]);
  expect(room()).toBe(0);
  // In place of what it had.
  expect([second.take(1), room()]).toEqual([undefined, 3]);
  second.giveBack();
  second.giveBack();
  expect(room()).toBe(4);
  for (let count = 1; count <= 20; count += 1) counted(0);
  expect(room()).toBe(4);
  // A count covers a part, and numbers that were scanned meanwhile free their room.
  counted(4);
  expect(room()).toBe(4);
  counted(1);
  expect(room()).toBe(7);
  counted(3);
  expect(room()).toBe(7);
  expect(first.take(0)).toBeUndefined();
  expect(room()).toBe(7);
});

test('what no count has covered for long counts no longer, and what is held for it is bounded', () => {
  const limits = new NumberLimits();
  const counted = () => limits.take(new Map([['tnt_a', { unseen: 0, limit: 10 }]]));
  counted();
  limits.reserve('tnt_a').take(10);
  for (let count = 1; count < 300; count += 1) counted();
  expect(limits.refusals('tnt_a', 1)).toHaveLength(1);
  counted();
  expect(limits.refusals('tnt_a', 1)).toHaveLength(0);
});
