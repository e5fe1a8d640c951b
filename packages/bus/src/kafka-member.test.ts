import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { type FetchRequest, refusal, respondTo, StubCluster, useStubCluster } from './testing/stub-cluster.ts';

const consume = useStubCluster();

/** A broker that has one record in each of the partitions that it leads. */
class OneBroker extends StubCluster {
  /** Joins and leaves in the order in which the broker heard of them. */
  readonly heard: string[] = [];
  /** Generation and partition of each commit. */
  readonly commits: (readonly [number, number])[] = [];
  /** The member that the group waits for before it completes a join. */
  missed: string | undefined;
  #complete: () => void = () => undefined;
  override leaders: Readonly<Record<number, number>> = { 0: 1 };

  override async join(memberId: string): Promise<string> {
    const name = memberId || `m${this.generation + 1}`;
    this.heard.push(`join ${name}`);
    if (this.missed !== undefined && this.missed !== name && !this.heard.includes(`leave ${this.missed}`)) {
      await new Promise<void>((resolve) => {
        this.#complete = resolve;
      });
    }
    this.missed = name;
    return name;
  }
  override async sync(): Promise<void> {
    this.heard.push('sync');
  }
  override async leave(memberId: string): Promise<void> {
    this.heard.push(`leave ${memberId}`);
    if (memberId === this.missed) this.#complete();
  }
  override async commit(generation: number, partition: number): Promise<void> {
    this.commits.push([generation, partition]);
  }
  async fetch(_nodeId: string, request: FetchRequest): Promise<unknown> {
    await sleep(5);
    return respondTo(request, () => 1);
  }
}

describe('a member of a group', () => {
  test('writes no position of one generation in the name of the next', async () => {
    class Rebalancing extends OneBroker {
      #isRebalancing = false;
      override async heartbeat(): Promise<void> {
        if (this.#isRebalancing && this.generation === 1) throw refusal('REBALANCE_IN_PROGRESS');
      }
      override async commit(generation: number, partition: number): Promise<void> {
        await super.commit(generation, partition);
        if (generation > 1) return;
        // The partition goes to another member.
        this.leaders = { 1: 1 };
        this.#isRebalancing = true;
        await until(() => this.heard.filter((what) => what === 'sync').length > 1, { what: 'the second generation' });
        throw refusal('NOT_COORDINATOR_FOR_GROUP');
      }
    }
    const broker = new Rebalancing();
    consume(broker);
    await until(() => broker.commits.some(([, partition]) => partition === 1), {
      what: 'a commit of the second generation',
      within: 15_000,
    });
    expect(broker.commits.filter(([generation, partition]) => generation > 1 && partition === 0)).toEqual([]);
  });

  test('takes the place of one that failed when the group knows of it, so that the group is never empty', async () => {
    class Failing extends OneBroker {
      override async fetch(nodeId: string, request: FetchRequest): Promise<unknown> {
        if (this.generation === 1) throw Object.assign(new Error('for good'), { retriable: false });
        return super.fetch(nodeId, request);
      }
    }
    const broker = new Failing();
    consume(broker);
    await until(() => broker.commits.length > 0, { what: 'a commit of the second member', within: 15_000 });
    expect(broker.heard).toEqual(['join m1', 'sync', 'join m2', 'leave m1', 'sync']);
  });

  test('takes the place of the process that was killed under its name, and of no other', async () => {
    const broker = new OneBroker();
    broker.missed = 'killed';
    broker.members.set('killed', 'test@1#a').set('alive', 'test@2#b');
    consume(broker);
    await until(() => broker.commits.length > 0, { what: 'a commit' });
    expect(broker.heard).toEqual(['join m1', 'leave killed', 'sync']);
  });

  test('joins again as soon as one loop hears of a rebalance, while another broker still waits for a record', async () => {
    /** The first broker responds at once. The second never does, and the group rebalances once it has been asked. */
    class TwoBrokers extends StubCluster {
      refusedAt = 0;
      joinedAt = 0;
      #isWaiting = false;
      override async heartbeat(): Promise<void> {
        if (!this.#isWaiting || this.generation > 1) return;
        this.refusedAt ||= performance.now();
        throw refusal('REBALANCE_IN_PROGRESS');
      }
      override async join(memberId: string): Promise<string> {
        if (this.generation > 0) this.joinedAt = performance.now();
        return super.join(memberId);
      }
      async fetch(nodeId: string): Promise<unknown> {
        if (nodeId === '2') {
          this.#isWaiting = true;
          await new Promise(() => undefined);
        }
        await sleep(5);
        return { responses: [] };
      }
    }
    const cluster = new TwoBrokers();
    consume(cluster);
    await until(() => cluster.generation === 2, { what: 'the second join', within: 5000 });
    expect(cluster.joinedAt - cluster.refusedAt).toBeLessThan(250);
  });
});

const LOG_END = 600;
const FETCHED = 300;

/**
 * The first broker leads partition 0, which is empty, the second leads partition 1 with 600 records. While the second has the fetch behind the first 300
 * records before it, the first says that it leads no more, so the group is joined again; the second responds when that is over.
 */
class MovingCluster extends StubCluster {
  /** The first broker has said that it leads no more. */
  moved = false;
  /** Fetches that reached the second broker while the group was joined again. */
  askedMeanwhile = 0;
  readonly #joinMs: number;
  #joining = false;
  #waiting = false;
  #respond: () => void = () => undefined;

  /** @param joinMs time that the second join takes */
  constructor(joinMs: number) {
    super();
    this.#joinMs = joinMs;
  }

  override async join(memberId: string): Promise<string> {
    await sleep(this.generation > 0 ? this.#joinMs : 1);
    return super.join(memberId);
  }
  override async sync(): Promise<void> {
    this.#joining = false;
  }
  override async readPositions(): Promise<void> {
    if (this.generation > 1) this.#respond();
  }
  async fetch(nodeId: string, request: FetchRequest): Promise<unknown> {
    if (nodeId === '1' && this.#waiting && !this.moved) {
      this.moved = true;
      this.#joining = true;
      throw refusal('NOT_LEADER_FOR_PARTITION');
    }
    const isLate = nodeId === '2' && request.topics[0]?.partitions[0]?.fetchOffset === String(FETCHED) && !this.#waiting;
    if (nodeId === '2' && this.#joining) this.askedMeanwhile += 1;
    if (isLate) {
      this.#waiting = true;
      await new Promise<void>((resolve) => {
        this.#respond = resolve;
      });
    } else await sleep(5);
    return respondTo(request, (partition, from) => (partition === 1 ? Math.min(LOG_END, from + FETCHED) : 0));
  }
}

test.each([5, 700])('a response behind a join of %d ms does not count: each record is handled once', async (joinMs) => {
  const cluster = new MovingCluster(joinMs);
  const handled: number[] = [];
  consume(cluster, async (records) => {
    handled.push(...records.map(({ offset }) => Number(offset)));
    return { done: records.length, pauseMs: 0 };
  });
  await until(() => cluster.committed.get(1) === String(LOG_END), { what: 'all of the log', within: 15_000 });
  expect(handled).toEqual(Array.from({ length: LOG_END }, (_, offset) => offset));
  expect(cluster.generation).toBe(2);
  expect(cluster.askedMeanwhile).toBe(0);
});
