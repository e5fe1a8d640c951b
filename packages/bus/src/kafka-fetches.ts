import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker, Cluster } from 'kafkajs';
import { MAX_BATCH } from './driver.ts';
import { protocolErrorOf } from './kafka-errors.ts';

/** How long records gather after a response with one record, and how much longer for each further one, up to a limit; milliseconds. */
const GATHER = { firstMs: 15, furtherMs: 5, maxMs: 25 } as const;
/** How long records of a group gather that nobody waits for. */
const UNHURRIED_GATHER_MS = 400;
/** After a response with more than this there is a backlog, and nothing to wait for. More records of an unhurried group come in the time that it gathers. */
const BACKLOG = { records: 50, unhurried: MAX_BATCH, bytes: 500_000 } as const;
/**
 * A broker responds as soon as there is a record, or after this time. So late a member notices that the group rebalances, and the others wait for
 * it. And so late a broker responds to the next fetch after one that was ended here, because it serves a connection in order.
 */
const WAIT_MS = 750;
/** The same of a member that has had no record for {@link IDLE_AFTER_MS}: nobody waits for anything, and each fetch costs. */
const IDLE_WAIT_MS = 3000;
const IDLE_AFTER_MS = 10_000;
/** The same while a partition is left out of the fetches: how late it may come in again. */
const LEFT_OUT_WAIT_MS = 250;
/** A fetch during a join, or after the stop, takes this long; without any wait the loops of kafkajs would spin. */
const NO_FETCH_MS = 50;
/** So many heartbeats in a row without a response mean that the coordinator is lost: the first may fail with a connection that only has to be renewed. */
const LOST_AT = 2;

/** The part of a fetch response that is read here. */
interface FetchResponse {
  readonly responses: readonly { readonly partitions: readonly { readonly messages: readonly { readonly value: Buffer | null }[] }[] }[];
}

/** The types of kafkajs leave this one out. */
type Coordinator = Broker & { heartbeat(request: object): Promise<unknown> };

/**
 * Decides when a member asks a broker for records, how long the broker may wait for one, and which responses count.
 *
 * kafkajs fetches from each broker in a loop of its own. A loop that joins the group again leaves the others going, whose responses, to questions from
 * the old positions, come after the join: they are dropped. And it joins because of a heartbeat only when all loops have ended, while each member
 * waits for the join of all others: so a heartbeat that is refused ends the fetches under way.
 */
export class KafkaFetches {
  readonly #isUnhurried: boolean;
  /** Joins that were begun, and how many it were when one ended last. */
  #begun = 0;
  #ended = 0;
  /** True from a heartbeat that failed to the next one that does not, or to the next join: kafkajs is about to end its loops. */
  #isRefused = false;
  #isStopped = false;
  /** How many partitions are left out of the fetches for now. */
  leftOut = 0;
  /** When each broker may be asked again, by its id, and when records came last; instants of `performance.now()`. */
  readonly #turns = new Map<string, number>();
  #recordsAt = Number.NEGATIVE_INFINITY;
  /** What ends each of the waits under way. */
  readonly #waits = new Set<() => void>();

  /**
   * Changes `findBroker` of the cluster, which kafkajs calls right after it has worked out the positions of a fetch.
   * @param isUnhurried nobody waits for the group
   */
  constructor(cluster: Cluster, isUnhurried: boolean) {
    this.#isUnhurried = isUnhurried;
    const findBroker = cluster.findBroker.bind(cluster);
    cluster.findBroker = async (node) => {
      const joins = this.settled ? this.#begun : undefined;
      const broker = await findBroker(node);
      return withMethods(broker, {
        fetch: (request: Parameters<Broker['fetch']>[0]) => this.#fetch(broker, String(node.nodeId), request, joins),
      });
    };
  }

  /** True while the partitions are ours: not before the first assignment and not during a rebalance. */
  get settled(): boolean {
    return this.#begun > 0 && this.#ended === this.#begun;
  }

  /** A join begins: no response to an earlier question counts any more. */
  begin(): void {
    this.#begun += 1;
    this.#isRefused = false;
  }

  /**
   * A join has ended with an assignment.
   * @returns false when another one that began meanwhile had ended before: what was taken since then belongs to an assignment that was never returned
   */
  end(): boolean {
    const first = !this.settled;
    if (!first) this.begin();
    this.#ended = this.#begun;
    return first;
  }

