import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { type CanonicalForecast, canonicalForecast } from '../../store/domain/canonical.ts';
import { initialProgress, type Progress } from '../../store/domain/forecast.ts';
import { claimsOf, holdsPoNumber, holdsTrackingNumbers } from '../../store/domain/held-numbers.ts';
import type { HoldFact } from '../../store/domain/holds.ts';
import {
  conditionOf,
  contentTerms,
  EXCEPTION_TERM,
  HOLD_TERM,
  haveSameTerms,
  numberTerm,
  skuTerm,
  termsOf,
  warehouseTerm,
} from '../../store/domain/search-terms.ts';
import { contentOf, dispatchAt, exceptionAt, record } from '../../testing/samples.ts';
import { contentConflict } from '../check-content.ts';
import { repeatedForecast, submissionErrors } from './resubmission.ts';

describe('a submission of a po_number that a forecast holds', () => {
  const holder = record('FC1');

  test('repeats it when the content is the same', () => {
    expect(repeatedForecast(holder, holder.contentHash)).toBe(holder);
    expect(repeatedForecast(holder, 'other')).toBeUndefined();
    expect(repeatedForecast(undefined, holder.contentHash)).toBeUndefined();
  });

  test('is refused with the fields that differ', async () => {
    const conflict = (stored?: CanonicalForecast) =>
      contentConflict({ readContent: async () => stored }, holder, { ...contentOf('FC1'), warehouse_code: 'WH9' });
    const refusal = { code: '40901', data: { forecast_no: 'FC1', fields: ['warehouse_code'] } };
    expect(await conflict(contentOf('FC1'))).toMatchObject(refusal);
    expect(await conflict()).toMatchObject({ code: '40901', data: { fields: [] } });
    expect(await conflict(contentOf('FC1', { warehouse_code: 'WH9' }))).toBeUndefined();
  });
});

test('the errors of fields keep their rules, and get the code', () => {
  const error = { field: 'items', rule: 'required', message: 'items is required' };
  expect(submissionErrors(AppError.validation([error]))).toEqual([{ code: '42201', ...error }]);
  expect(submissionErrors(new AppError('42203', undefined, { data: { errors: [error] } }))).toEqual([{ code: '42203', ...error }]);
});

test('numbers in use become one error for each field that has one', () => {
  const taken = new AppError('42202', undefined, {
    data: { tracking_numbers: ['T1'], fields: ['items[0].tracking_number', 'items[4].tracking_number'] },
  });
  expect(submissionErrors(taken)).toMatchObject([
    { code: '42202', field: 'items[0].tracking_number', rule: 'in_use' },
    { code: '42202', field: 'items[4].tracking_number', rule: 'in_use' },
  ]);
});

test('a po_number in use names each field that differs, or the po_number when none can be named', () => {
  const of = (fields: readonly string[]) => submissionErrors(new AppError('40901', undefined, { data: { forecast_no: 'FC1', fields } }));
  expect(of(['due_date'])).toEqual([
    { code: '40901', field: 'due_date', rule: 'different', message: 'due_date differs from the forecast FC1, which has this po_number' },
  ]);
  expect(of([])).toMatchObject([{ code: '40901', field: 'po_number' }]);
});

const { ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED, CANCELLED } = forecastStatuses;

const all = Object.values(forecastStatuses) as ForecastStatus[];

describe('a forecast holds', () => {
  test('its po_number until it is cancelled', () => {
    expect(all.filter(holdsPoNumber)).toEqual(all.filter((status) => status !== CANCELLED));
  });

  test('its logistics numbers while it is under way, if it is direct mail', () => {
    expect(all.filter((status) => holdsTrackingNumbers(status, 2))).toEqual([ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED]);
    expect(all.filter((status) => holdsTrackingNumbers(status, 1))).toEqual([]);
  });
});

test('a forecast claims its logistics numbers, if it is direct mail', () => {
  const items = [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'ab-12' }];
  const submission = { po_number: 'PO-1', warehouse_code: 'WH1', items };
  expect(claimsOf(canonicalForecast({ ...submission, forecast_type: 2 }))).toEqual(['AB12']);
  expect(claimsOf(canonicalForecast({ ...submission, forecast_type: 1 }))).toEqual([]);
});

const item = (sku_code: string, tracking_number?: string) => ({
  sku_code,
  product_name_en: 'Lamp',
  forecast_quantity: 1,
  ...(tracking_number !== undefined && { tracking_number }),
});

const fresh = initialProgress(1000);

const dispatched = (...numbers: readonly string[]): Progress => {
  const all = numbers.map((number) => dispatchAt(1, number));
  return { ...fresh, dispatch: all.at(-1) ?? null, furtherDispatches: all.slice(0, -1) };
};

describe('the terms of a forecast', () => {
  test('are its warehouse, each SKU and each number, once', () => {
    const content = contentOf('F1', { items: [item('A', 'LP1'), item('B', 'LP1'), item('A')] });
    expect(contentTerms(content)).toEqual([warehouseTerm('WH1'), skuTerm('A'), numberTerm('LP1'), skuTerm('B')]);
  });

  test('have every number under which it was dispatched', () => {
    const content = contentOf('F1', { items: [item('A', 'LP1')] });
    expect(termsOf(content, dispatched('C1', 'LP1', 'C2'))).toEqual([...contentTerms(content), numberTerm('C1'), numberTerm('C2')]);
  });
});

test('a dispatch, an exception, a hold and its release change the terms', () => {
  const exception = exceptionAt(1);
  const held: HoldFact = { kind: 'held', reason: null, at: isoInstant(1) };
  const released = { ...held, kind: 'released', at: isoInstant(2) } as const;
  const states: readonly Progress[] = [
    dispatched('C1'),
    dispatched('C1', 'C2'),
    { ...fresh, exceptions: [exception] },
    { ...fresh, holdFacts: [held] },
    { ...fresh, exceptions: [exception], holdFacts: [released, held] },
  ];
  const content = contentOf('F1');
  for (const before of [fresh, ...states]) {
    for (const after of [fresh, ...states]) {
      const same = termsOf(content, before).toSorted().join() === termsOf(content, after).toSorted().join();
      expect(haveSameTerms(before, after)).toBe(same);
    }
  }
  expect(termsOf(content, { ...fresh, exceptions: [exception], holdFacts: [held] })).toEqual([
    ...contentTerms(content),
    EXCEPTION_TERM,
    HOLD_TERM,
  ]);
  expect(conditionOf({ ...fresh, exceptions: [exception], holdFacts: [released, held] })).toEqual({ hasException: true, onHold: false });
});
