import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { announceReady } from '../child-server.ts';
import { createKafka } from './kafka-client.ts';

/*
 * The shortest way from a topic to a receiver: a kafkajs consumer that POSTs each message as it is. Nothing is stored,
 * checked, signed or tried again. Arguments: topic, origin of the receiver, partitions, and perhaps the group.
 */

const [topic = '', origin = '', partitions = '12', groupId = `bench-${randomUUID()}`] = process.argv.slice(2);
const receiver = new Pool(origin, { connections: 50, headersTimeout: 10_000 });
const consumer = createKafka().consumer({ groupId, allowAutoTopicCreation: false });

process.on('SIGTERM', () => {
  consumer
    .disconnect()
    .then(() => receiver.close())
    .finally(() => process.exit(0));
});
consumer.on(consumer.events.GROUP_JOIN, () => announceReady({}));
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: false });
await consumer.run({
  partitionsConsumedConcurrently: Number(partitions),
  eachMessage: async ({ message }) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const response = await receiver.request({ method: 'POST', path: '/', headers, body: message.value ?? '' });
    await response.body.dump();
  },
});
