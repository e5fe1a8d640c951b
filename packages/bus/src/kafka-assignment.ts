import type { Logger } from '@parcelway/kernel/logger';
import type { ConsumeOptions, LogRecord } from './driver.ts';
import { causeOf, within } from './kafka-errors.ts';
import { KafkaPartition } from './kafka-partition.ts';
import { LazyPositions } from './lazy-positions.ts';

const COMMIT_DELAY_MS = 250;
/** Time for one commit. */
const COMMIT_TIMEOUT_MS = 3000;

/** Writes positions down: offset behind the last finished record, by partition. */
export type Commit = (positions: ReadonlyMap<number, string>) => Promise<void>;

/**
 * How far a consumer has come in its partitions, written to the cluster.
 * @param failed is called for the first of a run of commits in the background that fail; they are tried again
 * @param settle makes durable what was handled, before it is committed; default nothing
 */
export function commitLazily(
  commit: Commit,
  failed: (error: unknown) => void,
  settle?: () => Promise<void>,
): LazyPositions<number, string> {
  /** Ends with the last commit that was sent, which may be long after its deadline: kafkajs cannot be stopped. */
  let sent: Promise<void> = Promise.resolve();
  const write = async (positions: ReadonlyMap<number, string>, isCurrent: () => boolean): Promise<void> => {
    const deadline = performance.now() + COMMIT_TIMEOUT_MS;
    // An older commit that lands after this one would move the position back.
    await within(COMMIT_TIMEOUT_MS, 'The commit before', sent);
    if (settle !== undefined) await within(deadline - performance.now(), 'Making durable what was handled', settle());
    // Meanwhile the partitions may have gone to another member, whose position this would move.
    if (!isCurrent()) return;
    const committing = commit(positions);
    sent = committing.catch(() => undefined);
    await within(deadline - performance.now(), 'Committing', committing);
  };
  return new LazyPositions({ delayMs: COMMIT_DELAY_MS, write, failed });
}

/** A rebalance waits this long for running batches. */
const DRAIN_MS = 5000;
/**
 * And this long for them and for their positions. No heartbeat is sent meanwhile, nor by an idle member in the three seconds before, and the group
 * expels a member that is silent for its session timeout of ten.
 */
const REVOKE_MS = 6000;

/** What an assignment is made of. */
export interface AssignmentOptions extends Pick<ConsumeOptions, 'handle' | 'settle'> {
  /** Writes positions down in the name of the present member. */
  readonly commit: Commit;
  /** Leaves a partition out of the fetches, or takes it in again. */
  readonly full: (partition: number, full: boolean) => void;
  readonly logger: Logger;
}

/** The partitions that a consumer has, through all its rebalances and failures: a partition never runs two batches at once. */
export class KafkaAssignment {
  readonly #options: AssignmentOptions;
  readonly #partitions = new Map<number, KafkaPartition>();
  readonly #commits: LazyPositions<number, string>;

  constructor(options: AssignmentOptions) {
    this.#options = options;
    const failed = (error: unknown): void =>
      options.logger.warn({ err: causeOf(error) }, 'Positions could not be committed; the commit will be retried');
    this.#commits = commitLazily(options.commit, failed, options.settle);
  }

  /** Takes fetched records. `end`: offset behind them. */
  push(partition: number, records: readonly LogRecord[], end: string): void {
    const known = this.#partitions.get(partition) ?? this.#open(partition);
    known.push(records, end);
  }

  /** Delivers no further batch, waits for the running ones and commits what is finished. */
  async finish(): Promise<void> {
    await this.#halt();
    await this.#flush(REVOKE_MS);
  }

  /** As {@link finish}, but waits a few seconds at most, and forgets the rest: the next owner of the partitions gets it again. */
  async revoke(): Promise<void> {
    const end = performance.now() + REVOKE_MS;
    try {
      await within(DRAIN_MS, 'Finishing the running batches', this.#halt());
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'A batch is still running while its partition may go to another consumer');
    }
    await this.#flush(end - performance.now());
    this.forget();
  }

  /** Forgets what is fetched and what is not committed. */
  forget(): void {
    this.#commits.forget();
    for (const partition of this.#partitions.values()) partition.reset();
  }

  async #halt(): Promise<void> {
    await Promise.all([...this.#partitions.values()].map((partition) => partition.halt()));
  }

  async #flush(ms: number): Promise<void> {
    try {
      await within(ms, 'Writing the positions', this.#commits.flush());
    } catch (error) {
      this.#options.logger.warn({ err: causeOf(error) }, 'Positions could not be committed; the last messages will be processed again');
    }
  }

  #open(partition: number): KafkaPartition {
    const { handle, full, logger } = this.#options;
    const opened = new KafkaPartition({
      partition,
      handle,
      logger,
      finished: (next) => this.#commits.moved(partition, next),
      full: (isFull) => full(partition, isFull),
    });
    this.#partitions.set(partition, opened);
    return opened;
  }
}
