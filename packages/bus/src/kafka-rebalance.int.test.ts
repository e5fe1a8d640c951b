import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { BatchHandler, BusDriver, DriverConsumer } from './driver.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { createTopics } from './testing/kafka-test-cluster.ts';
import { spawnSource } from './testing/source-process.ts';
import { useKafka } from './testing/use-kafka.ts';

jest.setTimeout(120_000);

const KEYS = 37;
const topic = 'a.v1';
const group = 'g';

/** A consumer in a process of its own: says which batches it got, and is killed by a failpoint. */
const member = (connection: KafkaConnection): string => `
  import { openKafkaBus } from './kafka-driver.ts';
  import { silentLogger } from '@parcelway/kernel/logger';
  const driver = await openKafkaBus({ connection: ${JSON.stringify(connection)}, logger: silentLogger });
  await driver.consume({ group: '${group}', topics: ['${topic}'], handle: async (records) => {
    console.log(records.map((record) => Buffer.from(record.value).toString()).join(' '));
    return { done: records.length, pauseMs: 0 };
  } });`;

describe('members of a group on kafka', () => {
  const kafka = useKafka();
  /** Numbers in the order in which their handling began; by key. */
  let handled: Map<string, number[]>;
  /** Partitions that are being handled. */
  let busy: Set<number>;
  let clashes: number;

  const all = (): number[] => [...handled.values()].flat();
  const note: BatchHandler = async (records) => {
    const partition = records[0]?.partition ?? -1;
    if (busy.has(partition)) clashes += 1;
    busy.add(partition);
    for (const { key, value } of records) {
      const numbers = handled.get(key ?? '') ?? [];
      numbers.push(Number(Buffer.from(value ?? []).toString()));
      handled.set(key ?? '', numbers);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    busy.delete(partition);
    return { done: records.length, pauseMs: 0 };
  };
  /** Publishes rising numbers until `stop` is called. @returns how many */
  const publishing = (driver: BusDriver) => {
    let next = 0;
    let stopped = false;
    const loop = async (): Promise<number> => {
      while (!stopped) {
        await driver.publish(Array.from({ length: 5 }, () => ({ topic, key: `key-${next % KEYS}`, value: String(next++) })));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return next;
    };
    const running = loop();
    return {
      count: () => next,
      stop: () => {
        stopped = true;
        return running;
      },
    };
  };

  beforeEach(async () => {
    handled = new Map();
    busy = new Set();
    clashes = 0;
    await createTopics(kafka.connection, [topic]);
  });

  test('come and go under load: nothing is lost, doubled, out of order or handled by two at once', async () => {
    const publisher = await kafka.open();
    const load = publishing(publisher);
    const more = async (): Promise<void> => {
      const target = load.count() + 200;
      await until(() => all().length >= target, { what: 'more records handled' });
    };
    /** Resolves when the partitions have been shared with the new member. */
    const join = async (): Promise<DriverConsumer> => {
      let own = 0;
      const consumer = await (await kafka.open()).consume({
        group,
        topics: [topic],
        handle: (records) => {
          own += records.length;
          return note(records);
        },
      });
      await until(() => own > 50, { what: 'the new member takes part' });
      return consumer;
    };
    const first = await join();
    const second = await join();
    await first.stop();
    await more();
    await join();
    await second.stop();
    await more();
    const count = await load.stop();
    await until(() => all().length >= count, { what: 'all records' });
    await until(async () => (await publisher.lag({ group, topic })) === 0, { what: 'nothing open' });

    expect(all().sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
    for (const numbers of handled.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(clashes).toBe(0);
  });

  test('a rebalance waits for a long batch and keeps what it has finished', async () => {
    const publisher = await kafka.open();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = false;
    await (await kafka.open()).consume({
      group,
      topics: [topic],
      handle: async (records) => {
        if (held) return note(records);
        held = true;
        await gate;
        return note(records);
      },
    });
    await publisher.publish([{ topic, key: 'key-0', value: '0' }]);
    await until(() => held, { what: 'the long batch' });
    let ofSecond = 0;
    await (await kafka.open()).consume({
      group,
      topics: [topic],
      handle: async (records) => {
        ofSecond += records.length;
        return note(records);
      },
    });
    // The first member hears of the second with its next heartbeat, within a second, and has 5 s for its batch then.
    setTimeout(release, 3500);
    let count = 1;
    await until(
      async () => {
        await publisher.publish(Array.from({ length: KEYS }, () => ({ topic, key: `key-${count % KEYS}`, value: String(count++) })));
        return ofSecond > 0;
      },
      { what: 'records for the second member' },
    );
    await until(async () => (await publisher.lag({ group, topic })) === 0, { what: 'nothing open' });
    expect(all().sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  test('a member killed in the middle of a batch: its records come to another, in the order of their keys', async () => {
    const publisher = await kafka.open();
    const child = spawnSource(member(kafka.connection), 'consumer.effect-written@5:kill');
    const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const ofChild: number[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => ofChild.push(...line.split(' ').map(Number)));
    const load = publishing(publisher);
    try {
      expect((await exit)[1]).toBe('SIGKILL');
    } finally {
      child.kill('SIGKILL');
    }
    const last = new Set(ofChild.slice(-1));
    await (await kafka.open()).consume({ group, topics: [topic], handle: note });
    await until(() => all().some((number) => last.has(number)), { what: 'the last batch of the killed member', within: 60_000 });
    const count = await load.stop();
    await until(async () => (await publisher.lag({ group, topic })) === 0, { what: 'nothing open' });

    const numbers = new Set([...ofChild, ...all()]);
    expect(Array.from({ length: count }, (_, index) => index).filter((number) => !numbers.has(number))).toEqual([]);
    expect(ofChild.length).toBeGreaterThan(0);
    for (const ofKey of handled.values()) expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
  });
});
