import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Batch, Broker, Cluster, KafkaMessage } from 'kafkajs';
import { KafkaFetchGuard } from './kafka-fetch-guard.ts';
import { KafkaFetchPace } from './kafka-fetch-pace.ts';

describe('fetch guard', () => {
  let cluster: Cluster;
  let guard: KafkaFetchGuard;
  let asked: number;
  /** Called while a broker works on its response. */
  let meanwhile: () => void;

  beforeEach(() => {
    asked = 0;
    meanwhile = () => undefined;
    const broker = {
      isConnected: () => true,
      fetch: async () => {
        asked += 1;
        meanwhile();
        return { responses: [{ partitions: [{ messages: [{ offset: '1' }] }] }] };
      },
    } as unknown as Broker;
    cluster = { findBroker: async () => broker } as unknown as Cluster;
    guard = new KafkaFetchGuard(cluster, new KafkaFetchPace());
  });

  const find = () => cluster.findBroker({ nodeId: '1' });
  const messagesOf = (response: { responses: { partitions: { messages: KafkaMessage[] }[] }[] }): KafkaMessage[] | undefined =>
    response.responses[0]?.partitions[0]?.messages;
  const fetch = async (): Promise<KafkaMessage[] | undefined> => messagesOf(await (await find()).fetch({ topics: [] }));

  test('lets the responses of an assignment through, and all else of a broker', async () => {
    guard.begin();
    guard.end();
    expect(await fetch()).toHaveLength(1);
    expect((await find()).isConnected()).toBe(true);
  });

  test('asks no broker before the first assignment and during a join', async () => {
    expect(await fetch()).toBeUndefined();
    guard.begin();
    expect(await fetch()).toBeUndefined();
    guard.end();
    guard.begin();
    expect(await fetch()).toBeUndefined();
    expect(asked).toBe(0);
  });

  test('drops what was asked with the positions of an earlier assignment', async () => {
    guard.begin();
    guard.end();
    const broker = await find();
    meanwhile = () => {
      guard.begin();
      guard.end();
    };
    expect(await fetch()).toBeUndefined();
    expect(messagesOf(await broker.fetch({ topics: [] }))).toBeUndefined();
    expect(asked).toBe(1);
  });

  test('takes back what waits to be processed when a join begins', async () => {
    guard.begin();
    guard.end();
    const rawMessages = await fetch();
    const batch = { rawMessages } as unknown as Batch;
    expect(guard.isOutdated(batch)).toBe(false);
    guard.begin();
    expect(guard.isOutdated(batch)).toBe(true);
  });

  test('of two joins at the same time, what was fetched after the first is dropped with the second', async () => {
    guard.begin();
    guard.begin();
    expect(guard.end()).toBe(true);
    const batch = { rawMessages: await fetch() } as unknown as Batch;
    expect(guard.isOutdated(batch)).toBe(false);
    expect(guard.end()).toBe(false);
    expect(guard.isOutdated(batch)).toBe(true);
    expect(guard.settled).toBe(true);
  });
});
