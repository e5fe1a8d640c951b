import { describe, expect, test } from '@jest/globals';
import { actionsOn, changeOf, known, message, open, store, useStore } from '../testing/store-under-test.ts';
import { MAX_APPLIED } from './forecast-documents.ts';

useStore();
const { insert, change } = actionsOn(() => store);
const receivedOf = async (tenantId: string, forecastNo: string) =>
  (await store.readByForecastNo(tenantId, forecastNo))?.receivedItems ?? [];

describe('change', () => {
  test('keeps what was counted beside the progress, until another count replaces it', async () => {
    const first = [{ skuCode: 'A', quantity: 1 }];
    const second = [
      { skuCode: '中"', quantity: 0 },
      { skuCode: 'B', quantity: 7 },
    ];
    await insert({ no: 'F1' });
    await insert({ no: 'F2' });
    expect(await receivedOf('tnt_a', 'F1')).toEqual([]);
    await change('F1', { receivedItems: first }, 'e1');
    await change('F1', {}, 'e2');
    expect(await receivedOf('tnt_a', 'F1')).toEqual(first);
    await change('F1', { receivedItems: second }, 'e3');
    await change('F1', { receivedItems: first }, 'e1');
    expect(await receivedOf('tnt_a', 'F1')).toEqual(second);
    expect(await receivedOf('tnt_a', 'F2')).toEqual([]);
    expect(await receivedOf('tnt_b', 'F1')).toEqual([]);
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

  test('writes nothing onto another version than the one that was read', async () => {
    await insert({ no: 'F1', claims: ['A'] });
    const before = await known(store, 'F1');
    await change('F1', { status: 3 });
    const late = changeOf(before, { status: 7, receivedItems: [{ skuCode: 'A', quantity: 1 }], messages: [message('late')] }, 'e1');
    expect(await store.apply([late])).toEqual([{ kind: 'lost' }]);
    expect(await known(store, 'F1')).toMatchObject({ record: { status: 3 }, applied: new Set() });
    expect(await receivedOf('tnt_a', 'F1')).toEqual([]);
    expect(await insert({ no: 'F2', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
    expect(await open.outbox()).toEqual([]);
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

  test('to cancelled frees po_number and claims', async () => {
    await insert({ no: 'F1', poNumber: 'PO', claims: ['A', 'B'] });
    await insert({ no: 'F0', claims: ['C'] });
    await change('F1', { status: 7 });
    expect((await insert({ no: 'F2', poNumber: 'PO', claims: ['A'] })).kind).toBe('inserted');
    await change('F2', { status: 7 });
    expect((await insert({ no: 'F3', poNumber: 'PO', claims: ['B'] })).kind).toBe('inserted');
    expect(await insert({ no: 'F4', claims: ['C'] })).toMatchObject({ takenNumbers: ['C'] });
  });

  test('to completed frees the claims and keeps the po_number', async () => {
    await insert({ no: 'F1', poNumber: 'PO', claims: ['A'] });
    await change('F1', { status: 6 });
    expect((await insert({ no: 'F2', claims: ['A'] })).kind).toBe('inserted');
    expect(await insert({ no: 'F3', poNumber: 'PO' })).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1' } });
    // A later report on the first one does not touch the claim that is another's by now.
    await change('F1', { status: 6 }, 'late');
    expect(await insert({ no: 'F4', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
  });
});
