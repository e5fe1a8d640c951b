import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { OutboxMessage, OutboxSource } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

describe('a relay from a source that bounds what it gives', () => {
  let waiting: OutboxMessage[];
  let published: string[];
  let relays: OutboxRelay[];

  beforeEach(() => {
    [waiting, published, relays] = [[], [], []];
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.stop())));

  const messageOf = (id: string, length: number): OutboxMessage => ({ id, topic: 't', key: 'k', value: id.padEnd(length, '.') });
  /** A source that gives one message at a time. */
  const sourceWith = (further: Partial<OutboxSource> = {}): OutboxSource => ({
    lease: async () => waiting.slice(0, 1),
    async remove(ids) {
      waiting = waiting.filter(({ id }) => !ids.includes(id));
    },
    depth: async () => ({ count: waiting.length, oldestAt: null }),
    ...further,
  });
  /** A relay that looks again only after a full batch. */
  const relayOf = (options: Partial<OutboxRelayOptions> = {}): OutboxRelay => {
    const publish: OutboxRelayOptions['publish'] = async (messages) => {
      published.push(...messages.map(({ value }) => value.slice(0, 1)));
    };
    const relay = createOutboxRelay({
      source: sourceWith(),
      publish,
      logger: silentLogger,
      clock: systemClock,
      idlePollMs: 600_000,
      gatherMs: () => 600_000,
      ...options,
    });
    relays.push(relay);
    return relay;
  };

  test('looks again at once after a batch of long messages', async () => {
    waiting = ['a', 'b', 'c'].map((id) => messageOf(id, 4_000_000));
    relayOf().start();
    await until(() => published.length === 3, { what: 'all messages', within: 5000 });
    expect(published).toEqual(['a', 'b', 'c']);
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
        return waiting;
      },
      async settle() {
        steps.push('settle');
        await gate;
        steps.push('settled');
      },
      async flush() {
        steps.push('flush');
      },
    });
    waiting = [messageOf('a', 1)];
    const relay = relayOf({ source, drainMs: 50, gatherMs: () => 0 });
    relay.start();
    await until(() => steps.includes('settle'), { what: 'the removals' });
    steps = [];
    await relay.stop();
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual(['flush', 'settled']);
  });
});
