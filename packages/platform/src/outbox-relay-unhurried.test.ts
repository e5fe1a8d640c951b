import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { OutboxMessage, OutboxSource } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

describe('messages that nobody waits for', () => {
  let waiting: OutboxMessage[];
  let batches: string[][];
  let relays: OutboxRelay[];

  beforeEach(() => {
    [waiting, batches, relays] = [[], [], []];
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.stop())));

  const source: OutboxSource = {
    lease: async (limit) => waiting.slice(0, limit),
    async remove(ids) {
      waiting = waiting.filter(({ id }) => !ids.includes(id));
    },
    depth: async () => ({ count: waiting.length, oldestAt: null }),
  };
  /** A relay that reads the outbox only when it is notified. */
  const started = async (options: Partial<OutboxRelayOptions> = {}): Promise<OutboxRelay> => {
    const publish: OutboxRelayOptions['publish'] = async (messages) => void batches.push(messages.map(({ value }) => value));
    const relay = createOutboxRelay({
      source,
      publish,
      logger: silentLogger,
      clock: systemClock,
      idlePollMs: 600_000,
      ...options,
    });
    relays.push(relay);
    relay.start();
    // The pass that each relay begins with.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return relay;
  };
  const write = (value: string): void => void waiting.push({ id: value, topic: 't', key: 'k', value });

  test('gather for the given time from the first one on, time after time', async () => {
    const relay = await started({ unhurriedMs: 100 });
    for (const [round, values] of [
      ['the first', ['a', 'b', 'c']],
      ['the second', ['d', 'e']],
    ] as const) {
      const begun = performance.now();
      for (const value of values) {
        write(value);
        relay.notifyUnhurried();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await until(() => waiting.length === 0, { what: round });
      expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
    }
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  test('go with a message that somebody waits for, and cause no pass after it', async () => {
    let looks = 0;
    const counting: OutboxSource = {
      ...source,
      lease: (limit) => {
        looks += 1;
        return source.lease(limit);
      },
    };
    const relay = await started({ unhurriedMs: 60, source: counting });
    write('a');
    relay.notifyUnhurried();
    write('b');
    relay.notify();
    await until(() => waiting.length === 0, { what: 'both', within: 1000 });
    expect(batches).toEqual([['a', 'b']]);
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(looks).toBe(before);
  });

  test('of a write during a publication are published after it', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const relay = await started({
      unhurriedMs: 5,
      publish: async (messages) => {
        batches.push(messages.map(({ value }) => value));
        await gate;
      },
    });
    write('a');
    relay.notify();
    await until(() => batches.length === 1, { what: 'the publication' });
    write('b');
    relay.notifyUnhurried();
    await new Promise((resolve) => setTimeout(resolve, 20));
    release();
    await until(() => waiting.length === 0, { what: 'the other' });
    expect(batches).toEqual([['a'], ['b']]);
  });

  test('are published by a stop', async () => {
    const relay = await started({ unhurriedMs: 600_000 });
    write('a');
    relay.notifyUnhurried();
    await relay.stop();
    expect(batches).toEqual([['a']]);
  });

  test('go at once where no time is given', async () => {
    const relay = await started();
    write('a');
    relay.notifyUnhurried();
    await until(() => waiting.length === 0, { what: 'the message', within: 1000 });
    expect(batches).toEqual([['a']]);
  });
});
