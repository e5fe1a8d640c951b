import { describe, expect, test } from '@jest/globals';
import { listed } from '../testing/listed.ts';
import { actionsOn, contentWith, correctionEntry, message, open, store, useStore } from '../testing/store-under-test.ts';
import { initialProgress } from './domain/forecast.ts';

useStore();
const { insert, change, correct } = actionsOn(() => store);

describe('correct', () => {
  test('writes content, entry and messages together, and leaves the rest', async () => {
    await insert({ no: 'F1', progress: initialProgress(7) }, ['accepted']);
    await change('F1', { status: 3, progress: initialProgress(8) });
    const content = contentWith('ä');
    expect(await correct('F1', { content, messages: [message('a'), message('b')] })).toEqual({ kind: 'written' });
    const found = await store.readByPoNumber('tnt_a', 'PO-F1');
    expect(found).toMatchObject({ content, corrections: [correctionEntry(2)] });
    expect(found?.record).toMatchObject({
      contentVersion: 2,
      contentHash: 'hash 2',
      warehouseCode: 'WH2',
      dueDate: '2026-12-24',
      itemCount: 3,
      status: 3,
      progress: initialProgress(8),
      createdAt: 1000,
      updatedAt: 2000,
    });
    expect(await store.findByPoNumber('tnt_a', 'PO-F1')).toMatchObject({
      contentVersion: 2,
      contentHash: 'hash 2',
      progress: initialProgress(8),
    });
    expect(await listed(store)).toMatchObject([{ contentVersion: 2, warehouseCode: 'WH2', itemCount: 3 }]);
    expect(await store.readContent('tnt_a', 'F1')).toEqual(content);
    expect(await open.outbox()).toEqual(['accepted', 'a', 'b']);
    expect(await insert({ no: 'F2', poNumber: 'PO-F1' })).toMatchObject({ holder: { contentHash: 'hash 2', contentVersion: 2 } });
  });

  test('frees what it no longer claims, and holds what it claims', async () => {
    await insert({ no: 'F1', claims: ['A', 'B'] });
    expect(await correct('F1', { claims: ['B', 'C'] })).toEqual({ kind: 'written' });
    expect((await insert({ no: 'F2', claims: ['A'] })).kind).toBe('inserted');
    expect(await insert({ no: 'F3', claims: ['B', 'C', 'D'] })).toMatchObject({ takenNumbers: ['B', 'C'] });
    // A correction that leaves the numbers as they are leaves the claims.
    await correct('F1', { content: contentWith('PO-F1', ['B', 'C']) });
    expect(await insert({ no: 'F3', claims: ['C'] })).toMatchObject({ takenNumbers: ['C'] });
    await correct('F1', { claims: [] });
    expect((await insert({ no: 'F3', claims: ['B', 'C'] })).kind).toBe('inserted');
    await correct('F1', { claims: ['E'] });
    await change('F1', { status: 7 });
    expect((await insert({ no: 'F4', claims: ['E'] })).kind).toBe('inserted');
  });

  test('refuses claims that others hold, in their order, and writes nothing', async () => {
    await insert({ no: 'F1', claims: ['A', 'B'] });
    await insert({ no: 'F2', claims: ['$C', 'D'] });
    const before = await store.readByPoNumber('tnt_a', 'PO-F1');
    expect(await correct('F1', { claims: ['D', 'X', '$C', 'B'], messages: [message('lost')] })).toEqual({
      kind: 'taken',
      takenNumbers: ['D', '$C'],
    });
    expect(await store.readByPoNumber('tnt_a', 'PO-F1')).toEqual(before);
    expect(await open.outbox()).toEqual([]);
    expect((await insert({ no: 'F3', claims: ['X'] })).kind).toBe('inserted');
    expect(await insert({ no: 'F4', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
    await insert({ no: 'F5', claims: ['A'], tenantId: 'tnt_b' });
    expect(await correct('F5', { claims: ['B'] }, 'tnt_b')).toEqual({ kind: 'written' });
  });
});
