import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, Broker, Cluster, KafkaMessage } from 'kafkajs';
import { protocolErrorOf } from './kafka-errors.ts';
import type { KafkaFetchPace } from './kafka-fetch-pace.ts';

/** A fetch during a join, or after the stop, takes this long; without any wait the loops of kafkajs would spin. */
const NO_FETCH_MS = 50;
/** So many heartbeats in a row without a response mean that the coordinator is lost: the first may fail with a connection that only has to be renewed. */
const LOST_AT = 2;

/** The part of a fetch response that is read here. */
interface FetchResponse {
  readonly responses: readonly { readonly partitions: readonly { readonly messages: KafkaMessage[] }[] }[];
}

/** The types of kafkajs leave out the messages as they came, in the very array of the response. */
type RawBatch = Batch & { readonly rawMessages: readonly KafkaMessage[] };

/** The types of kafkajs leave this one out. */
type Coordinator = Broker & { heartbeat(request: object): Promise<unknown> };

/**
 * Keeps away what was fetched for an earlier assignment. kafkajs fetches from each broker in a loop of its own, and when
 * a partition has moved to another broker, the loop that notices joins the group again while the others go on: their
 * responses, to questions from the old positions, come after the join. What had been fetched before them and was not
 * finished is forgotten by then, so taking them would skip it for good.
 *
 * It also ends the fetches under way when the coordinator refuses a heartbeat: kafkajs joins the group again when the loops of all brokers have ended,
 * and each member waits for the join of all others.
 */
export class KafkaFetchGuard {
  readonly #pace: KafkaFetchPace;
  /** Joins that were begun, and how many it were when one ended last. */
  #begun = 0;
  #ended = 0;
  /** True from a heartbeat that failed to the next one that does not, or to the next join: kafkajs is about to end its loops. */
  #isRefused = false;
  /** Messages of the last response of each broker; kafkajs asks a broker for more when it has worked them off. */
  readonly #responses = new Map<string, readonly KafkaMessage[][]>();

  /**
   * Changes `findBroker` of the cluster, which kafkajs calls right after it has worked out the positions of a fetch.
   * @param pace decides when a broker is asked
   */
  constructor(cluster: Cluster, pace: KafkaFetchPace) {
    this.#pace = pace;
    const findBroker = cluster.findBroker.bind(cluster);
    cluster.findBroker = async (node) => {
      const assignment = this.settled ? this.#begun : undefined;
      return this.#guard(await findBroker(node), String(node.nodeId), assignment);
    };
  }

  /** True while the partitions are ours: not before the first assignment and not during a rebalance. */
  get settled(): boolean {
    return this.#begun > 0 && this.#ended === this.#begun;
  }

  /** A join begins: nothing that was fetched before counts any more. */
  begin(): void {
    this.#begun += 1;
    this.#isRefused = false;
    // kafkajs may still hold them in its queue, and steps behind those without records without asking.
    for (const messages of [...this.#responses.values()].flat()) messages.length = 0;
    this.#responses.clear();
  }

  /**
   * A join has ended with an assignment.
   * @returns false when another one that began meanwhile had ended before; what was taken since then belongs to an
   * assignment that was never returned
   */
  end(): boolean {
    const first = !this.settled;
    if (!first) this.begin();
    this.#ended = this.#begun;
    return first;
  }

  /** True when the records of a batch were fetched for an earlier assignment. */
  isOutdated(batch: Batch): boolean {
    return (batch as RawBatch).rawMessages.length === 0;
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
        if (joins === this.#begun) this.#refuse();
        lost = protocolErrorOf(error) === undefined ? lost + 1 : 0;
        if (lost < LOST_AT) throw error;
        throw Object.assign(new Error('The coordinator of the group is lost', { cause: error }), { type: 'NOT_COORDINATOR_FOR_GROUP' });
      }
    };
    return withMethods(coordinator, { heartbeat });
  }

  #refuse(): void {
    this.#isRefused = true;
    this.#pace.wake();
  }

  #guard(broker: Broker, nodeId: string, assignment: number | undefined): Broker {
    const nothing = { responses: [] };
    const fetch: Broker['fetch'] = async (request) => {
      const isOurs = (): boolean => assignment === this.#begun && !this.#isRefused && !this.#pace.isStopped;
      // Of the partitions that were chosen for this fetch: one that comes in again during the turn waits for the next.
      const maxWaitTime = this.#pace.maxWaitMs;
      if (isOurs()) await this.#pace.turn(nodeId);
      if (!isOurs()) {
        await sleep(NO_FETCH_MS);
        return nothing;
      }
      const fetched = broker.fetch({ ...request, maxWaitTime });
      const response = (await this.#pace.untilWoken(fetched)) as FetchResponse | undefined;
      if (response === undefined || !isOurs()) return nothing;
      const messages = response.responses.flatMap(({ partitions }) => partitions.map((partition) => partition.messages));
      const all = messages.flat();
      this.#pace.responded(
        nodeId,
        all.length,
        all.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0),
      );
      this.#responses.set(nodeId, messages);
      return response;
    };
    return withMethods(broker, { fetch });
  }
}

/** A broker of which some methods are replaced. */
export function withMethods(broker: Broker, replaced: Readonly<Record<string, unknown>>): Broker {
  const get = (target: Broker, name: string | symbol, receiver: unknown): unknown =>
    typeof name === 'string' && Object.hasOwn(replaced, name) ? replaced[name] : Reflect.get(target, name, receiver);
  return new Proxy(broker, { get });
}
