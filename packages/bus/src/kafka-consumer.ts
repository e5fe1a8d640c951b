import { backOffMs } from '@parcelway/kernel/back-off';
import type { Logger } from '@parcelway/kernel/logger';
import type { ConsumeOptions } from './driver.ts';
import { KafkaAssignment } from './kafka-assignment.ts';
import { type KafkaConnection, kafkaTopic } from './kafka-connection.ts';
import { causeOf, isGroupNotReady, isUnknownTopic, missingTopic } from './kafka-errors.ts';
import { KafkaMember } from './kafka-member.ts';

/** A member that hears nothing for this long is replaced. Above the time that a rebalance may take. */
const STALL_MS = 60_000;
const WATCH_MS = 5000;
const BACK_OFF = { firstMs: 250, maxMs: 5000 };

/** What a consumer reads, and who handles it. */
export interface KafkaConsumerOptions extends Omit<ConsumeOptions, 'topics'> {
  readonly connection: KafkaConnection;
  readonly topic: string;
  readonly logger: Logger;
}

/**
 * Consumes one topic in the name of one group, and keeps at it: kafkajs ends a consumer for many reasons, and a new
 * member on new connections is the response to all of them.
 */
export class KafkaTopicConsumer {
  readonly #options: KafkaConsumerOptions;
  readonly #logger: Logger;
  readonly #assignment: KafkaAssignment;
  #member: KafkaMember | undefined;
  /** Last sign of life from the cluster, an instant of `performance.now()`. */
  #alive = performance.now();
  #problem: string | undefined;
  #stopping = false;
  /** Ends what supervise() waits for. */
  #interrupt: () => void = () => undefined;
  #supervision: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: KafkaConsumerOptions) {
    const { group, topic, handle, settle, logger } = options;
    this.#options = options;
    this.#logger = logger.child({ group, topic });
    this.#assignment = new KafkaAssignment({
      handle,
      settle,
      logger: this.#logger,
      commit: async (positions) => {
        if (!this.#member) throw new Error('There is no connection to the cluster');
        await this.#member.commit(positions);
      },
    });
  }

  /** Begins to consume, in the background. */
  start(): void {
    this.#supervision ??= this.#supervise();
  }

  /** Waits for the running batches and commits what they finished. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Milliseconds without a sign of life from the cluster, and what is known of the reason. */
  state(): { readonly silentForMs: number; readonly problem: string | undefined } {
    return { silentForMs: performance.now() - this.#alive, problem: this.#problem };
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    try {
      await this.#assignment.finish();
    } finally {
      this.#interrupt();
      await this.#supervision;
    }
  }

  async #supervise(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      const member = this.#create();
      this.#member = member;
      const reason = await this.#end(member);
      if (!reason) {
        // stop() has finished and committed what was under way.
        this.#assignment.forget();
        return member.leave();
      }
      await this.#assignment.revoke();
      this.#member = undefined;
      member.kill();
      failures = member.hasJoined ? 1 : failures + 1;
      this.#report(reason);
      await this.#pause(backOffMs(BACK_OFF, failures, Math.random()));
    }
  }

  #create(): KafkaMember {
    const { connection, group, topic, isUnhurried } = this.#options;
    const alive = (): void => {
      this.#alive = performance.now();
      if (this.#problem !== undefined) this.#logger.info({ after: this.#problem }, 'The consumer works again');
      this.#problem = undefined;
    };
    return new KafkaMember({
      connection,
      group,
      topic,
      assignment: this.#assignment,
      isUnhurried,
      alive,
      logger: this.#logger,
    });
  }

  /** Runs a member. @returns why it ended; undefined when the consumer is to stop */
  #end(member: KafkaMember): Promise<Error | undefined> {
    const begin = performance.now();
    return new Promise((resolve) => {
      // kafkajs has been seen to stand still without an error.
      const watch = setInterval(() => {
        const silentForMs = performance.now() - Math.max(begin, this.#alive);
        if (silentForMs > STALL_MS) end(new Error(`The Kafka cluster has not responded for ${Math.round(silentForMs / 1000)} s`));
      }, WATCH_MS);
      const end = (reason: Error | undefined): void => {
        clearInterval(watch);
        resolve(reason);
      };
      this.#interrupt = () => end(undefined);
      if (this.#stopping) end(undefined);
      else member.run().then(end);
    });
  }

  /** Logs a failure that is not the same as the one before. */
  #report(reason: Error): void {
    const topic = kafkaTopic(this.#options.connection, this.#options.topic);
    const problem = isUnknownTopic(reason) ? missingTopic([topic]) : causeOf(reason).message;
    if (problem === this.#problem) return;
    this.#problem = problem;
    // Heals by itself within moments: worth a line, but no alarm and no stack.
    if (isGroupNotReady(reason)) this.#logger.warn({}, `The consumer is started again, as its group is not ready yet: ${problem}`);
    else this.#logger.error({ err: causeOf(reason) }, `The consumer failed and is started again: ${problem}`);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#stopping) this.#interrupt();
    });
  }
}
