import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Broker, Cluster } from 'kafkajs';
import { KafkaFetches } from './kafka-fetches.ts';

describe('fetches', () => {
  let cluster: Cluster;
  let fetches: KafkaFetches;
  let asked: number;
  /** What the broker responds with: so many records, each so large. */
  let response: { records: number; bytes: number };
  /** Called while the broker works on its response. */
  let meanwhile: () => void | Promise<void>;

  const open = (isUnhurried: boolean): void => {
    const broker = {
      isConnected: () => true,
      fetch: async () => {
        asked += 1;
        await meanwhile();
        const messages = Array.from({ length: response.records }, () => ({ value: Buffer.alloc(response.bytes) }));
        return { responses: [{ partitions: [{ messages }] }] };
      },
    } as unknown as Broker;
    cluster = { findBroker: async () => broker } as unknown as Cluster;
    fetches = new KafkaFetches(cluster, isUnhurried);
    fetches.begin();
    fetches.end();
  };

  beforeEach(() => {
    jest.useFakeTimers();
    asked = 0;
    response = { records: 1, bytes: 1 };
    meanwhile = () => undefined;
    open(false);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Records that a fetch brings, up to a second later. */
  const fetch = async (): Promise<number> => {
    const broker = await cluster.findBroker({ nodeId: '1' });
    const fetching = broker.fetch({ topics: [] });
    await jest.advanceTimersByTimeAsync(1000);
    return (await fetching).responses.flatMap(({ partitions }: { partitions: { messages: unknown[] }[] }) => partitions[0]?.messages)
      .length;
  };

  test.each([
    ['at once after a response without records', 0, 0],
    ['a moment after a response with one record', 1, 15],
    ['later after one with two', 2, 20],
    ['a longer moment after one with more', 50, 25],
    ['at once in a backlog', 51, 0],
    ['at once in a backlog of large records', 4, 0, 150_000],
    ['400 ms after a response for a group that nobody waits for', 200, 400, 1, true],
    ['at once after a full batch for it', 201, 0, 1, true],
  ])('a broker is asked %s', async (_name, records, waited, bytes = 1, isUnhurried = false) => {
    open(isUnhurried);
    response = { records, bytes };
    const broker = await cluster.findBroker({ nodeId: '1' });
    await broker.fetch({ topics: [] });
    void broker.fetch({ topics: [] });
    if (waited > 0) {
      await jest.advanceTimersByTimeAsync(waited - 1);
      expect(asked).toBe(1);
    }
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toBe(2);
  });

  test('a response behind a join does not count, nor does one of a fetch that was chosen before it', async () => {
    meanwhile = () => fetches.begin();
    expect(await fetch()).toBe(0);
    meanwhile = () => undefined;
    fetches.end();
    const chosenBefore = await cluster.findBroker({ nodeId: '1' });
    fetches.begin();
    fetches.end();
    const late = chosenBefore.fetch({ topics: [] });
    await jest.advanceTimersByTimeAsync(1000);
    expect([(await late).responses, asked]).toEqual([[], 1]);
    expect(await fetch()).toBe(1);
  });

  test('of two joins at the same time, what was fetched after the first does not count after the second', async () => {
    fetches.begin();
    fetches.begin();
    expect([fetches.end(), fetches.settled]).toEqual([true, true]);
    meanwhile = () => {
      expect(fetches.end()).toBe(false);
    };
    expect(await fetch()).toBe(0);
    expect(fetches.settled).toBe(true);
  });

  test('a wake ends what waits for a broker, and nothing that comes later', async () => {
    meanwhile = () => new Promise(() => undefined);
    const waiting = fetch();
    await jest.advanceTimersByTimeAsync(0);
    fetches.wake();
    expect(await waiting).toBe(0);
    meanwhile = () => undefined;
    expect(await fetch()).toBe(1);
    fetches.stop();
    expect(await fetch()).toBe(0);
  });

  describe('when the coordinator refuses a heartbeat', () => {
    let refusal: Error | undefined;
    let heartbeat: () => Promise<unknown>;

    beforeEach(() => {
      refusal = Object.assign(new Error('rebalance'), { type: 'REBALANCE_IN_PROGRESS' });
      const coordinator = {
        nodeId: 1,
        heartbeat: async () => {
          if (refusal) throw refusal;
          return 'fine';
        },
      } as unknown as Broker;
      const watched = fetches.watch(coordinator) as Broker & { readonly nodeId: number; heartbeat(request: object): Promise<unknown> };
      expect(watched.nodeId).toBe(1);
      heartbeat = () => watched.heartbeat({});
    });

    test('asks again after a heartbeat that it takes: then there is no join', async () => {
      await expect(heartbeat()).rejects.toBe(refusal);
      expect(await fetch()).toBe(0);
      refusal = undefined;
      expect(await heartbeat()).toBe('fine');
      expect(await fetch()).toBe(1);
    });

    test('takes a coordinator that does not respond twice in a row for moved: kafkajs looks for it at joins only', async () => {
      refusal = Object.assign(new Error('closed'), { name: 'KafkaJSConnectionClosedError' });
      await expect(heartbeat()).rejects.toBe(refusal);
      const lost = refusal;
      refusal = undefined;
      await heartbeat();
      refusal = lost;
      await expect(heartbeat()).rejects.toBe(refusal);
      for (let times = 0; times < 2; times += 1)
        await expect(heartbeat()).rejects.toMatchObject({ type: 'NOT_COORDINATOR_FOR_GROUP', cause: lost });
    });

    test('asks on when the refusal is of a time before the join', async () => {
      const refused = heartbeat();
      fetches.begin();
      fetches.end();
      await expect(refused).rejects.toBe(refusal);
      expect(await fetch()).toBe(1);
    });
  });
});
