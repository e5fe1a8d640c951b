import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { OutboxMessage, OutboxSource } from './outbox.ts';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

let waiting: OutboxMessage[];
/** What was published, by publication. */
let batches: string[][];
let relays: OutboxRelay[];
beforeEach(() => {
  [waiting, batches, relays] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
});

const source: OutboxSource = {
  lease: async (limit) => waiting.slice(0, limit),
  async remove(ids) {
    waiting = waiting.filter(({ id }) => !ids.includes(id));
  },
  depth: async () => ({ count: waiting.length, oldestAt: null }),
};
const publish: OutboxRelayOptions['publish'] = async (messages) => void batches.push(messages.map(({ value }) => value));
/** A relay that reads the outbox only when it is notified. */
const relayOf = (options: Partial<OutboxRelayOptions> = {}): OutboxRelay => {
  const relay = new OutboxRelay({ source, publish, logger: silentLogger, clock: systemClock, idlePollMs: 600_000, ...options });
  relays.push(relay);
  return relay;
};
const write = (...values: string[]): void => void waiting.push(...values.map((value) => ({ id: value, topic: 't', key: 'k', value })));
const published = (): string[] => batches.flat();
const sizes = (): number[] => batches.map(({ length }) => length);
const empty = (): Promise<unknown> => until(() => waiting.length === 0, { what: 'an empty outbox' });
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

