import { randomUUID } from 'node:crypto';
import { endAfter } from '../child-server.ts';
import { createKafka } from './kafka-client.ts';
import { openScratch } from './mongo-scratch.ts';

/*
 * A consumer as one would write it: kafkajs, eachMessage, all partitions at once, one insertOne acknowledged by the
 * majority for each message. Nothing is checked, matched or published. Arguments: topic, messages in it, partitions.
 * Prints { perSecond, cpuMicroseconds }, from the first message to the last; CPU is that of one message.
 */

endAfter(120_000);
const [topic = '', messages = '1', partitions = '12'] = process.argv.slice(2);
const { collection, close } = await openScratch(Number(partitions));
const consumer = createKafka().consumer({ groupId: `bench-${randomUUID()}`, allowAutoTopicCreation: false });

let started = 0;
let cpu = process.cpuUsage();
let count = 0;
let finish: () => void = () => undefined;
const finished = new Promise<void>((resolve) => {
  finish = resolve;
});

await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: Number(partitions),
  eachMessage: async ({ partition, message }) => {
    if (started === 0) {
      started = performance.now();
      cpu = process.cpuUsage();
    }
    await collection.insertOne({ _id: `${partition} ${message.offset}`, key: message.key?.toString(), value: message.value?.toString() });
    count += 1;
    if (count === Number(messages)) finish();
  },
});
await finished;
const perSecond = (count * 1000) / (performance.now() - started);
const { user, system } = process.cpuUsage(cpu);
await consumer.disconnect();
await close();
process.stdout.write(`${JSON.stringify({ perSecond, cpuMicroseconds: (user + system) / count })}\n`);
process.exit(0);
