import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { MAX_BATCH } from './driver.ts';
import { mergeCalls, WithdrawnCall } from './merged-calls.ts';
import type { ReadRecord } from './read-record.ts';

const record = (partition: number, offset: number, bytes = 1): ReadRecord<string> => ({
  record: { topic: 't', partition, offset: String(offset), key: 'k', value: new Uint8Array(bytes), headers: {}, timestamp: 0 },
  content: `${partition}:${offset}`,
});
const range = (partition: number, count: number): ReadRecord<string>[] =>
  Array.from({ length: count }, (_, offset) => record(partition, offset));

/** A handler that notes its calls, at most `most` at once; `fail` throws for some of them. */
function handlerOf(fail: (contents: readonly string[]) => void = () => undefined, most = 1) {
  const calls: string[][] = [];
  let running = 0;
  const { call: handle, halt } = mergeCalls<string>(async (records) => {
    const contents = records.map(({ content }) => content);
    calls.push(contents);
    running += 1;
    expect(running).toBeLessThanOrEqual(most);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    fail(contents);
  });
  return { handle, halt, calls };
}

describe('calls of the partitions of a consumer', () => {
  test('that come together are one call', async () => {
    const { handle, calls } = handlerOf();
    await Promise.all([handle([record(0, 1), record(0, 2)]), handle([record(1, 7)])]);
    expect(calls).toEqual([['0:1', '0:2', '1:7']]);
  });

  test('that come while the handler works wait for the next call', async () => {
    const { handle, calls } = handlerOf();
    const first = handle([record(0, 1)]);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, handle([record(1, 1)]), handle([record(2, 1)])]);
    expect(calls).toEqual([['0:1'], ['1:1', '2:1']]);
  });

  test('have at most as many records together as a batch; a call is never divided', async () => {
    const { handle, calls } = handlerOf();
    const half = MAX_BATCH / 2;
    await Promise.all([handle(range(0, half)), handle(range(1, half)), handle(range(2, MAX_BATCH)), handle(range(3, 1))]);
    expect(calls.map(({ length }) => length)).toEqual([MAX_BATCH, MAX_BATCH, 1]);
  });

  test('have at most as many bytes together as a batch; a larger record goes alone', async () => {
    const { handle, calls } = handlerOf();
    await Promise.all([handle([record(0, 1, 5_000_000)]), handle([record(1, 1, 5_000_000)]), handle([record(2, 1, 9_000_000)])]);
    expect(calls).toEqual([['0:1'], ['1:1'], ['2:1']]);
  });

  test('all fail when a dependency is out, without another call', async () => {
    const { handle, calls } = handlerOf(() => {
      throw AppError.unavailable('out');
    });
    const outcomes = await Promise.allSettled([handle([record(0, 1)]), handle([record(1, 1)])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  test('are made by themselves after any other failure, side by side, and only the one with the cause fails', async () => {
    const { handle, calls } = handlerOf((contents) => {
      if (contents.includes('1:1')) throw new AppError('42201');
    }, 3);
    const outcomes = await Promise.allSettled([handle([record(0, 1)]), handle([record(1, 1)]), handle([record(2, 1)])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(calls).toEqual([['0:1', '1:1', '2:1'], ['0:1'], ['1:1'], ['2:1']]);
  });

  test('that come after a halt, or after the signal of their partition, are not made', async () => {
    const { handle, halt, calls } = handlerOf();
    const gone = AbortSignal.abort();
    const late = [handle([record(0, 1)], gone), handle([record(1, 1)], gone), handle([record(2, 1)])];
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    halt();
    await expect(handle([record(0, 1)])).rejects.toBeInstanceOf(WithdrawnCall);
    expect(calls).toEqual([['2:1']]);
  });

  test('go on after a failure', async () => {
    let isOut = true;
    const { handle } = handlerOf(() => {
      if (isOut) throw AppError.unavailable('out');
    });
    await expect(handle([record(0, 1)])).rejects.toThrow('out');
    isOut = false;
    await expect(handle([record(0, 1)])).resolves.toBeUndefined();
  });
});