describe('outbox relay', () => {
  test('publishes what waits at the start, in batches, in order', async () => {
    write(...numbers(25));
    relayOf({ batchSize: 10 }).start();
    await empty();
    expect(published()).toEqual(numbers(25));
    expect(sizes()).toEqual([10, 10, 5]);
  });

  test('publishes at once when notified, and messages of one turn together', async () => {
    const relay = relayOf();
    relay.start();
    for (const value of ['a', 'b', 'c']) {
      write(value);
      relay.notify();
    }
    await until(() => published().length === 3, { what: 'all published' });
    expect(sizes()).toEqual([3]);
    write('d');
    relay.notify();
    await until(() => published().length === 4, { what: 'the next' });
  });

  test('finds messages by itself when nobody notifies', async () => {
    relayOf({ idlePollMs: 5 }).start();
    write('a');
    await empty();
    expect(published()).toEqual(['a']);
  });

  test('a notification during a pass is not lost', async () => {
    let relay: OutboxRelay | undefined;
    const slow = async (messages: readonly EncodedMessage[]): Promise<void> => {
      if (published().length === 0) {
        write('b');
        relay?.notify();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await publish(messages);
    };
    write('a');
    relay = relayOf({ publish: slow });
    relay.start();
    await until(() => published().length === 2, { what: 'both' });
    expect(published()).toEqual(['a', 'b']);
  });

  test('publishing that fails is tried again and keeps the order', async () => {
    let failures = 3;
    const failing = async (messages: readonly EncodedMessage[]): Promise<void> => {
      if (failures > 0) {
        failures -= 1;
        throw AppError.unavailable('log out');
      }
      await publish(messages);
    };
    const relay = relayOf({ publish: failing, batchSize: 2 });
    relay.start();
    write(...numbers(3));
    relay.notify();
    await until(() => failures < 3, { what: 'the first failure' });
    write('3', '4');
    relay.notify();
    await empty();
    expect(failures).toBe(0);
    expect(published()).toEqual(numbers(5));
  });

  test('a crash between publish and remove repeats messages and loses none', async () => {
    write(...numbers(3));
    let crashed = false;
    const remove: OutboxSource['remove'] = async (ids) => {
      if (crashed) return source.remove(ids);
      crashed = true;
      throw new Error('crash');
    };
    relayOf({ source: { ...source, remove }, batchSize: 2 }).start();
    await empty();
    expect(published()).toEqual(['0', '1', '0', '1', '2']);
  });

  test('stop finishes the batch under way, and drains the rest', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = false;
    const slow = async (messages: readonly EncodedMessage[]): Promise<void> => {
      entered = true;
      await gate;
      await publish(messages);
    };
    write(...numbers(7));
    const relay = relayOf({ publish: slow, batchSize: 2 });
    relay.start();
    await until(() => entered, { what: 'a batch' });
    const stopping = relay.stop();
    write('7');
    release();
    await stopping;
    expect(published()).toEqual(numbers(8));
    expect(waiting).toEqual([]);
  });

  test.each([
    ['fails', () => Promise.reject(AppError.unavailable('log out'))],
    ['hangs', () => new Promise<void>(() => undefined)],
  ])('stop ends at its deadline when publishing %s, and the messages stay', async (_name, broken) => {
    write('a', 'b');
    const relay = relayOf({ publish: broken, drainMs: 20 });
    relay.start();
    await relay.stop();
    expect(waiting).toHaveLength(2);
    const next = relayOf();
    next.start();
    await empty();
    expect(published()).toEqual(['a', 'b']);
  });

  test('stop before start, and twice, does nothing', async () => {
    const relay = relayOf();
    await expect(relay.stop()).resolves.toBeUndefined();
    relay.start();
    await relay.stop();
    await expect(relay.stop()).resolves.toBeUndefined();
  });

  test('looks again at once after a batch of long messages, when the source bounds what it gives', async () => {
    write(...['a', 'b', 'c'].map((letter) => letter.padEnd(4_000_000, '.')));
    relayOf({ source: { ...source, lease: () => source.lease(1) }, gatherMs: () => 600_000 }).start();
    await empty();
    expect(published().map((value) => value[0])).toEqual(['a', 'b', 'c']);
  });

  test('leases nothing more once the time of its stop is over, also when it was writing removals down until then', async () => {
    let steps: string[] = [];
    let respond = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const stepping: OutboxSource = {
      ...source,
      async lease() {
        steps.push('lease');
        return waiting;
      },
      remove: async () => undefined,
      async settle() {
        steps.push('settle');
        await gate;
        steps.push('settled');
      },
      flush: async () => void steps.push('flush'),
    };
    write('a');
    const relay = relayOf({ source: stepping, drainMs: 50 });
    relay.start();
    await until(() => steps.includes('settle'), { what: 'the removals' });
    steps = [];
    await relay.stop();
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual(['flush', 'settled']);
  });

  describe('while messages come', () => {
    test('what is written within the time to gather shares one publication; the first goes at once', async () => {
      const asked: number[] = [];
      const relay = relayOf({
        gatherMs: (count) => {
          asked.push(count);
          return 200;
        },
      });
      relay.start();
      write('1');
      const begun = performance.now();
      relay.notify();
      await until(() => published().length === 1, { what: 'the first message' });
      expect(performance.now() - begun).toBeLessThan(150);
      for (const value of ['2', '3', '4']) {
        write(value);
        relay.notify();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => published().length === 4, { what: 'the others' });
      expect(performance.now() - begun).toBeGreaterThanOrEqual(195);
      expect(sizes()).toEqual([1, 3]);
      await until(() => asked.length === 2, { what: 'the pause behind the others' });
      expect(asked).toEqual([1, 3]);
    });

    test('a backlog is not held up', async () => {
      write(...numbers(40));
      const relay = relayOf({ gatherMs: () => 60_000, batchSize: 20 });
      relay.start();
      await until(() => published().length === 40, { what: 'the backlog' });
    });

    test('a stop does not wait for it', async () => {
      const relay = relayOf({ gatherMs: () => 60_000 });
      write('1');
      relay.start();
      await until(() => published().length === 1, { what: 'the first message' });
      write('2');
      await relay.stop();
      expect(published()).toEqual(['1', '2']);
    });
  });

  describe('of a store that puts removals off', () => {
    test('they are written down once for what was published in some moments, also when nothing more comes', async () => {
      let settled = 0;
      const settle = async (): Promise<void> => {
        settled += 1;
      };
      const relay = relayOf({ source: { ...source, settle } });
      relay.start();
      for (const value of numbers(5)) {
        write(value);
        relay.notify();
        await until(() => published().length === Number(value) + 1, { what: value });
      }
      expect(settled).toBeLessThanOrEqual(1);
      await until(() => settled > 0, { what: 'the removals' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBeLessThanOrEqual(2);
    });

    test('it is tried again when that fails', async () => {
      let settled = 0;
      const settle = async (): Promise<void> => {
        settled += 1;
        if (settled === 1) throw AppError.unavailable('out');
      };
      write('1');
      relayOf({ source: { ...source, settle } }).start();
      await until(() => settled === 2, { what: 'another try' });
      expect(published()).toEqual(['1']);
    });
  });
});

describe('messages that nobody waits for', () => {
  let relay: OutboxRelay;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });
  afterEach(async () => {
    const stopping = relay.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    jest.useRealTimers();
  });

  const gathered = (): string[] => batches.map((values) => values.join(''));
  /** Lets time pass, and what is due happen. */
  const pass = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(ms);
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(0);
  };
  /** Starts a relay, and has it publish a first message. */
  const start = async (options: Partial<OutboxRelayOptions> = {}): Promise<void> => {
    relay = relayOf({ unhurriedMs: 100, ...options });
    relay.start();
    write('1');
    relay.notify();
    await pass(0);
  };
  const writeUnhurried = (value: string): void => {
    write(value);
    relay.notifyUnhurried();
  };

  test('gather until the given time after the publication before, time after time', async () => {
    await start();
    await pass(30);
    writeUnhurried('a');
    await pass(40);
    writeUnhurried('b');
    await pass(29);
    expect(gathered()).toEqual(['1']);
    await pass(2);
    expect(gathered()).toEqual(['1', 'ab']);
    writeUnhurried('c');
    await pass(95);
    expect(gathered()).toEqual(['1', 'ab']);
    await pass(10);
    expect(gathered()).toEqual(['1', 'ab', 'c']);
  });

  test('gather on while removals that were put off are written down', async () => {
    let settled = 0;
    const settle = async (): Promise<void> => {
      settled += 1;
    };
    await start({ source: { ...source, settle }, unhurriedMs: 300 });
    for (const value of ['a', 'b', 'c', 'd']) {
      await pass(70);
      writeUnhurried(value);
    }
    expect([gathered(), settled]).toEqual([['1'], 1]);
    await pass(30);
    expect(gathered()).toEqual(['1', 'abcd']);
  });

  test('go at once when nothing was published for that time, or no time is given', async () => {
    await start();
    await pass(100);
    writeUnhurried('a');
    await pass(0);
    expect(gathered()).toEqual(['1', 'a']);
    await relay.stop();
    await start({ unhurriedMs: 0 });
    writeUnhurried('b');
    await pass(0);
    expect(gathered()).toEqual(['1', 'a', '1', 'b']);
  });

  test('go with a message that somebody waits for, and cause no pass after it', async () => {
    const lease = jest.spyOn(source, 'lease');
    await start();
    writeUnhurried('a');
    await pass(10);
    write('b');
    relay.notify();
    await pass(0);
    expect(gathered()).toEqual(['1', 'ab']);
    const looks = lease.mock.calls.length;
    await pass(1000);
    expect(lease.mock.calls.length).toBe(looks);
    lease.mockRestore();
  });

  test('of a write during a publication are published after it', async () => {
    let release = (): void => undefined;
    const gates = [Promise.resolve(), new Promise<void>((resolve) => (release = resolve))];
    await start({
      publish: async (messages) => {
        await gates.shift();
        await publish(messages);
      },
    });
    write('a');
    relay.notify();
    await pass(0);
    writeUnhurried('b');
    await pass(500);
    expect(gathered()).toEqual(['1']);
    release();
    await pass(0);
    expect(gathered()).toEqual(['1', 'a', 'b']);
  });

  test('of a write during the pause behind a failure are published by the next try, once', async () => {
    let isOut = false;
    await start({
      publish: async (messages) => {
        if (isOut) throw AppError.unavailable('log out');
        await publish(messages);
      },
    });
    isOut = true;
    write('a');
    relay.notify();
    await pass(0);
    isOut = false;
    writeUnhurried('b');
    await pass(5000);
    writeUnhurried('c');
    await pass(5000);
    expect(gathered()).toEqual(['1', 'ab', 'c']);
  });
});
