import { describe, expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';
import { until } from './testing/until.ts';

const open = (changes: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}): FairQueue =>
  new FairQueue({ atOnce: 1, maxWaitMs: 10_000, refusal: 'Too many files are being read', ...changes });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error as { code: string }).code,
  );

describe('a fair queue', () => {
  test('lets holders take turns, whatever one of them puts into it', async () => {
    const queue = open();
    const order: string[] = [];
    const works = ['a', 'a', 'a', 'b', 'c'].map((holder, at) => queue.run(holder, async () => void order.push(`${holder}${at}`)));
    await Promise.all(works);
    expect(order).toEqual(['a0', 'a1', 'b3', 'c4', 'a2']);
  });

  test('gives a turn back when the work fails', async () => {
    const queue = open();
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await codeOf(queue.take('b'))).toBe('taken');
  });

  test('refuses a holder that has half of the places, and nobody else', async () => {
    const queue = open({ places: 4, retryAfterSeconds: 3 });
    const taken = [queue.take('a'), queue.take('a')];
    await expect(queue.take('a')).rejects.toMatchObject({
      code: '50301',
      message: 'Too many files are being read; try again',
      retryAfterSeconds: 3,
    });
    const other = codeOf(queue.take('b'));
    for (const each of taken) (await each)();
    expect(await other).toBe('taken');
  });

  test('refuses who waits too long, has gone, or finds it closed', async () => {
    const queue = open({ maxWaitMs: 10 });
    await queue.take('a');
    expect(await codeOf(queue.take('b'))).toBe('50301');
    const gone = new AbortController();
    const waiting = codeOf(queue.take('b', gone.signal, 10_000));
    gone.abort();
    expect([await waiting, await codeOf(queue.take('b', gone.signal))]).toEqual(['50301', '50301']);
    const last = codeOf(queue.take('c', undefined, 10_000));
    queue.close();
    expect([await last, await codeOf(queue.take('d'))]).toEqual(['50301', '50301']);
  });

  test('forgets those who do not wait any more', async () => {
    const queue = open({ maxWaitMs: 5 });
    const give = await queue.take('a');
    expect(await codeOf(queue.take('b'))).toBe('50301');
    give();
    await until(async () => (await codeOf(queue.take('c', undefined, 1000))) === 'taken');
  });
});
