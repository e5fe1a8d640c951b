import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { OutboxMessage, OutboxSource } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

describe('messages that nobody waits for', () => {
  let waiting: OutboxMessage[];
  let looks: number;
  let batches: string[];
  let relay: OutboxRelay;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    [waiting, looks, batches] = [[], 0, []];
  });
  afterEach(async () => {
    const stopping = relay.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    jest.useRealTimers();
  });

  const source: OutboxSource = {
    async lease(limit) {
      looks += 1;
      return waiting.slice(0, limit);
    },
    async remove(ids) {
      waiting = waiting.filter(({ id }) => !ids.includes(id));
    },
    depth: async () => ({ count: waiting.length, oldestAt: null }),
  };
  const publish: OutboxRelayOptions['publish'] = async (messages) => void batches.push(messages.map(({ value }) => value).join(''));
  /** Lets time pass, and what is due happen. */
  const pass = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(ms);
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(0);
  };
  /** Starts a relay that reads the outbox only when it is notified, and has it publish a first message. */
  const start = async (options: Partial<OutboxRelayOptions> = {}): Promise<void> => {
    relay = createOutboxRelay({
      source,
      publish,
      logger: silentLogger,
      clock: systemClock,
      idlePollMs: 600_000,
      unhurriedMs: 100,
      ...options,
    });
    relay.start();
    write('1');
    relay.notify();
    await pass(0);
  };
  const write = (value: string): void => void waiting.push({ id: value, topic: 't', key: 'k', value });
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
    expect(batches).toEqual(['1']);
    await pass(2);
    expect(batches).toEqual(['1', 'ab']);
    writeUnhurried('c');
    await pass(95);
    expect(batches).toEqual(['1', 'ab']);
    await pass(10);
    expect(batches).toEqual(['1', 'ab', 'c']);
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
    expect([batches, settled]).toEqual([['1'], 1]);
    await pass(30);
    expect(batches).toEqual(['1', 'abcd']);
  });

  test('go at once when nothing was published for that time, or no time is given', async () => {
    await start();
    await pass(100);
    writeUnhurried('a');
    await pass(0);
    expect(batches).toEqual(['1', 'a']);
    await relay.stop();
    await start({ unhurriedMs: 0 });
    writeUnhurried('b');
    await pass(0);
    expect(batches).toEqual(['1', 'a', '1', 'b']);
  });

  test('go with a message that somebody waits for, and cause no pass after it', async () => {
    await start();
    writeUnhurried('a');
    await pass(10);
    write('b');
    relay.notify();
    await pass(0);
    expect(batches).toEqual(['1', 'ab']);
    const before = looks;
    await pass(1000);
    expect(looks).toBe(before);
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
    expect(batches).toEqual(['1']);
    release();
    await pass(0);
    expect(batches).toEqual(['1', 'a', 'b']);
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
    expect(batches).toEqual(['1', 'ab', 'c']);
  });
});
