import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Batch, Broker, Cluster, KafkaMessage } from 'kafkajs';
import { KafkaFetchGuard } from './kafka-fetch-guard.ts';
import { KafkaFetchPace } from './kafka-fetch-pace.ts';

describe('fetch guard', () => {
  let cluster: Cluster;
  let guard: KafkaFetchGuard;
  let pace: KafkaFetchPace;
  let asked: number;
  /** Times that a broker was to wait for a record. */
  let maxWaits: (number | undefined)[];
  /** Called while a broker works on its response. */
  let meanwhile: () => void | Promise<void>;

  beforeEach(() => {
    asked = 0;
    maxWaits = [];
    meanwhile = () => undefined;
    const broker = {
      isConnected: () => true,
      fetch: async ({ maxWaitTime }: { readonly maxWaitTime?: number }) => {
        asked += 1;
        maxWaits.push(maxWaitTime);
        await meanwhile();
        return { responses: [{ partitions: [{ messages: [{ offset: '1' }] }] }] };
      },
    } as unknown as Broker;
    cluster = { findBroker: async () => broker } as unknown as Cluster;
    pace = new KafkaFetchPace();
    guard = new KafkaFetchGuard(cluster, pace);
  });

  /** Lets everything run that waits for nothing from outside. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const find = () => cluster.findBroker({ nodeId: '1' });
  const messagesOf = (response: { responses: { partitions: { messages: KafkaMessage[] }[] }[] }): KafkaMessage[] | undefined =>
    response.responses[0]?.partitions[0]?.messages;
  const fetch = async (): Promise<KafkaMessage[] | undefined> => messagesOf(await (await find()).fetch({ topics: [] }));

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

  describe('goes by the pace', () => {
    beforeEach(() => {
      guard.begin();
      guard.end();
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    test('asks when it is the turn of the broker, and not when that comes too late', async () => {
      let come = (): void => undefined;
      const turn = jest.spyOn(pace, 'turn').mockImplementation(
        () =>
          new Promise((resolve) => {
            come = resolve;
          }),
      );
      const [first, second] = [fetch(), settled()];
      await second;
      expect([asked, turn.mock.calls]).toEqual([0, [['1']]]);
      come();
      expect(await first).toHaveLength(1);
      const late = fetch();
      await settled();
      guard.begin();
      come();
      expect([await late, asked]).toEqual([undefined, 1]);
    });
  });

  describe('when the coordinator refuses a heartbeat', () => {
    let refusal: Error | undefined;
    let heartbeat: () => Promise<unknown>;

    beforeEach(() => {
      guard.begin();
      guard.end();
      refusal = Object.assign(new Error('rebalance'), { type: 'REBALANCE_IN_PROGRESS' });
      const coordinator = {
        nodeId: 1,
        heartbeat: async () => {
          if (refusal) throw refusal;
          return 'fine';
        },
      } as unknown as Broker;
      const watched = guard.watch(coordinator) as Broker & { readonly nodeId: number; heartbeat(request: object): Promise<unknown> };
      expect(watched.nodeId).toBe(1);
      heartbeat = () => watched.heartbeat({});
    });

    test('asks again after a heartbeat that it takes: then there is no join', async () => {
      await expect(heartbeat()).rejects.toBe(refusal);
      refusal = undefined;
      expect(await heartbeat()).toBe('fine');
      expect(await fetch()).toHaveLength(1);
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
      guard.begin();
      guard.end();
      await expect(refused).rejects.toBe(refusal);
      expect(await fetch()).toHaveLength(1);
    });
  });
});

describe('the pace of fetches', () => {
  let pace: KafkaFetchPace;

  beforeEach(() => {
    jest.useFakeTimers();
    pace = new KafkaFetchPace();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Milliseconds until the broker may be asked. */
  const waitOf = async (nodeId: string): Promise<number> => {
    const begun = performance.now();
    let waited: number | undefined;
    void pace.turn(nodeId).then(() => {
      waited = performance.now() - begun;
    });
    await jest.advanceTimersByTimeAsync(1000);
    return waited as number;
  };

  test.each([
    ['at once at first', undefined, 0],
    ['at once after a response without records', 0, 0],
    ['a moment after a response with one record', 1, 15],
    ['later after one with two', 2, 25],
    ['a longer moment after a response with some records', 3, 35],
    ['no later after one with more', 50, 35],
    ['at once in a backlog', 51, 0],
    ['at once in a backlog of large records', 4, 0, 600_000],
  ])('a broker is asked %s', async (_name, records, waited, bytes = 0) => {
    if (records !== undefined) pace.responded('1', records, bytes);
    expect(await waitOf('1')).toBe(waited);
  });

  test.each([
    ['400 ms after a response', 1, 400],
    ['400 ms after one with as many records as a batch', 200, 400],
    ['at once after one with more', 201, 0],
  ])('a broker is asked for a group that nobody waits for %s', async (_name, records, waited) => {
    pace = new KafkaFetchPace(true);
    pace.responded('1', records);
    expect(await waitOf('1')).toBe(waited);
  });

  test('a wake ends what waits for a broker or a turn, and nothing that comes later', async () => {
    pace.responded('1', 1);
    const waiting = [pace.turn('1'), pace.untilWoken(new Promise(() => undefined))];
    pace.wake();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect([await pace.untilWoken(Promise.resolve(1)), pace.isStopped]).toEqual([1, false]);
    expect(await waitOf('1')).toBe(15);
  });
});
