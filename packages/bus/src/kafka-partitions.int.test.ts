import { beforeEach, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { BatchHandler, BusDriver } from './driver.ts';
import { KafkaInspector } from './kafka-inspection.ts';
import { addKafkaPartitions } from './kafka-partitions.ts';
import { createTopics } from './testing/kafka-test-cluster.ts';
import { useKafka } from './testing/use-kafka.ts';

jest.setTimeout(180_000);

const KEYS = 40;
const ROUNDS = 30;
const topic = 'a.v1';
const group = 'g';

const kafka = useKafka();
/** Numbers of each key, in the order in which they were first handled. Delivery is at least once, so some may come again. */
let handled: Map<string, Set<number>>;
let partitions: Set<number>;

const handle: BatchHandler = async (records) => {
  for (const { key, value, partition } of records) {
    partitions.add(partition);
    const numbers = handled.get(key ?? '') ?? new Set();
    handled.set(key ?? '', numbers.add(Number(Buffer.from(value ?? []).toString())));
  }
  return { done: records.length, pauseMs: 0 };
};

const consume = async (): Promise<BusDriver> => {
  const driver = await kafka.open();
  await driver.consume({ group, topics: [topic], handle, settle: async () => undefined });
  return driver;
};

/** Publishes numbers of each key, from a process that begins with it and ends behind it, as the relays of a service do. */
const publishFromNewProcess = async (from: number): Promise<void> => {
  const driver = await kafka.open();
  for (let number = from; number < from + ROUNDS; number += 1) {
    await driver.publish(Array.from({ length: KEYS }, (_, key) => ({ topic, key: `key-${key}`, value: String(number) })));
  }
  await driver.close();
};

const countOfPartitions = async (): Promise<number | undefined> => {
  const inspector = await KafkaInspector.connect(kafka.connection);
  try {
    return (await inspector.topics([topic]))[0]?.partitions;
  } finally {
    inspector.close();
  }
};

const add = (count: number, drainMs?: number) =>
  addKafkaPartitions({
    connection: kafka.connection,
    topics: [{ topic, groups: [group] }],
    partitions: count,
    progress: () => undefined,
    ...(drainMs !== undefined && { drainMs }),
  });

beforeEach(async () => {
  handled = new Map();
  partitions = new Set();
  await createTopics(kafka.connection, [topic], 3);
});

test('partitions are added behind the last message, and those of each key stay in order over both', async () => {
  await publishFromNewProcess(0);
  const before = await consume();
  expect(await add(6)).toEqual([topic]);
  // Whatever was there before has been handled before a partition was added.
  expect([...handled.values()].every((numbers) => numbers.size === ROUNDS)).toBe(true);
  expect([...partitions].sort()).toEqual([0, 1, 2]);
  await publishFromNewProcess(ROUNDS);
  // A consumer that ran before finds the new partitions by itself within five minutes, one that is started at once.
  await before.close();
  await consume();
  const all = Array.from({ length: 2 * ROUNDS }, (_, number) => number);
  await until(() => [...handled.values()].every((numbers) => numbers.size >= all.length), { within: 60_000 });
  expect(handled.size).toBe(KEYS);
  for (const numbers of handled.values()) expect([...numbers]).toEqual(all);
  expect([...partitions].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await countOfPartitions()).toBe(6);
  expect(await add(6)).toEqual([]);
});

test('while a consumer has not finished, no partition is added', async () => {
  const publisher = await kafka.open();
  await publisher.publish([{ topic, key: 'k', value: '1' }]);
  await expect(add(6, 3000)).rejects.toThrow('did not come to rest; consumers have not finished: g of a.v1');
  expect(await countOfPartitions()).toBe(3);
});

test('while a publisher is not off, no partition is added', async () => {
  await consume();
  const publisher = await kafka.open();
  let reason: Error | undefined;
  const adding = add(6, 12_000).catch((error: unknown) => {
    reason = error as Error;
  });
  while (reason === undefined) await publisher.publish([{ topic, key: 'k', value: '1' }]);
  await adding;
  expect(reason.message).toMatch(/^No partition was added, because within 12 s the topics did not come to rest; /);
  expect(await countOfPartitions()).toBe(3);
});

test('a number of partitions that no topic can have is refused', async () => {
  for (const wrong of [0, 1.5, 1001]) await expect(add(wrong)).rejects.toThrow('A topic has 1 to 1000 partitions');
});
