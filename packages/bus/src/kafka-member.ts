import { setTimeout as sleep } from 'node:timers/promises';
import { newToken } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { Broker, Cluster, Consumer, EachBatchPayload } from 'kafkajs';
import type { LogRecord } from './driver.ts';
import type { KafkaAssignment } from './kafka-assignment.ts';
import { KafkaClient } from './kafka-client.ts';
import { type KafkaConnection, kafkaGroup, kafkaTopic } from './kafka-connection.ts';
import { causeOf, protocolErrorOf, within } from './kafka-errors.ts';
import { KafkaFetches, withMethods } from './kafka-fetches.ts';
import { nextOffset, toLogRecord } from './kafka-records.ts';

/** A member that dies is missed after this time, and its partitions go to the others. */
const SESSION_TIMEOUT_MS = 10_000;
/** At most so often, also while batches run: how late a busy member notices that the group rebalances. An idle one sends one with each fetch. */
const HEARTBEAT_MS = 500;
/** Time that the other members have to finish what they do when one joins or leaves. */
const REBALANCE_TIMEOUT_MS = 30_000;
/** Pause of the loop of a broker from which nothing is to be fetched. How long a broker may wait for a record is up to {@link KafkaFetches}. */
const MAX_WAIT_MS = 250;
const REQUEST_TIMEOUT_MS = 5000;
const START_TIMEOUT_MS = 10_000;
const LEAVE_TIMEOUT_MS = 4000;
const SETTLE_TIMEOUT_MS = 1000;
/** How often it is looked whether the group knows of a join. */
const JOIN_POLL_MS = 10;
/** More than a topic has partitions: all that a fetch brings is handled at once. */
const MAX_PARTITIONS = 1000;
/** Refusals of a heartbeat after which kafkajs joins again. */
const REBALANCING: readonly string[] = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP'];

