import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { LookUpQueue } from './look-up-queue.ts';

/** Look-ups that end on demand. */
function held(): { readonly ends: Array<(value: string) => void>; lookUp(): Promise<string> } {
  const ends: Array<(value: string) => void> = [];
  return { ends, lookUp: () => new Promise((resolve) => ends.push(resolve)) };
}

const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs as many as it may, the others in their order', async () => {
  const queue = new LookUpQueue(new ManualClock(0), { running: 2, waiting: 2, waitMs: 1000 });
  const { ends, lookUp } = held();
  const results = [1, 2, 3, 4].map(() => queue.run(lookUp));
  await turns();
  expect(ends).toHaveLength(2);
  await expect(queue.run(lookUp)).rejects.toMatchObject({ code: '50301' });
  ends[0]?.('a');
  await turns();
  expect(ends).toHaveLength(3);
  for (const index of [1, 2]) ends[index]?.('b');
  await turns();
  ends[3]?.('c');
  expect(await Promise.all(results)).toEqual(['a', 'b', 'b', 'c']);
  // All places are free again.
  const more = [1, 2].map(() => queue.run(lookUp));
  await turns();
  expect(ends).toHaveLength(6);
  for (const end of ends) end('d');
  await Promise.all(more);
});

test('one that fails gives its place up, and its failure to who asked', async () => {
  const queue = new LookUpQueue(new ManualClock(0), { running: 1, waiting: 1, waitMs: 1000 });
  const failing = queue.run(async () => {
    throw new Error('out');
  });
  const next = queue.run(async () => 'next');
  await expect(failing).rejects.toThrow('out');
  expect(await next).toBe('next');
});

test('what has waited too long is refused when its turn comes', async () => {
  const clock = new ManualClock(0);
  const queue = new LookUpQueue(clock, { running: 1, waiting: 9, waitMs: 1000 });
  const { ends, lookUp } = held();
  const first = queue.run(lookUp);
  const late = [1, 2].map(() => queue.run(lookUp));
  clock.advance(1);
  const inTime = queue.run(lookUp);
  clock.advance(1000);
  ends[0]?.('first');
  for (const each of late) await expect(each).rejects.toMatchObject({ code: '50301', retryAfterSeconds: 1 });
  ends[1]?.('in time');
  expect([await first, await inTime]).toEqual(['first', 'in time']);
});
