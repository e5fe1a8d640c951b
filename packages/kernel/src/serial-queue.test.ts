import { expect, test } from '@jest/globals';
import { SerialQueue } from './serial-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs the jobs of a key one after the other, in order, also behind one that failed', async () => {
  const queue = new SerialQueue(10);
  const seen: string[] = [];
  const job = (name: string) => async () => {
    seen.push(`${name} begins`);
    await turn();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(['key'], job(name))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('lets no more wait than it may, and nobody for another key', async () => {
  const queue = new SerialQueue(1);
  const release: (() => void)[] = [];
  const held = [1, 2].map(() => queue.run(['key'], () => new Promise<void>((resolve) => release.push(resolve))));
  await expect(queue.run(['key'], async () => 'third')).rejects.toMatchObject({ code: '50301' });
  expect(await queue.run(['other'], async () => 'at once')).toBe('at once');
  for (const job of held) {
    await turn();
    release.shift()?.();
    await job;
  }
  expect(await queue.run(['key'], async () => 'again')).toBe('again');
});

test('runs jobs with several keys in order, each behind the earlier ones of its keys alone', async () => {
  const queue = new SerialQueue(10);
  const seen: string[] = [];
  const job = (...keys: string[]) =>
    queue.run(keys, async () => {
      seen.push(`${keys.join()} begins`);
      await turn();
      seen.push(`${keys.join()} ends`);
    });
  await Promise.all([job('a', 'b'), job('b', 'a'), job('b', 'c'), job('d')]);
  expect(seen.filter((what) => !what.startsWith('d'))).toEqual([
    'a,b begins',
    'a,b ends',
    'b,a begins',
    'b,a ends',
    'b,c begins',
    'b,c ends',
  ]);
  expect(seen.indexOf('d begins')).toBeLessThan(seen.indexOf('a,b ends'));
});
