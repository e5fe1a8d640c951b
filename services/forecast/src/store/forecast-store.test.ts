import { beforeEach, describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { listForecasts, type PlannedList, planList } from '../lists/list-forecasts.ts';
import { exceptionAt, measurementAt, summary } from '../testing/samples.ts';
import { actionsOn, changeOf, forecast, known, message, open, store, useStore } from '../testing/store-under-test.ts';
import { initialProgress, type Progress } from './domain/forecast.ts';
import { type ListFilters, planOf } from './domain/list-plan.ts';
import { EXCEPTION_TERM, HOLD_TERM, numberTerm, skuTerm, warehouseTerm } from './domain/search-terms.ts';
import { MAX_APPLIED } from './forecast-documents.ts';

useStore();
const { insert, change } = actionsOn(() => store);

describe('findByPoNumber', () => {
  test('prefers the live forecast, then the newest cancelled one', async () => {
    await insert({ no: 'F1', poNumber: 'PO' });
    await change('F1', { status: 7 });
    await insert({ no: 'F2', poNumber: 'PO' });
    await change('F2', { status: 7 });
    expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F2');
    await insert({ no: 'F3', poNumber: 'PO' });
    expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
    // An event for a cancelled one does not bring it back.
    await change('F1', { status: 7 }, 'late');
    expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
    expect((await store.readByPoNumber('tnt_a', 'PO'))?.record.forecastNo).toBe('F3');
    expect(await store.findByPoNumber('tnt_b', 'PO')).toBeUndefined();
    expect(await store.readByPoNumber('tnt_b', 'PO')).toBeUndefined();
  });
});

describe('findScannedElsewhere', () => {
  test('finds numbers that were scanned for other tenants at the warehouse, and lately', async () => {
    await insert({ no: 'F1', warehouseCode: 'WH1' });
    await change('F1', { scanned: ['N1', 'N2'], updatedAt: 5000 }, 'e1');
    await change('F1', { scanned: ['N1'], updatedAt: 5000 }, 'e2');
    const find = (tenantId: string, warehouseCode: string, since: number) =>
      store.findScannedElsewhere(tenantId, warehouseCode, ['N0', 'N1', 'N2'], since);
    expect([...(await find('tnt_b', 'WH1', 5000))].sort()).toEqual(['N1', 'N2']);
    for (const [tenantId, warehouseCode, since] of [
      ['tnt_a', 'WH1', 0],
      ['tnt_b', 'WH2', 0],
      ['tnt_b', 'WH1', 5001],
    ] as const)
      expect(await find(tenantId, warehouseCode, since)).toEqual([]);
  });
});

describe('the figures of a tenant', () => {
  test('count each status, no further than the limit, and say when something last changed', async () => {
    await insert({ no: 'F1', poNumber: 'A' });
    await insert({ no: 'F2', poNumber: 'B' });
    await insert({ no: 'F3', poNumber: 'C' });
    await insert({ no: 'X1', tenantId: 'tnt_b', poNumber: 'D' });
    await change('F3', { status: 7, updatedAt: 9_000_000_000_000 });
    expect([await store.countOf('tnt_a', 1, 10), await store.countOf('tnt_a', 7, 10), await store.countOf('tnt_a', 2, 10)]).toEqual([
      2, 1, 0,
    ]);
    expect(await store.countOf('tnt_a', 1, 1)).toBe(1);
    expect(await store.countOf('none', 1, 10)).toBe(0);
    const changed = await store.readByForecastNo('tnt_a', 'F3');
    expect(await store.lastChange('tnt_a')).toBe(changed?.record.updatedAt);
    expect(await store.lastChange('none')).toBeUndefined();
  });
});

describe('findByPoNumbers', () => {
  test('finds what findByPoNumber finds, each once, and leaves out the rest', async () => {
    await insert({ no: 'F1', poNumber: 'LIVE' });
    await insert({ no: 'F2', poNumber: 'GONE' });
    await change('F2', { status: 7 });
    await insert({ no: 'F3', poNumber: 'GONE' });
    await change('F3', { status: 7 });
    await insert({ no: 'F4', poNumber: 'AGAIN' });
    await change('F4', { status: 7 });
    await insert({ no: 'F5', poNumber: 'AGAIN' });
    await insert({ no: 'X1', tenantId: 'tnt_b', poNumber: 'FOREIGN' });
    const found = await store.findByPoNumbers('tnt_a', ['AGAIN', 'NONE', 'GONE', 'FOREIGN', 'LIVE']);
    const shown = [...found].map(([poNumber, { forecastNo }]) => [poNumber, forecastNo]).sort();
    expect(shown).toEqual([
      ['AGAIN', 'F5'],
      ['GONE', 'F3'],
      ['LIVE', 'F1'],
    ]);
    expect(found.get('LIVE')).toEqual(await store.findByPoNumber('tnt_a', 'LIVE'));
    expect(await store.findByPoNumbers('tnt_a', [])).toEqual(new Map());
    // One that was cancelled many times hides no other.
    for (const no of ['F6', 'F7', 'F8']) {
      await insert({ no, poNumber: 'GONE' });
      await change(no, { status: 7 });
    }
    expect((await store.findByPoNumbers('tnt_a', ['GONE', 'LIVE'])).get('LIVE')?.forecastNo).toBe('F1');
  });
});

describe('findHeldNumbers', () => {
  test('names those that live forecasts of the tenant hold, in the order asked, but for one forecast', async () => {
    await insert({ no: 'F1', claims: ['T1', 'T2'] });
    await insert({ no: 'F2', claims: ['$T3'] });
    await insert({ no: 'F3', claims: ['T4'] });
    await change('F3', { status: 7 });
    await insert({ no: 'X1', tenantId: 'tnt_b', claims: ['T5'] });
    const wanted = ['T5', '$T3', 'T4', 'T2', 'T9', 'T1'];
    expect(await store.findHeldNumbers('tnt_a', wanted, undefined)).toEqual(['$T3', 'T2', 'T1']);
    expect(await store.findHeldNumbers('tnt_a', wanted, 'F1')).toEqual(['$T3']);
    expect(await store.findHeldNumbers('tnt_a', [], undefined)).toEqual([]);
  });
});

describe('a change', () => {
  test('writes nothing onto another version than the one that was read', async () => {
    await insert({ no: 'F1', claims: ['A'] });
    const before = await known(store, 'F1');
    await change('F1', { status: 3 });
    expect(await store.apply([changeOf(before, { status: 7, messages: [message('late')] }, 'e1')])).toEqual([{ kind: 'lost' }]);
    expect(await known(store, 'F1')).toMatchObject({ record: { status: 3 }, applied: new Set() });
    expect(await store.findHeldNumbers('tnt_a', ['A'], undefined)).toEqual(['A']);
    expect(await open.outbox()).toEqual([]);
  });

  test('applies an event once per forecast', async () => {
    await insert({ no: 'F1' });
    await insert({ no: 'F2' });
    const outcomes = await Promise.all([1, 2, 3].map(() => change('F1', { messages: [message('x')] }, 'e1')));
    expect(outcomes.sort()).toEqual(['repeated', 'repeated', 'written']);
    expect(await change('F1', { status: 6 }, 'e1')).toBe('repeated');
    expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.status).toBe(2);
    expect(await open.outbox()).toEqual(['x']);
    expect(await change('F2', {}, 'e1')).toBe('written');
  });

  test('reads and writes many forecasts at once', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `F${index}`);
    for (const no of numbers) await insert({ no });
    const wanted = [...numbers, 'F999'].map((forecastNo) => ({ tenantId: 'tnt_a', forecastNo, withMarks: true }));
    const found = await store.read(wanted);
    expect(found.map(({ record }) => record.forecastNo).sort()).toEqual([...numbers].sort());
    expect(found.every(({ isShown, applied, whole }) => isShown && applied.size === 0 && whole === undefined)).toBe(true);
    const writes = found.map((one) => {
      const { forecastNo } = one.record;
      return changeOf(one, { status: 3, messages: [message(`1 ${forecastNo}`), message(`2 ${forecastNo}`)] }, `e ${forecastNo}`);
    });
    expect(await store.apply(writes)).toEqual(numbers.map(() => ({ kind: 'written' })));
    const after = await store.read(wanted);
    expect(after.every(({ record }) => record.status === 3)).toBe(true);
    expect(after.map(({ applied }) => [...applied])).toEqual(after.map(({ record }) => [`e ${record.forecastNo}`]));
    const outbox = await open.outbox();
    expect(outbox).toHaveLength(200);
    for (const no of numbers) expect(outbox.indexOf(`1 ${no}`)).toBeLessThan(outbox.indexOf(`2 ${no}`));
  });

  test('remembers the latest events, within a bound', async () => {
    await insert({ no: 'F1' });
    const applied = Array.from({ length: MAX_APPLIED }, (_, index) => ({ eventId: `old ${index}`, type: 'test' }));
    await store.apply([{ ...changeOf(await known(store, 'F1')), applied }]);
    await change('F1', {}, 'new');
    const ids = [...(await known(store, 'F1')).applied];
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_APPLIED, 'old 1', 'new']);
  });

  test('knows whether a query by the po_number finds a forecast', async () => {
    const isShown = async (no: string) => (await known(store, no)).isShown;
    await insert({ no: 'F1', poNumber: 'PO' });
    expect(await isShown('F1')).toBe(true);
    await change('F1', { status: 7 });
    expect(await isShown('F1')).toBe(true);
    await insert({ no: 'F2', poNumber: 'PO' });
    expect([await isShown('F1'), await isShown('F2')]).toEqual([false, true]);
    await change('F2', { status: 7 });
    expect([await isShown('F1'), await isShown('F2')]).toEqual([false, true]);
  });
});

const measurement = measurementAt(1);
const held = { kind: 'held', reason: null, at: isoInstant(1) } as const;
const exception = exceptionAt(1);
const damaged: Progress = { ...initialProgress(1000), exceptions: [exception] };

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
    [{ updatedFrom: 1000, createdFrom: 2000, createdTo: 3000 }, ['F3', 'F4']],
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
