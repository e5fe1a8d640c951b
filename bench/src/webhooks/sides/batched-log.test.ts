import { describe, expect, test } from '@jest/globals';
import type { PlainMessage } from '../../suites/kafka-log.ts';
import { BatchedLog } from './batched-log.ts';

const message = (key: string): PlainMessage => ({ key, value: '{}' });

/** A log whose requests end when the test says so. */
function manualLog() {
  const requests: { readonly keys: string[]; end(error?: Error): void }[] = [];
  const produce = (_topic: string, messages: readonly PlainMessage[]): Promise<void> =>
    new Promise((resolve, reject) => {
      requests.push({ keys: messages.map(({ key }) => key), end: (error) => (error ? reject(error) : resolve()) });
    });
  return { requests, log: new BatchedLog({ produce }, 'topic') };
}

describe('BatchedLog', () => {
  test('what comes during a request goes together with the next', async () => {
    const { requests, log } = manualLog();
    const all = ['a', 'b', 'c'].map((key) => log.produce(message(key)));
    expect(requests.map(({ keys }) => keys)).toEqual([['a']]);
    requests[0]?.end();
    await all[0];
    expect(requests.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    requests[1]?.end();
    await Promise.all(all);
  });

  test('a request that fails fails its messages only', async () => {
    const { requests, log } = manualLog();
    const first = log.produce(message('a'));
    const second = log.produce(message('b'));
    requests[0]?.end(new Error('down'));
    await expect(first).rejects.toThrow('down');
    requests[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
