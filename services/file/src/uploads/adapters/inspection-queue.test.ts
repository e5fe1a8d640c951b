import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InspectionQueue } from './inspection-queue.ts';

const job = (ownerId: string, name = '') => ({ ownerId, name });

function takeAll(queue: InspectionQueue<ReturnType<typeof job>>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined && taken.length < 100; next = queue.take()) taken.push(next.ownerId + next.name);
  return taken;
}

describe('the queue', () => {
  test('gives owners turns, each in the order of its jobs', () => {
    const queue = new InspectionQueue<ReturnType<typeof job>>();
    for (const each of [job('a', '1'), job('a', '2'), job('a', '3'), job('b', '1'), job('c', '1'), job('b', '2')]) queue.add(each);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('lets one who comes later go before the second job of another', () => {
    const queue = new InspectionQueue<ReturnType<typeof job>>();
    for (const each of [job('a', '1'), job('a', '2')]) queue.add(each);
    expect(queue.take()?.name).toBe('1');
    queue.add(job('b', '1'));
    expect(takeAll(queue)).toEqual(['b1', 'a2']);
  });

  test('has at most 4 of an owner and 16 in all', () => {
    const queue = new InspectionQueue<ReturnType<typeof job>>();
    const owners = ['a', 'b', 'c', 'd', 'e'];
    const added = owners.map((owner) => Array.from({ length: 5 }, () => queue.add(job(owner))).filter(Boolean).length);
    expect(added).toEqual([4, 4, 4, 4, 0]);
  });

  test('forgets what is removed, and drains one owner or all', () => {
    const queue = new InspectionQueue<ReturnType<typeof job>>();
    const [one, two, three] = [job('a', '1'), job('b', '1'), job('b', '2')] as const;
    for (const each of [one, two, three]) queue.add(each);
    expect([queue.remove(one), queue.remove(one)]).toEqual([true, false]);
    expect(queue.drain('a')).toEqual([]);
    expect(queue.drain('b')).toEqual([two, three]);
    queue.add(one);
    expect([queue.drain(), queue.take()]).toEqual([[one], undefined]);
  });

  test('lets nobody wait for more turns than there are owners', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(null)), { maxLength: 60 }), (steps) => {
        const queue = new InspectionQueue<ReturnType<typeof job>>();
        const since = new Map<string, number>();
        const counts = new Map<string, number>();
        for (const step of steps) {
          if (step !== null) {
            if (queue.add(job(step))) counts.set(step, (counts.get(step) ?? 0) + 1);
            continue;
          }
          const owner = queue.take()?.ownerId;
          if (owner === undefined) continue;
          counts.set(owner, (counts.get(owner) ?? 0) - 1);
          for (const each of ['a', 'b', 'c', 'd']) since.set(each, each === owner || !counts.get(each) ? 0 : (since.get(each) ?? 0) + 1);
          for (const waited of since.values()) expect(waited).toBeLessThan(4);
        }
      }),
    );
  });
});
