import { describe, expect, jest, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { describeBusDriver } from './driver.conformance.ts';
import type { BusDriver, LogRecord } from './driver.ts';
import { openKafkaBus } from './kafka-driver.ts';
import { createKafkaTopics } from './kafka-topics.ts';
import { createTopics, newConnection, removeTopics } from './testing/kafka-test-cluster.ts';
import { useKafka } from './testing/use-kafka.ts';

jest.setTimeout(60_000);

describeBusDriver(
  'kafka',
  async () => {
    const connection = newConnection();
    return {
      open: () => openKafkaBus({ connection, logger: silentLogger }),
      prepare: async (topics) => {
        await createTopics(connection, topics);
      },
      destroy: () => removeTopics(connection),
    };
  },
  { deadlineMs: 30_000 },
);

const text = (record: LogRecord): string => Buffer.from(record.value ?? []).toString('utf8');

describe('kafka', () => {
  const kafka = useKafka();

  test('takes tombstones', async () => {
    await createTopics(kafka.connection, ['states.v1'], 1);
    const driver = await kafka.open();
    await driver.publish([{ topic: 'states.v1', key: 'a', value: '1' }]);
    await driver.publish([{ topic: 'states.v1', key: 'a', value: null }]);
    const records = await driver.peek({ group: 'g', topic: 'states.v1', limit: 10 });
    expect(records.map(({ key, value }) => [key, value && String(value)])).toEqual([
      ['a', '1'],
      ['a', null],
    ]);
  });

  test('creates topics with their dead-letter topics once, with their settings', async () => {
    const topic = `${kafka.connection.prefix}orders.v1`;
    expect(await createTopics(kafka.connection, ['orders.v1'], 3)).toEqual([topic, `${topic}.dlq`]);
    expect(await createTopics(kafka.connection, ['orders.v1'], 3)).toEqual([]);
    await kafka.withAdmin(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic, `${topic}.dlq`] });
      expect(topics.map(({ partitions }) => partitions.length)).toEqual([3, 3]);
      const { resources } = await admin.describeConfigs({
        resources: [topic, `${topic}.dlq`].map((name) => ({ type: 2, name })),
        includeSynonyms: false,
      });
      const settings = resources.map(({ configEntries }) => new Map(configEntries.map((entry) => [entry.configName, entry.configValue])));
      expect(settings.map((of) => of.get('retention.ms'))).toEqual([String(7 * 86_400_000), String(30 * 86_400_000)]);
      expect(settings.map((of) => of.get('message.timestamp.type'))).toEqual(['LogAppendTime', 'LogAppendTime']);
      expect(settings.map((of) => of.get('compression.type'))).toEqual(['uncompressed', 'uncompressed']);
      expect(settings.every((of) => Number(of.get('max.message.bytes')) >= 1_048_576)).toBe(true);
    });
  });

  test('keeps the newest state of each forecast for systems of warehouses, without a dead-letter topic', async () => {
    const topic = `${kafka.connection.prefix}${topics.warehouseExpected}`;
    expect(await createTopics(kafka.connection, [topics.warehouseExpected], 3)).toEqual([topic]);
    const differing: unknown[] = [];
    const noting: Logger = { ...silentLogger, warn: (fields: LogFields) => void ('topic' in fields && differing.push(fields)) };
    const again = {
      connection: kafka.connection,
      topics: [topics.warehouseExpected],
      partitions: 3,
      replicationFactor: 1,
      minInsyncReplicas: 1,
    };
    expect(await createKafkaTopics({ ...again, logger: noting })).toEqual([]);
    expect(differing).toEqual([]);
    await kafka.withAdmin(async (admin) => {
      const { resources } = await admin.describeConfigs({ resources: [{ type: 2, name: topic }], includeSynonyms: false });
      const settings = new Map(resources[0]?.configEntries.map((entry) => [entry.configName, entry.configValue]));
      expect([settings.get('cleanup.policy'), settings.get('retention.ms')]).toEqual(['compact,delete', String(365 * 86_400_000)]);
    });
  });

  test('says which topics have fewer partitions than declared, and does not add to them', async () => {
    await createTopics(kafka.connection, ['orders.v1'], 2);
    const refused = createTopics(kafka.connection, ['orders.v1', 'parcels.v1'], 3);
    await expect(refused).rejects.toThrow(`${kafka.connection.prefix}orders.v1 has 2, ${kafka.connection.prefix}orders.v1.dlq has 2`);
    await kafka.withAdmin(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({
        topics: ['orders.v1', 'parcels.v1'].map((topic) => `${kafka.connection.prefix}${topic}`),
      });
      expect(topics.map(({ name, partitions }) => [name.slice(kafka.connection.prefix?.length), partitions.length]).sort()).toEqual([
        ['orders.v1', 2],
        ['parcels.v1', 3],
      ]);
    });
  });

  test('says that a topic is missing, and consumes it once it has been made', async () => {
    const driver = await kafka.open({ consumerSilenceMs: 0 });
    const missing = `Kafka has no topic ${kafka.connection.prefix}late.v1`;
    const seen = await kafka.collect(driver, 'g', ['late.v1']);
    await expect(driver.publish([{ topic: 'late.v1', key: 'k', value: 'x' }])).rejects.toThrow(missing);
    await expect(driver.lag({ group: 'g', topic: 'late.v1' })).rejects.toThrow(missing);
    await expect(driver.peek({ group: 'g', topic: 'late.v1', limit: 1 })).rejects.toThrow(missing);
    await until(() => kafka.lines.some((line) => line.includes('Kafka has no topic')), { what: 'the consumer says so' });
    await expect(driver.check()).rejects.toThrow(missing);
    await kafka.withAdmin(async (admin) => {
      expect((await admin.listTopics()).filter((name) => name.includes(kafka.connection.prefix as string))).toEqual([]);
    });

    await createTopics(kafka.connection, ['late.v1']);
    await driver.publish([{ topic: 'late.v1', key: 'k', value: 'x' }]);
    await until(() => seen.length === 1, { what: 'the record' });
    expect(kafka.lines.filter((line) => line.includes('Kafka has no topic'))).toHaveLength(1);
  });

  test('a record that a topic does not take fails alone', async () => {
    await createTopics(kafka.connection, ['a.v1']);
    const driver = await kafka.open();
    const [good, large, unknown, other] = await Promise.allSettled([
      driver.publish([{ topic: 'a.v1', key: 'k', value: 'one' }]),
      driver.publish([{ topic: 'a.v1', key: 'k', value: Buffer.alloc(3_000_000) }]),
      driver.publish([{ topic: 'none.v1', key: 'k', value: 'x' }]),
      driver.publish([{ topic: 'a.v1', key: 'k', value: 'two' }]),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(large).toMatchObject({ status: 'rejected', reason: { code: '41301' } });
    expect(unknown).toMatchObject({ status: 'rejected', reason: { code: '50301' } });
    expect(other.status).toBe('fulfilled');
    expect((await driver.peek({ group: 'g', topic: 'a.v1', limit: 10 })).map(text)).toEqual(['one', 'two']);
  });

  test('one publish may be larger than one request', async () => {
    await createTopics(kafka.connection, ['a.v1']);
    const driver = await kafka.open();
    const values = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
    await driver.publish(values.map((value) => ({ topic: 'a.v1', key: 'k', value })));
    expect((await driver.peek({ group: 'g', topic: 'a.v1', limit: 100 })).map(text)).toEqual(values);
  });

  test('consumers of one group with different topics read all of them', async () => {
    await createTopics(kafka.connection, ['a.v1', 'b.v1']);
    const [first, second] = await Promise.all([kafka.open(), kafka.open()]);
    const ofA = await kafka.collect(first as BusDriver, 'g', ['a.v1']);
    const ofB = await kafka.collect(second as BusDriver, 'g', ['b.v1']);
    const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
    await (first as BusDriver).publish(keys.flatMap((key) => ['a.v1', 'b.v1'].map((topic) => ({ topic, key, value: key }))));
    await until(() => ofA.length === 50 && ofB.length === 50, { what: 'both topics' });
    expect(new Set(ofA.map((record) => record.topic))).toEqual(new Set(['a.v1']));
    expect(new Set(ofB.map((record) => record.topic))).toEqual(new Set(['b.v1']));
  });

  test('goes on with the oldest record when those before have been deleted', async () => {
    await createTopics(kafka.connection, ['a.v1']);
    const driver = await kafka.open();
    const publish = (values: readonly string[]) => driver.publish(values.map((value) => ({ topic: 'a.v1', key: 'k', value })));
    await publish(['1', '2', '3', '4']);
    const [first] = await driver.peek({ group: 'g', topic: 'a.v1', limit: 1 });
    await driver.commit({ group: 'g', records: [first as LogRecord] });
    await kafka.withAdmin(async (admin) => {
      const topic = `${kafka.connection.prefix}a.v1`;
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: first?.partition ?? 0, offset: '3' }] });
    });
    expect(await driver.lag({ group: 'g', topic: 'a.v1' })).toBe(1);
    expect((await driver.peek({ group: 'g', topic: 'a.v1', limit: 9 })).map(text)).toEqual(['4']);
    const seen = await kafka.collect(driver, 'g', ['a.v1']);
    await publish(['5']);
    await until(() => seen.length === 2, { what: 'the rest' });
    expect(seen.map(text)).toEqual(['4', '5']);
  });
});
