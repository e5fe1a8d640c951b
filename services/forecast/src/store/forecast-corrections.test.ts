import { describe, expect, test } from '@jest/globals';
import { listed } from '../testing/listed.ts';
import {
  actionsOn,
  changeOf,
  contentWith,
  correctionEntry,
  correctionOf,
  known,
  message,
  open,
  store,
  useStore,
} from '../testing/store-under-test.ts';
import { initialProgress } from './domain/forecast.ts';
import type { ContentChange } from './domain/known-forecast.ts';

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

  test('and other changes lose nothing of each other', async () => {
    await insert({ no: 'F1' });
    const grow = (index: number) =>
      change('F1', { progress: (now) => ({ ...now, history: [...now.history, { status: 2, at: index, reason: 'x' }] }) }, `e${index}`);
    await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? grow(index) : correct('F1'))));
    const found = await store.findByPoNumber('tnt_a', 'PO-F1');
    expect(found?.progress.history).toHaveLength(6);
    expect(found?.contentVersion).toBe(6);
  });

  test('comes with a change of the state in one write', async () => {
    await insert({ no: 'F1', claims: ['A'] });
    const state = await known(store, 'F1');
    const both = {
      ...changeOf(state, { status: 6, messages: [message('a')] }, 'e1'),
      ...{ content: correctionOf(state).content as ContentChange },
    };
    expect(await store.apply([both])).toEqual([{ kind: 'written' }]);
    expect(await known(store, 'F1', ['e1'])).toMatchObject({
      record: { status: 6, contentVersion: 2, warehouseCode: 'WH2' },
      applied: new Set(['e1']),
      whole: { corrections: [correctionEntry(2)] },
    });
    expect((await insert({ no: 'F2', claims: ['A'] })).kind).toBe('inserted');
  });

  test('knows only the forecasts of the tenant', async () => {
    await insert({ no: 'F1' });
    expect(await correct('F1', {}, 'tnt_b')).toEqual({ kind: 'unknown' });
    expect(await correct('F9')).toEqual({ kind: 'unknown' });
    expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.contentVersion).toBe(1);
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

  test('lets one of many have a number', async () => {
    for (const n of [1, 2, 3, 4, 5]) await insert({ no: `F${n}`, claims: [`own-${n}`] });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => correct(`F${n}`, { claims: ['A'] })));
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(4);
  });

  test('takes 1000 other claims', async () => {
    const claims = (letter: string) => Array.from({ length: 1000 }, (_, index) => `${letter}${index}`);
    await insert({ no: 'F1', claims: claims('N') });
    expect(await correct('F1', { claims: claims('M') })).toEqual({ kind: 'written' });
    expect((await insert({ no: 'F2', claims: ['N999'] })).kind).toBe('inserted');
    expect(await insert({ no: 'F3', claims: ['M999'] })).toMatchObject({ takenNumbers: ['M999'] });
  });
});
