import { beforeEach, describe, expect, test } from '@jest/globals';
import { listForecasts, type PlannedList, planList } from '../lists/list-forecasts.ts';
import { summary } from '../testing/samples.ts';
import { actionsOn, forecast, store, useStore } from '../testing/store-under-test.ts';
import { initialProgress, type Measurement, type Progress } from './domain/forecast.ts';
import { type ListFilters, planOf } from './domain/list-plan.ts';
import { EXCEPTION_TERM, HOLD_TERM, numberTerm, skuTerm, warehouseTerm } from './domain/search-terms.ts';

const measurement: Measurement = {
  lengthCm: 3,
  widthCm: 2,
  heightCm: 1,
  weightKg: 4.5,
  weighedAt: 'at',
  weighedAtMs: 1,
  reportedBy: { warehouseCode: 'WH1', eventId: 'we-1', expressNo: null },
};
const held = { kind: 'held', reason: null, at: 'at', atMs: 1 } as const;
const exception = { reason: 'damaged', text: null, photos: [], occurredAt: 'at', occurredAtMs: 1 } as const;
const damaged: Progress = { ...initialProgress(1000), exceptions: [exception] };

useStore();
const { insert, change } = actionsOn(() => store);

/** More pages than any list of a test has: a cursor that leads back would go round for ever. */
const MOST_PAGES = 200;

/** The forecast_no of the forecasts that meet filters, from page to page, as a client that follows the cursors sees them. */
async function numbers(filters: ListFilters = {}, { limit = 100, tenantId = 'tnt_a' } = {}): Promise<string[]> {
  const list = planList(filters) as PlannedList;
  const found: string[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await listForecasts(store, tenantId, list, limit, after);
    found.push(...page.forecasts.map(({ forecastNo }) => forecastNo));
    if (page.next === null) return found;
    after = store.placeBehind(list.plan.walk, page.next);
  }
  throw new Error(`The list has more than ${MOST_PAGES} pages`);
}

describe('a list', () => {
  beforeEach(async () => {
    const terms = [warehouseTerm('WH1'), skuTerm('A')];
    await insert({ no: 'F1', createdAt: 1000, terms: [...terms, EXCEPTION_TERM, HOLD_TERM], progress: { ...damaged, holdFacts: [held] } });
    await insert({ no: 'F2', createdAt: 3000, terms: [...terms, numberTerm('LP1')] });
    await insert({ no: 'F3', createdAt: 2000, terms });
    await insert({
      no: 'F4',
      createdAt: 2000,
      warehouseCode: 'WH2',
      terms: [warehouseTerm('WH2'), skuTerm('B'), numberTerm('LP1'), EXCEPTION_TERM],
      progress: damaged,
    });
    await insert({ no: 'X1', tenantId: 'tnt_b', terms: [...terms, numberTerm('LP1')] });
    await change('F3', { status: 7, updatedAt: 5000 });
  });

  test('is sorted by acceptance, then by id, newest first, and shows what a page needs', async () => {
    expect(await numbers()).toEqual(['F2', 'F4', 'F3', 'F1']);
    const [first] = await store.list('tnt_a', { walk: { by: 'newest', eq: [] }, limit: 1 });
    expect(first).toMatchObject({ forecastNo: 'F2', poNumber: 'PO-F2', ...summary, contentVersion: 1, status: 1, createdAt: 3000 });
    expect(Object.keys(first ?? {})).not.toEqual(expect.arrayContaining(['progress', 'content', 'terms']));
  });

  test.each<[ListFilters, string[]]>([
    [{ status: 7 }, ['F3']],
    [{ poNumber: 'PO-F1' }, ['F1']],
    [{ createdFrom: 2000 }, ['F2', 'F4', 'F3']],
    [{ createdTo: 2000 }, ['F1']],
    [{ createdFrom: 2000, createdTo: 3000, status: 1 }, ['F4']],
    [{ forecastNo: 'F2' }, ['F2']],
    [{ forecastNo: 'F2', status: 7 }, []],
    [{ forecastNo: 'F2', trackingNumber: 'LP1', skuCode: 'A' }, ['F2']],
    [{ trackingNumber: 'LP1' }, ['F2', 'F4']],
    [{ trackingNumber: 'LP1', skuCode: 'A' }, ['F2']],
    [{ skuCode: 'A', createdFrom: 1001, createdTo: 3000 }, ['F3']],
    [{ skuCode: 'a' }, []],
    [{ warehouseCode: 'WH1' }, ['F2', 'F3', 'F1']],
    [{ warehouseCode: 'WH1', status: 7 }, ['F3']],
    [{ warehouseCode: 'WH2', status: 1 }, ['F4']],
    [{ hasException: true }, ['F4', 'F1']],
    [{ onHold: true }, ['F1']],
    [{ hasException: true, warehouseCode: 'WH2', status: 1 }, ['F4']],
    [{ hasException: false, status: 1 }, ['F2']],
    [{ updatedFrom: 1000, onHold: false }, ['F3', 'F4', 'F2']],
    [{ poPrefix: 'PO-F' }, ['F1', 'F2', 'F3', 'F4']],
    [{ poPrefix: 'PO-F', skuCode: 'A' }, ['F2', 'F3', 'F1']],
    [{ poPrefix: 'po' }, []],
    [{ updatedFrom: 1000 }, ['F3', 'F4', 'F2', 'F1']],
    [{ updatedFrom: 5000, updatedTo: 5001 }, ['F3']],
    [{ updatedTo: 5000, warehouseCode: 'WH1' }, ['F2', 'F1']],
  ])('of %j is %j, in one page and in many', async (filters, expected) => {
    expect(await numbers(filters)).toEqual(expected);
    expect(await numbers(filters, { limit: 1 })).toEqual(expected);
    expect(await numbers(filters, { tenantId: 'tnt_c' })).toEqual([]);
  });
});

