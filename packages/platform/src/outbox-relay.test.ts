import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import type { OutboxSource } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

describe('outbox relay', () => {
  let db: SqliteDatabase;
  let outbox: CommittedMessages;
  let published: string[];
  let batches: number[];
  let relays: OutboxRelay[];

  beforeEach(() => {
    db = new SqliteDatabase(':memory:');
    outbox = new CommittedMessages(db);
    published = [];
    batches = [];
    relays = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    db.close();
  });

  const publish = async (messages: readonly EncodedMessage[]): Promise<void> => {
    published.push(...messages.map((message) => message.value));
    batches.push(messages.length);
  };
  /** A relay that reads the outbox only when it is notified. */
  const relayOf = (options: Partial<OutboxRelayOptions> = {}): OutboxRelay => {
    const relay = createOutboxRelay({ source: outbox, publish, logger: silentLogger, clock: systemClock, idlePollMs: 600_000, ...options });
    relays.push(relay);
    return relay;
  };
  const write = (...values: string[]): Promise<void> =>
    db.transaction(() => {
      for (const value of values) outbox.append({ topic: 't', key: 'k', value });
    });
  const empty = (): Promise<unknown> => until(async () => (await outbox.depth()).count === 0, { what: 'an empty outbox' });
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
  /** The source, with a fault. */
  const sourceWith = (fault: Partial<OutboxSource>): OutboxSource => ({
    lease: (limit) => outbox.lease(limit),
    remove: (ids) => outbox.remove(ids),
    depth: () => outbox.depth(),
    ...fault,
  });

  test('publishes what waits at the start, in batches, in order', async () => {
    await write(...numbers(25));
    relayOf({ batchSize: 10 }).start();
    await empty();
    expect(published).toEqual(numbers(25));
    expect(batches).toEqual([10, 10, 5]);
  });

  test('publishes at once when notified, and messages of one turn together', async () => {
    const relay = relayOf();
    relay.start();
    for (const value of ['a', 'b', 'c']) {
      void write(value).then(() => relay.notify());
    }
    await until(() => published.length === 3, { what: 'all published' });
    expect(batches).toEqual([3]);
    await write('d');
    relay.notify();
    await until(() => published.length === 4, { what: 'the next' });
  });

  test('finds messages by itself when nobody notifies', async () => {
    relayOf({ idlePollMs: 5 }).start();
    await write('a');
    await empty();
    expect(published).toEqual(['a']);
  });

  test('a notification during a pass is not lost', async () => {
    let relay: OutboxRelay | undefined;
    const slow = async (messages: readonly EncodedMessage[]): Promise<void> => {
      if (published.length === 0) {
        await write('b');
        relay?.notify();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await publish(messages);
    };
    await write('a');
    relay = relayOf({ publish: slow });
    relay.start();
    await until(() => published.length === 2, { what: 'both' });
    expect(published).toEqual(['a', 'b']);
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
    await write(...numbers(3));
    relay.notify();
    await until(() => failures < 3, { what: 'the first failure' });
    await write('3', '4');
    relay.notify();
    await empty();
    expect(failures).toBe(0);
    expect(published).toEqual(numbers(5));
  });

  test('a crash between publish and remove repeats messages and loses none', async () => {
    await write(...numbers(3));
    let crashed = false;
    const source = sourceWith({
      remove: async (ids) => {
        if (!crashed) {
          crashed = true;
          throw new Error('crash');
        }
        await outbox.remove(ids);
      },
    });
    relayOf({ source, batchSize: 2 }).start();
    await empty();
    expect(published).toEqual(['0', '1', '0', '1', '2']);
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
    await write(...numbers(7));
    const relay = relayOf({ publish: slow, batchSize: 2 });
    relay.start();
    await until(() => entered, { what: 'a batch' });
    const stopping = relay.stop();
    await write('7');
    release();
    await stopping;
    expect(published).toEqual(numbers(8));
    expect(await outbox.depth()).toMatchObject({ count: 0 });
  });

  test.each([
    ['fails', () => Promise.reject(AppError.unavailable('log out'))],
    ['hangs', () => new Promise<void>(() => undefined)],
  ])('stop ends at its deadline when publishing %s, and the messages stay', async (_name, broken) => {
    await write('a', 'b');
    const relay = relayOf({ publish: broken, drainMs: 20 });
    relay.start();
    await relay.stop();
    expect(await outbox.depth()).toMatchObject({ count: 2 });
    const next = relayOf();
    next.start();
    await empty();
    expect(published).toEqual(['a', 'b']);
  });

  test('stop before start, and twice, does nothing', async () => {
    const relay = relayOf();
    await expect(relay.stop()).resolves.toBeUndefined();
    relay.start();
    await relay.stop();
    await expect(relay.stop()).resolves.toBeUndefined();
  });

  test('looks again at once after a batch of long messages, when the source bounds what it gives', async () => {
    await write(...['a', 'b', 'c'].map((letter) => letter.padEnd(4_000_000, '.')));
    relayOf({ source: sourceWith({ lease: () => outbox.lease(1) }), gatherMs: () => 600_000 }).start();
    await empty();
    expect(published.map((value) => value[0])).toEqual(['a', 'b', 'c']);
  });

  test('leases nothing more once the time of its stop is over, also when it was writing removals down until then', async () => {
    let steps: string[] = [];
    let respond = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const source = sourceWith({
      async lease() {
        steps.push('lease');
        return [{ id: '1', topic: 't', key: 'k', value: 'a' }];
      },
      remove: async () => undefined,
      async settle() {
        steps.push('settle');
        await gate;
        steps.push('settled');
      },
      async flush() {
        steps.push('flush');
      },
    });
    const relay = relayOf({ source, drainMs: 50 });
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
      await write('1');
      const begun = performance.now();
      relay.notify();
      await until(() => published.length === 1, { what: 'the first message' });
      expect(performance.now() - begun).toBeLessThan(150);
      for (const value of ['2', '3', '4']) {
        await write(value);
        relay.notify();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => published.length === 4, { what: 'the others' });
      expect(performance.now() - begun).toBeGreaterThanOrEqual(195);
      expect(batches).toEqual([1, 3]);
      await until(() => asked.length === 2, { what: 'the pause behind the others' });
      expect(asked).toEqual([1, 3]);
    });

    test('a backlog is not held up', async () => {
      await write(...numbers(40));
      const relay = relayOf({ gatherMs: () => 60_000, batchSize: 20 });
      relay.start();
      await until(() => published.length === 40, { what: 'the backlog' });
    });

    test('a stop does not wait for it', async () => {
      const relay = relayOf({ gatherMs: () => 60_000 });
      await write('1');
      relay.start();
      await until(() => published.length === 1, { what: 'the first message' });
      await write('2');
      await relay.stop();
      expect(published).toEqual(['1', '2']);
    });
  });

  describe('of a store that puts removals off', () => {
    /** Ids by call of settle, which the store has removed then. */
    let settled: number;
    const source = (settle: () => Promise<void>): OutboxSource => sourceWith({ settle });

    test('they are written down once for what was published in some moments, also when nothing more comes', async () => {
      settled = 0;
      const relay = relayOf({
        source: source(async () => {
          settled += 1;
        }),
      });
      relay.start();
      for (const value of numbers(5)) {
        await write(value);
        relay.notify();
        await until(() => published.length === Number(value) + 1, { what: value });
      }
      expect(settled).toBeLessThanOrEqual(1);
      await until(() => settled > 0, { what: 'the removals' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBeLessThanOrEqual(2);
    });

    test('it is tried again when that fails', async () => {
      settled = 0;
      const relay = relayOf({
        source: source(async () => {
          settled += 1;
          if (settled === 1) throw AppError.unavailable('out');
        }),
      });
      await write('1');
      relay.start();
      await until(() => settled === 2, { what: 'another try' });
      expect(published).toEqual(['1']);
    });
  });
});
