import { describe, expect, test } from '@jest/globals';
import { actionsOn, changeOf, known, message, open, store, useStore } from '../testing/store-under-test.ts';
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