describe('a list by po_number', () => {
  test('is in the order of code points, and of one po_number newest first', async () => {
    const poNumbers = ['B', 'A-\u{1f600}', 'A-\uff5e', 'A-', 'a', 'A', 'A-%_'];
    for (const [index, poNumber] of poNumbers.entries()) await insert({ no: `F${index}`, poNumber, createdAt: 1000 + index });
    await change('F3', { status: 7 });
    await insert({ no: 'F9', poNumber: 'A-', createdAt: 8000 });
    await change('F9', { status: 7 });
    await insert({ no: 'F8', poNumber: 'A-', createdAt: 9000 });
    const expected = ['F8', 'F9', 'F3', 'F6', 'F2', 'F1'];
    for (const limit of [1, 2, 5, 10]) expect(await numbers({ poPrefix: 'A-' }, { limit })).toEqual(expected);
    expect(await numbers({ poPrefix: 'A' }, { limit: 2 })).toEqual(['F5', ...expected]);
    expect(await numbers({ poPrefix: 'A-%' })).toEqual(['F6']);
  });
});

test('what a forecast is found by follows changes of the named forecasts only', async () => {
  await insert({ no: 'F1', terms: [skuTerm('A'), numberTerm('N')] });
  await insert({ no: 'F2', terms: [skuTerm('A')] });
  await change('F1', { terms: [skuTerm('B'), HOLD_TERM, numberTerm('M')] });
  expect([await numbers({ onHold: true }), await numbers({ trackingNumber: 'M' }), await numbers({ trackingNumber: 'N' })]).toEqual([
    ['F1'],
    ['F1'],
    [],
  ]);
  expect(await numbers({ skuCode: 'A' })).toEqual(['F2']);
});

test('shows the progress when it is asked for, and what the warehouse found without it', async () => {
  await insert({ no: 'F1', terms: [skuTerm('A')] });
  const progress = { ...forecast({ no: 'F1' }).progress, measurements: [measurement], exceptions: [exception] };
  await change('F1', { progress });
  const { walk } = planOf({ skuCode: 'A' });
  expect(await store.list('tnt_a', { walk, limit: 10, with: ['progress'] })).toMatchObject([{ forecastNo: 'F1', progress }]);
  expect(await store.list('tnt_a', { walk, limit: 10 })).toMatchObject([{ hasException: true, onHold: false }]);
});
