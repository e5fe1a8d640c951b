import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { LateFlush } from './late-flush.ts';
import { release, watchFlushes } from './testing/watched-flushes.ts';

const flushes = watchFlushes();
/** The error of callers, with the system's as its cause. */
const failure = (cause: string) => ({ code: '50301', cause: { message: expect.stringContaining(cause) } });
const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a late flush', () => {
  const checkpoint = jest.fn<() => void>();
  let flush: LateFlush;

  beforeEach(() => {
    checkpoint.mockReset();
    writeFileSync(`${flushes.path}-wal`, 'log');
    flush = new LateFlush({ path: flushes.path, checkpoint });
  });
  afterEach(() => flush.close());

  test('is not made when everything is on the disk', async () => {
    await flush.flushed();
    flush.commits += 1;
    await flush.flushed();
    await flush.flushed();
    expect(flushes.count).toBe(1);
  });

  test('covers what was committed before it began: who comes while one runs shares the next', async () => {
    flushes.held = [];
    const done: string[] = [];
    const wait = (name: string): void => {
      flush.commits += 1;
      void flush.flushed().then(() => done.push(name));
    };
    const counted = (count: number) => until(() => flushes.count === count, { what: `flush ${count}` });
    wait('first');
    await counted(1);
    for (const name of ['second', 'third']) wait(name);
    await turns();
    expect({ count: flushes.count, done }).toEqual({ count: 1, done: [] });
    release(flushes);
    await counted(2);
    expect({ count: flushes.count, done }).toEqual({ count: 2, done: ['first'] });
    release(flushes);
    await until(() => done.length > 1, { what: 'those that share the second flush' });
    expect({ count: flushes.count, done }).toEqual({ count: 2, done: ['first', 'second', 'third'] });
  });

  test('that failed is made up by writing all of it again, until that succeeds', async () => {
    flushes.failure = new Error('EIO');
    flush.commits += 1;
    await expect(flush.flushed()).rejects.toMatchObject(failure('EIO'));
    flushes.failure = undefined;
    checkpoint.mockImplementationOnce(() => {
      throw new Error('still out');
    });
    await expect(flush.flushed()).rejects.toMatchObject(failure('still out'));
    await flush.flushed();
    expect({ count: flushes.count, checkpoints: checkpoint.mock.calls.length }).toEqual({ count: 1, checkpoints: 2 });
    flush.commits += 1;
    await flush.flushed();
    expect(flushes.count).toBe(2);
  });

  test('does not fail for a file that was closed meanwhile', async () => {
    flushes.held = [];
    flush.commits += 1;
    const flushed = flush.flushed();
    await until(() => flushes.count === 1, { what: 'the flush' });
    const closed = flush.close();
    flushes.failure = new Error('EBADF');
    release(flushes);
    await flushed;
    await closed;
  });

  test('fails when the log cannot be opened', async () => {
    rmSync(`${flushes.path}-wal`);
    flush.commits += 1;
    await expect(flush.flushed()).rejects.toMatchObject(failure('ENOENT'));
  });
});
