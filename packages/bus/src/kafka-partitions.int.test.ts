import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { BatchHandler, BusDriver } from './driver.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { openKafkaBus } from './kafka-driver.ts';
import { KafkaInspector } from './kafka-inspection.ts';
import { addKafkaPartitions } from './kafka-partitions.ts';
import { createTopics, newConnection, removeTopics } from './testing/kafka-test-cluster.ts';

jest.setTimeout(180_000);

const KEYS = 40;
const ROUNDS = 30;
const topic = 'a.v1';
const group = 'g';

let connection: KafkaConnection;
let drivers: BusDriver[];
/** Numbers of each key in the order in which they were handled. */
let handled: Map<string, number[]>;
let partitions: Set<number>;

const open = async (): Promise<BusDriver> => {
  const driver = await openKafkaBus({ connection, logger: silentLogger });
  drivers.push(driver);
  return driver;
};

const handle: BatchHandler = async (records) => {
  for (const { key, value, partition } of records) {
    partitions.add(partition);
    handled.set(key ?? '', [...(handled.get(key ?? '') ?? []), Number(Buffer.from(value ?? []).toString())]);
  }
  return { done: records.length, pauseMs: 0 };
};

const consume = async (): Promise<void> => {
  const driver = await open();
  await driver.consume({ group, topics: [topic], handle, settle: async () => undefined });
};

/** Publishes numbers of each key, from a process that begins with it and ends behind it, as the relays of a service do. */
const publishFromNewProcess = async (from: number): Promise<void> => {
  const driver = await open();
  for (let number = from; number < from + ROUNDS; number += 1) {
    await driver.publish(Array.from({ length: KEYS }, (_, key) => ({ topic, key: `key-${key}`, value: String(number) })));
  }
  await driver.close();
};

const countOfPartitions = async (): Promise<number | undefined> => {
  const inspector = await KafkaInspector.connect(connection);
  try {
    return (await inspector.topics([topic]))[0]?.partitions;
  } finally {
    inspector.close();
  }
};

const add = (count: number, drainMs?: number) =>
  addKafkaPartitions({
    connection,
    topics: [{ topic, groups: [group] }],
    partitions: count,
    progress: () => undefined,
    ...(drainMs !== undefined && { drainMs }),
  });

beforeEach(async () => {
  connection = newConnection();
  drivers = [];
  handled = new Map();
  partitions = new Set();
  await createTopics(connection, [topic], 3);
});
afterEach(async () => {
  await Promise.all(drivers.map((driver) => driver.close()));
  await removeTopics(connection);
});

test('partitions are added behind the last message, and those of each key stay in order over both', async () => {
  await publishFromNewProcess(0);
  await consume();
  expect(await add(6)).toEqual([topic]);
  // Whatever was there before has been handled before a partition was added.
  expect([...handled.values()].every((numbers) => numbers.length === ROUNDS)).toBe(true);
  expect([...partitions].sort()).toEqual([0, 1, 2]);
  await publishFromNewProcess(ROUNDS);
  // A consumer that ran before finds the new partitions by itself within five minutes, one that is started at once.
  await drivers[1]?.close();
  await consume();
  const all = Array.from({ length: 2 * ROUNDS }, (_, number) => number);
  await until(() => [...handled.values()].every((numbers) => numbers.length >= all.length), { within: 60_000 });
  expect(handled.size).toBe(KEYS);
  for (const numbers of handled.values()) expect(numbers).toEqual(all);
  expect([...partitions].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await countOfPartitions()).toBe(6);
  expect(await add(6)).toEqual([]);
});

test('while a consumer has not finished, no partition is added', async () => {
  const publisher = await open();
  await publisher.publish([{ topic, key: 'k', value: '1' }]);
  await expect(add(6, 3000)).rejects.toThrow('did not come to rest; consumers have not finished: g of a.v1');
  expect(await countOfPartitions()).toBe(3);
});

test('while a publisher is not off, no partition is added', async () => {
  await consume();
  const publisher = await open();
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
