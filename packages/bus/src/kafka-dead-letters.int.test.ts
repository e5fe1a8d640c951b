import { expect, jest, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { systemClock } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { CompressionTypes, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { createBus } from './create-bus.ts';
import { createTopics } from './testing/kafka-test-cluster.ts';
import { useKafka } from './testing/use-kafka.ts';

/* Dead letters on a real cluster: what the conformance suite of all drivers does not cover. */

jest.setTimeout(60_000);

const kafka = useKafka();

test('a message that is small only while compressed is refused, and on a topic that accepts it does not block what follows', async () => {
  await createTopics(kafka.connection, [topics.forecast]);
  const topic = `${kafka.connection.prefix}${topics.forecast}`;
  const producer = new Kafka({ brokers: [...kafka.connection.brokers], logLevel: logLevel.NOTHING, retry: { retries: 2 } }).producer();
  await producer.connect();
  const send = (value: string) => producer.send({ topic, compression: CompressionTypes.GZIP, messages: [{ key: 'k', value }] });
  try {
    await expect(send('{'.repeat(5_000_000))).rejects.toThrow();
    await kafka.withAdmin(async (admin) => {
      const configEntries = ['producer', '2097152'].map((value, index) => ({
        name: index ? 'max.message.bytes' : 'compression.type',
        value,
      }));
      await admin.alterConfigs({ validateOnly: false, resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }] });
    });
    await until(
      () =>
        send('{'.repeat(5_000_000)).then(
          () => true,
          () => false,
        ),
      { what: 'the topic accepts the message' },
    );
    await send('[');
  } finally {
    await producer.disconnect();
  }
  const bus = createBus({ driver: await kafka.open(), logger: kafka.logger, clock: systemClock });
  await bus.subscribe('g', { 'forecast.cancelled': async () => undefined });
  await until(async () => (await bus.deadLetters(topics.forecast, 10)).length === 2, { what: 'two dead letters' });
  const deadLetters = await bus.deadLetters(topics.forecast, 10);
  expect(deadLetters.map(({ record }) => [record.headers['dlq-truncated'], record.value?.byteLength])).toEqual([
    ['true', 65_536],
    [undefined, 1],
  ]);
  await until(async () => (await bus.lag('g', topics.forecast)) === 0, { what: 'nothing open' });
  await expect(bus.redrive(topics.forecast, 10)).rejects.toMatchObject({ code: '40902' });
});