  /**
   * Ends the waits under way: what the brokers respond does not count any more. The next fetch waits behind the one that was ended, and has to end within
   * the time of a request all the same, so it is short.
   */
  wake(): void {
    this.#recordsAt = performance.now();
    for (const end of this.#waits) end();
  }

  /** Ends all waiting, and asks no broker any more. */
  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  /**
   * The coordinator of the group as kafkajs is to use it: its responses to heartbeats are heard here first. A lost one counts as moved, because kafkajs
   * asks who the coordinator is at joins only, and would try the lost one until it ends itself.
   */
  watch(coordinator: Broker): Broker {
    let lost = 0;
    const heartbeat = async (request: object): Promise<unknown> => {
      const joins = this.#begun;
      try {
        const response = await (coordinator as Coordinator).heartbeat(request);
        this.#isRefused = false;
        lost = 0;
        return response;
      } catch (error) {
        if (joins === this.#begun) {
          this.#isRefused = true;
          this.wake();
        }
        lost = protocolErrorOf(error) === undefined ? lost + 1 : 0;
        if (lost < LOST_AT) throw error;
        throw Object.assign(new Error('The coordinator of the group is lost', { cause: error }), { type: 'NOT_COORDINATOR_FOR_GROUP' });
      }
    };
    return withMethods(coordinator, { heartbeat });
  }

  /** @param joins how many had begun when kafkajs worked out the positions; undefined during a join */
  async #fetch(broker: Broker, nodeId: string, request: Parameters<Broker['fetch']>[0], joins: number | undefined) {
    const nothing = { responses: [] };
    const isOurs = (): boolean => joins === this.#begun && !this.#isRefused && !this.#isStopped;
    // Of the partitions that were chosen for this fetch: one that comes in again during the turn waits for the next.
    const maxWaitTime = this.#maxWaitMs();
    if (isOurs()) await this.#turn(nodeId);
    if (!isOurs()) {
      await sleep(NO_FETCH_MS);
      return nothing;
    }
    const response = (await this.#untilWoken(broker.fetch({ ...request, maxWaitTime }))) as FetchResponse | undefined;
    if (response === undefined || !isOurs()) return nothing;
    this.#responded(nodeId, response);
    return response;
  }

  #maxWaitMs(): number {
    if (this.leftOut > 0) return LEFT_OUT_WAIT_MS;
    return performance.now() - this.#recordsAt < IDLE_AFTER_MS ? WAIT_MS : IDLE_WAIT_MS;
  }

  /** Resolves when the broker may be asked: a short wait pays under load, because fewer batches leave a busy processor free sooner. */
  async #turn(nodeId: string): Promise<void> {
    const pauseMs = (this.#turns.get(nodeId) ?? 0) - performance.now();
    if (pauseMs <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    await this.#untilWoken(new Promise((resolve) => (timer = setTimeout(resolve, pauseMs))));
    clearTimeout(timer);
  }

  #responded(nodeId: string, { responses }: FetchResponse): void {
    const messages = responses.flatMap(({ partitions }) => partitions.flatMap((partition) => partition.messages));
    const bytes = messages.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
    const now = performance.now();
    if (messages.length > 0) this.#recordsAt = now;
    this.#turns.set(nodeId, now + this.#gatherMs(messages.length, bytes));
  }

  #gatherMs(records: number, bytes: number): number {
    if (records === 0 || bytes > BACKLOG.bytes) return 0;
    if (this.#isUnhurried) return records > BACKLOG.unhurried ? 0 : UNHURRIED_GATHER_MS;
    const { firstMs, furtherMs, maxMs } = GATHER;
    return records > BACKLOG.records ? 0 : Math.min(maxMs, firstMs + (records - 1) * furtherMs);
  }

  /** The result of the work; undefined after {@link wake} or {@link stop}, without waiting for it. */
  #untilWoken<T>(work: Promise<T>): Promise<T | undefined> {
    // After a wake nobody waits for its failure.
    work.catch(() => undefined);
    if (this.#isStopped) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const end = (): void => resolve(undefined);
      this.#waits.add(end);
      work.then(resolve, reject).finally(() => this.#waits.delete(end));
    });
  }
}

/** A broker of which some methods are replaced. */
export function withMethods(broker: Broker, replaced: Readonly<Record<string, unknown>>): Broker {
  const get = (target: Broker, name: string | symbol, receiver: unknown): unknown =>
    typeof name === 'string' && Object.hasOwn(replaced, name) ? replaced[name] : Reflect.get(target, name, receiver);
  return new Proxy(broker, { get });
}
