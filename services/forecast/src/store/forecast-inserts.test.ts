import { describe, expect, test } from '@jest/globals';
import { actionsOn, contentWith, forecast, message, open, store, useStore } from '../testing/store-under-test.ts';

useStore();
const { insert } = actionsOn(() => store);

describe('insert', () => {
  test('keeps everything and its messages', async () => {
    const candidate = forecast({ no: 'F1', dueDate: '2026-12-24', content: contentWith('中\u0000', ['A']) });
    expect(await store.insert(candidate, [message('first'), message('second')])).toEqual({ kind: 'inserted' });
    const { content, claims: _c, terms: _t, ...record } = candidate;
    const stored = { ...record, contentVersion: 1, hasException: false, onHold: false };
    expect(await store.findByPoNumber('tnt_a', 'PO-F1')).toMatchObject(stored);
    expect(await store.readByPoNumber('tnt_a', 'PO-F1')).toMatchObject({ record: stored, content, corrections: [] });
    expect(await store.readByForecastNo('tnt_a', 'F1')).toMatchObject({ record: stored, content, corrections: [] });
    expect(await store.readByForecastNo('tnt_b', 'F1')).toBeUndefined();
    expect(await store.readContent('tnt_a', 'F1')).toEqual(content);
    expect(await open.outbox()).toEqual(['first', 'second']);
  });

  test('refuses a po_number that is held, and says by whom', async () => {
    await insert({ no: 'F1', poNumber: 'PO' }, ['one']);
    const outcome = await insert({ no: 'F2', poNumber: 'PO' }, ['two']);
    expect(outcome).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1', contentHash: 'hash of F1' }, takenNumbers: [] });
    expect(await open.outbox()).toEqual(['one']);
    expect((await insert({ no: 'F2', poNumber: 'po' })).kind).toBe('inserted');
    expect((await insert({ no: 'F3', poNumber: 'PO', tenantId: 'tnt_b' })).kind).toBe('inserted');
  });

  test('refuses claimed numbers, in the order of the claims, and leaves nothing behind', async () => {
    await insert({ no: 'F1', claims: ['A', 'B'] });
    await insert({ no: 'F2', claims: ['C'] });
    const outcome = await insert({ no: 'F3', claims: ['C', 'X', 'B'] }, ['lost']);
    expect(outcome).toEqual({ kind: 'taken', holder: undefined, takenNumbers: ['C', 'B'] });
    expect(await store.findByPoNumber('tnt_a', 'PO-F3')).toBeUndefined();
    expect(await store.readContent('tnt_a', 'F3')).toBeUndefined();
    expect(await open.outbox()).toEqual([]);
    expect((await insert({ no: 'F4', claims: ['X'] })).kind).toBe('inserted');
    expect((await insert({ no: 'F5', claims: ['A'], tenantId: 'tnt_b' })).kind).toBe('inserted');
  });

  test('does not count the numbers of the holder of the po_number against itself', async () => {
    await insert({ no: 'F1', poNumber: 'PO', claims: ['A'] });
    await insert({ no: 'F2', claims: ['B'] });
    const outcome = await insert({ no: 'F3', poNumber: 'PO', claims: ['A', 'B'] });
    expect(outcome).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1' }, takenNumbers: ['B'] });
  });

  test('reports a forecast_no that exists', async () => {
    await insert({ no: 'F1' });
    expect(await insert({ no: 'F1', poNumber: 'PO-2' })).toEqual({ kind: 'forecast-no-taken' });
  });
});
