import { announceReady } from '../child-server.ts';
import { createKafka } from './kafka-client.ts';
import { openScratch } from './mongo-scratch.ts';

/*
 * A consumer as one would write it: kafkajs, eachMessage, all partitions at once, one insertOne acknowledged by the
 * majority for each message. Nothing is checked, matched or published. Works until it is stopped.
 * Arguments: topic, group, partitions.
 */

const [topic = '', groupId = '', partitions = '12'] = process.argv.slice(2);
const { collection, close } = await openScratch(Number(partitions));
const consumer = createKafka().consumer({ groupId, allowAutoTopicCreation: false });

process.on('SIGTERM', () => {
  consumer
    .disconnect()
    .then(close)
    .finally(() => process.exit(0));
});
consumer.on(consumer.events.GROUP_JOIN, () => announceReady({}));
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: Number(partitions),
  eachMessage: async ({ partition, message }) => {
    await collection.insertOne({ _id: `${partition} ${message.offset}`, key: message.key?.toString(), value: message.value?.toString() });
  },
});
