// Removes what an installation has on its servers: databases, topics, consumer groups, objects, Redis keys. For tests,
// which make one per platform. Reads the variables of the platform; RESOURCE_PREFIX and KAFKA_PREFIX say which installation.

import { Redis } from 'ioredis';
import kafkajs from 'kafkajs';
import { Client } from 'minio';
import { mongo } from 'mongoose';
import { messageOf } from './caught-error.ts';

/** A variable of the platform. @throws Error when it is not set */
function needed(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: RESOURCE_PREFIX and KAFKA_PREFIX say which installation to remove, the others where its servers are`,
    );
  return value;
}

const prefix = needed('RESOURCE_PREFIX');
const kafkaPrefix = needed('KAFKA_PREFIX');

async function removeDatabases() {
  const client = await mongo.MongoClient.connect(needed('MONGODB_URL'), { serverSelectionTimeoutMS: 5000 });
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const ours = databases.filter(({ name }) => name.startsWith(`${prefix}-`));
    await Promise.all(ours.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}

async function removeTopics() {
  const kafka = new kafkajs.Kafka({
    brokers: needed('KAFKA_BROKERS').split(','),
    logLevel: kafkajs.logLevel.NOTHING,
    connectionTimeout: 5000,
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(kafkaPrefix));
    if (topics.length > 0) await admin.deleteTopics({ topics, timeout: 10_000 });
    const { groups } = await admin.listGroups();
    const ours = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(kafkaPrefix));
    // Members that were killed count until their session is over; such a group goes by the cluster's own retention.
    if (ours.length > 0) await admin.deleteGroups(ours).catch((error) => console.error(`Groups are left: ${messageOf(error)}`));
  } finally {
    await admin.disconnect();
  }
}

async function removeObjects() {
  const { hostname, port, protocol } = new URL(needed('S3_ENDPOINT'));
  const useSSL = protocol === 'https:';
  const client = new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    region: process.env.S3_REGION ?? 'us-east-1',
    accessKey: needed('S3_ACCESS_KEY'),
    secretKey: needed('S3_SECRET_KEY'),
  });
  if (!(await client.bucketExists(prefix))) return;
  const names: string[] = [];
  for await (const { name } of client.listObjectsV2(prefix, '', true) as AsyncIterable<{ name: string }>) names.push(name);
  if (names.length > 0) await client.removeObjects(prefix, names);
  await client.removeBucket(prefix);
}

async function removeKeys() {
  const redis = new Redis(needed('REDIS_URL'), { maxRetriesPerRequest: 1, commandTimeout: 5000 });
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 500);
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
}

const outcomes = await Promise.allSettled([removeDatabases(), removeTopics(), removeObjects(), removeKeys()]);
for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(String(outcome.reason));
process.exitCode = outcomes.some(({ status }) => status === 'rejected') ? 1 : 0;
