import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { relayTiming } from '@parcelway/platform/relay-timing';
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

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Behind a request with one message. */
const GATHER_MS = relayTiming.gatherMs(1);

describe('BatchedLog', () => {
  test('what comes during a request goes together with the next', async () => {
    const { requests, log } = manualLog();
    const all = ['a', 'b', 'c'].map((key) => log.produce(message(key)));
    expect(requests.map(({ keys }) => keys)).toEqual([['a']]);
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect(requests).toHaveLength(1);
    requests[0]?.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(requests.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    requests[1]?.end();
    await Promise.all(all);
  });

  test('what comes within the time of a relay after a request began shares the next', async () => {
    const { requests, log } = manualLog();
    const all = [log.produce(message('a'))];
    requests[0]?.end();
    await jest.advanceTimersByTimeAsync(GATHER_MS - 2);
    all.push(log.produce(message('b')));
    await jest.advanceTimersByTimeAsync(1);
    all.push(log.produce(message('c')));
    expect(requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(requests.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    requests[1]?.end();
    await Promise.all(all);
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    void log.produce(message('d'));
    expect(requests).toHaveLength(3);
  });

  test('many are followed by a longer pause, and a full request by none', async () => {
    const { requests, log } = manualLog();
    const first = log.produce(message('first'));
    const all = Array.from({ length: 520 }, (_, index) => log.produce(message(`${index}`)));
    requests[0]?.end();
    await first;
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect(requests[1]?.keys).toHaveLength(500);
    requests[1]?.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(requests[2]?.keys).toHaveLength(20);
    requests[2]?.end();
    await Promise.all(all);
    const last = log.produce(message('last'));
    await jest.advanceTimersByTimeAsync(29);
    expect(requests).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(1);
    requests[3]?.end();
    await last;
  });

  test('a request that fails fails its messages only', async () => {
    const { requests, log } = manualLog();
    const first = log.produce(message('a'));
    const second = log.produce(message('b'));
    requests[0]?.end(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    requests[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
