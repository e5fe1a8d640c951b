import { expect, test } from '@jest/globals';
import { joinOutboxes } from './join-outboxes.ts';
import type { OutboxSource } from './outbox.ts';

function sourceOf(ids: readonly string[], oldestAt: number | null) {
  const removed: string[] = [];
  let [settled, flushed] = [0, 0];
  const source: OutboxSource = {
    lease: async (limit) => ids.slice(0, limit).map((id) => ({ id, topic: 't', key: 'k', value: id })),
    remove: async (given) => void removed.push(...given),
    settle: async () => {
      settled += 1;
    },
    flush: async () => {
      flushed += 1;
    },
    depth: async () => ({ count: ids.length, oldestAt }),
  };
  return { source, removed, done: () => [settled, flushed] };
}

test('two outboxes are one', async () => {
  const a = sourceOf(['1', 'x:2'], 50);
  const b = sourceOf(['1'], 40);
  const joined = joinOutboxes({ a: a.source, b: b.source });
  const leased = await joined.lease(10);
  expect(leased.map(({ value }) => value)).toEqual(['1', 'x:2', '1']);
  expect(new Set(leased.map(({ id }) => id)).size).toBe(3);
  expect(await joined.lease(2)).toHaveLength(2);
  await joined.remove(leased.slice(1).map(({ id }) => id));
  expect([a.removed, b.removed]).toEqual([['x:2'], ['1']]);
  await joined.settle?.();
  expect([a.done(), b.done()]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  await joined.flush?.();
  expect([a.done(), b.done()]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(await joined.depth()).toEqual({ count: 3, oldestAt: 40 });
  expect(await joinOutboxes({ a: sourceOf([], null).source }).depth()).toEqual({ count: 0, oldestAt: null });
});