/** The types of kafkajs leave these out. */
type Coordinator = Broker & {
  readonly nodeId: number;
  joinGroup(request: { readonly groupId: string }): Promise<unknown>;
  syncGroup(request: { readonly memberId: string; readonly generationId: number }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
};

/** The part of a description of groups that is read here. */
interface GroupDescriptions {
  readonly groups: readonly {
    readonly state: string;
    readonly members: readonly { readonly memberId: string; readonly clientId: string }[];
  }[];
}

/** In whose name positions are written: the group refuses them once it has begun another generation. */
interface Membership {
  readonly coordinator: Coordinator;
  readonly memberId: string;
  readonly groupGenerationId: number;
}

/** What a member reads, and where it goes. */
export interface MemberOptions {
  readonly connection: KafkaConnection;
  readonly group: string;
  readonly topic: string;
  readonly assignment: KafkaAssignment;
  /** See `SubscribeOptions`. */
  readonly isUnhurried?: boolean | undefined;
  /** Called whenever the cluster shows a sign of life. */
  readonly alive: () => void;
  readonly logger: Logger;
}

/** One kafkajs consumer, from its first connection to its end. */
export class KafkaMember {
  readonly #options: MemberOptions;
  readonly #client: KafkaClient;
  readonly #consumer: Consumer;
  readonly #cluster: Cluster;
  readonly #groupId: string;
  readonly #topic: string;
  readonly #fetches: KafkaFetches;
  /** What ends the pause of each partition that is left out of the fetches. */
  readonly #pauses = new Map<number, NodeJS.Timeout>();
  /** What the names of all members of this process and topic begin with, at the brokers. */
  readonly #name: string;
  #hasPredecessors = true;
  #hasJoined = false;
  #membership: Membership | undefined;
  #isLeaving = false;
  #running: Promise<void> = Promise.resolve();
  #fail: (reason: Error) => void = () => undefined;

  constructor(options: MemberOptions) {
    const { connection, group, topic, logger } = options;
    this.#options = options;
    this.#topic = kafkaTopic(connection, topic);
    this.#name = `${connection.clientId}@${connection.replica}#`;
    this.#client = new KafkaClient({ ...connection, clientId: this.#name + newToken(6) }, REQUEST_TIMEOUT_MS, logger);
    this.#groupId = kafkaGroup(connection, group, topic);
    const { consumer, cluster } = this.#client.consumer({
      groupId: this.#groupId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: MAX_WAIT_MS,
      minBytes: 1,
      // Blips are sat out, because a new member means a rebalance; what lasts is for a new member on new connections.
      retry: { retries: 6, initialRetryTime: 100, maxRetryTime: 1000, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    this.#cluster = cluster;
    this.#fetches = new KafkaFetches(cluster, options.isUnhurried ?? false);
    this.#prepareJoins(cluster);
    this.#listen();
  }

  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  /** Connects, joins and consumes. @returns why that ended, when it ends by itself */
  run(): Promise<Error> {
    return new Promise((resolve) => {
      this.#fail = resolve;
      this.#running = this.#start();
      // A failure after the start comes as an event.
      this.#running.catch((error: unknown) => resolve(causeOf(error)));
    });
  }

  /**
   * Writes positions down, once. kafkajs would try again in the name of a later generation, when another member may be further already, and would
   * report success when it has ended.
   * @throws when the cluster does not take them
   */
  async commit(positions: ReadonlyMap<number, string>): Promise<void> {
    if (!this.#membership) throw new Error('The consumer has not joined its group');
    const { coordinator, ...member } = this.#membership;
    const partitions = [...positions].map(([partition, offset]) => ({ partition, offset }));
    const request = { groupId: this.#groupId, ...member, topics: [{ topic: this.#topic, partitions }] };
    const broker = coordinator.isConnected() ? coordinator : await this.#cluster.findBroker({ nodeId: String(coordinator.nodeId) });
    await broker.offsetCommit(request);
  }

  /** Leaves the group, so that the others need not wait until the session has run out, and ends its connections. */
  async leave(): Promise<void> {
    // A member that is still joining cannot leave.
    const leaving = this.#running.then(() => {
      this.#isLeaving = true;
      const disconnected = this.#consumer.disconnect();
      // kafkajs waits for the fetches under way.
      this.#fetches.stop();
      return disconnected;
    });
    try {
      await within(LEAVE_TIMEOUT_MS, 'Leaving the group', leaving);
    } catch (error) {
      this.#options.logger.debug({ err: causeOf(error) }, 'Leaving the group failed; it removes the member after its session timeout');
    }
    this.kill();
    // Whatever kafkajs was waiting for has failed now; it is not to go on behind the end of this member.
    await within(SETTLE_TIMEOUT_MS, 'Ending the member', leaving).catch(() => undefined);
  }

  /** Ends its connections. */
  kill(): void {
    this.#endPauses();
    this.#client.kill();
  }

  /** kafkajs asks for the coordinator whenever it is about to join, and at no other time. None of its events could hold it up. */
  #prepareJoins(cluster: Cluster): void {
    const findGroupCoordinator = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async (request) => {
      this.#fetches.begin();
      await this.#options.assignment.revoke();
      return this.#asMember(this.#fetches.watch(await findGroupCoordinator(request)) as Coordinator);
    };
  }

  /** The coordinator as kafkajs is to use it. */
  #asMember(coordinator: Coordinator): Broker {
    return withMethods(coordinator, {
      joinGroup: (request: Parameters<Coordinator['joinGroup']>[0]): Promise<unknown> => {
        const joining = coordinator.joinGroup(request);
        if (this.#hasPredecessors) void this.#dismissPredecessors(joining);
        return joining;
      },
      syncGroup: async (request: Parameters<Coordinator['syncGroup']>[0]): Promise<unknown> => {
        const response = await coordinator.syncGroup(request);
        this.#membership = { coordinator, memberId: request.memberId, groupGenerationId: request.generationId };
        return response;
      },
      // A member that kafkajs ends by itself is dismissed by its successor.
      leaveGroup: async (request: Parameters<Coordinator['leaveGroup']>[0]): Promise<unknown> =>
        this.#isLeaving ? coordinator.leaveGroup(request) : undefined,
    });
  }

  /**
   * Removes the members that came before under this name, of a process that was killed or of a consumer that failed: the group would otherwise wait for the
   * end of their sessions. The join must be pending first: an empty group makes its first member wait for `group.initial.rebalance.delay.ms`. The calls use
   * their own connections, because the join blocks the one to the coordinator.
   */
  async #dismissPredecessors(joining: Promise<unknown>): Promise<void> {
    const { connection, logger } = this.#options;
    const groupId = this.#groupId;
    const client = new KafkaClient(connection, REQUEST_TIMEOUT_MS, logger);
    const { cluster } = client.consumer({ groupId });
    const end = (): void => client.kill();
    joining.then(end, end);
    try {
      await cluster.connect();
      const coordinator = (await cluster.findGroupCoordinator({ groupId })) as Coordinator;
      for (const memberId of await this.#predecessors(coordinator)) {
        await coordinator.leaveGroup({ groupId, memberId });
        logger.info({ member: memberId }, 'The member that this process had before was removed from its group');
      }
      this.#hasPredecessors = false;
    } catch (error) {
      // Ended with the join, or the coordinator is not ready yet: the next join comes here again.
      logger.debug({ err: causeOf(error) }, 'The members before this one could not be removed from its group');
    } finally {
      end();
    }
  }

  /** Waits until the group knows of a join. @returns the members that came before this one under its name */
  async #predecessors(coordinator: Coordinator): Promise<readonly string[]> {
    for (;;) {
      const { groups } = (await coordinator.describeGroups({ groupIds: [this.#groupId] })) as GroupDescriptions;
      const [group] = groups;
      // While the members of a group work, a request to join has not arrived yet.
      if (group === undefined || ['Stable', 'CompletingRebalance'].includes(group.state)) {
        await sleep(JOIN_POLL_MS);
        continue;
      }
      const before = group.members.filter(({ clientId }) => clientId.startsWith(this.#name) && clientId !== this.#client.clientId);
      return before.map(({ memberId }) => memberId);
    }
  }

  #listen(): void {
    const { alive, logger } = this.#options;
    const { GROUP_JOIN, FETCH, CRASH, REQUEST_TIMEOUT } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      // Two of its loops may have joined at the same time.
      if (!this.#fetches.end()) this.#options.assignment.forget();
      // kafkajs remembers paused partitions beyond their assignment.
      this.#endPauses();
      this.#consumer.resume([{ topic: this.#topic }]);
      this.#hasJoined = true;
      alive();
      logger.debug({ partitions: payload.memberAssignment[this.#topic], tookMs: payload.duration }, 'Partitions were assigned');
    });
    this.#consumer.on(FETCH, () => {
      // During a join no broker is asked.
      if (this.#fetches.settled) alive();
    });
    this.#consumer.on(REQUEST_TIMEOUT, () => this.#client.reset('A broker did not respond in time'));
    this.#consumer.on(CRASH, ({ payload }) => this.#fail(causeOf(payload.error)));
  }

  async #start(): Promise<void> {
    const subscribe = async (): Promise<void> => {
      await this.#consumer.connect();
      await this.#consumer.subscribe({ topics: [this.#topic], fromBeginning: true });
    };
    await within(START_TIMEOUT_MS, 'Connecting to Kafka', subscribe());
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: MAX_PARTITIONS,
      eachBatch: async (payload) => this.#take(payload),
    });
  }

  /** kafkajs fetches nothing more from a broker while one of its partitions is handled, and sends no heartbeat by itself. */
  async #take({ batch, resolveOffset, heartbeat, pause, isRunning, isStale }: EachBatchPayload): Promise<void> {
    if (!this.#fetches.settled || !isRunning() || isStale()) return;
    const { assignment, topic } = this.#options;
    const { partition } = batch;
    const last = batch.lastOffset();
    const records = batch.messages.map((message) => toLogRecord(topic, partition, message));
    const beats = setInterval(() => {
      heartbeat().catch((error: unknown) => {
        if (REBALANCING.includes(protocolErrorOf(error) ?? '')) assignment.halt();
      });
    }, HEARTBEAT_MS);
    try {
      const { done, pauseMs } = await assignment.take(partition, records, nextOffset(last));
      if (done > 0) resolveOffset(done === records.length ? last : (records[done - 1] as LogRecord).offset);
      if (pauseMs > 0) this.#leaveOut(partition, pauseMs, pause());
    } finally {
      clearInterval(beats);
    }
  }

  /** Keeps a partition that is paused out of the fetches for a while. The others go on. */
  #leaveOut(partition: number, ms: number, resume: () => void): void {
    const end = (): void => {
      this.#pauses.delete(partition);
      this.#fetches.leftOut = this.#pauses.size;
      resume();
    };
    this.#pauses.set(partition, setTimeout(end, ms));
    this.#fetches.leftOut = this.#pauses.size;
  }

  #endPauses(): void {
    for (const timer of this.#pauses.values()) clearTimeout(timer);
    this.#pauses.clear();
    this.#fetches.leftOut = 0;
  }
}
