import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { type BatchOutcome, type ConsumeOptions, type LogRecord, MAX_BATCH } from './driver.ts';
import { causeOf, within } from './kafka-errors.ts';
import { LazyPositions } from './lazy-positions.ts';

const COMMIT_DELAY_MS = 250;
/** Time for one commit. */
const COMMIT_TIMEOUT_MS = 3000;
/** A rebalance waits this long for running batches. */
const DRAIN_MS = 5000;
/** And this long for them and for their positions: less than the session of a member, even if no heartbeat arrives meanwhile. */
const REVOKE_MS = 6000;
/** Records in the first batch of a partition, before it is known what they take. */
const FIRST_BATCH = 20;
/** A batch that takes longer is followed by a smaller one, because a rebalance has to wait for it. */
const LONG_BATCH_MS = 1000;
const SHORT_BATCH_MS = 250;
/** Pause of a partition after a handler that broke its promise not to throw, and while nothing further is to begin. */
const FAILURE_PAUSE_MS = 500;

/** Writes positions down: offset behind the last finished record, by partition. */
export type Commit = (positions: ReadonlyMap<number, string>) => Promise<void>;

/** What an assignment is made of. */
export interface AssignmentOptions extends Pick<ConsumeOptions, 'handle' | 'settle'> {
  /** Writes positions down in the name of the present member. */
  readonly commit: Commit;
  readonly logger: Logger;
}

/** The size of the next batch of a partition. What comes again comes together, as the handler remembers what it made of it. */
interface BatchSize {
  limit: number;
  rest: number;
}

/** The partitions that a consumer has, through all its rebalances and failures: a partition never runs two batches at once. */
export class KafkaAssignment {
  readonly #options: AssignmentOptions;
  readonly #sizes = new Map<number, BatchSize>();
  readonly #running = new Map<number, Promise<BatchOutcome>>();
  readonly #commits: LazyPositions<number, string>;
  /** Aborted when nothing further is to begin. Each assignment has its own. */
  #halting = new AbortController();

  constructor(options: AssignmentOptions) {
    this.#options = options;
    const failed = (error: unknown): void =>
      options.logger.warn({ err: causeOf(error) }, 'Positions could not be committed; the commit will be retried');
    this.#commits = commitLazily(options.commit, failed, options.settle);
  }

  /**
   * Handles fetched records of a partition, in batches, up to the first that has to come again.
   * @param end offset behind the records, which is not always that behind the last one: there are markers of transactions
   * @returns how many are finished, and how long the partition is to be left out of the fetches
   */
  async take(partition: number, records: readonly LogRecord[], end: string): Promise<BatchOutcome> {
    if (this.#running.has(partition) || this.#halting.signal.aborted) return { done: 0, pauseMs: FAILURE_PAUSE_MS };
    const work = this.#handleAll(partition, records, end, this.#halting.signal);
    this.#running.set(partition, work);
    try {
      return await work;
    } finally {
      this.#running.delete(partition);
    }
  }

  /** Delivers no further batch; the running ones begin nothing more. */
  halt(): void {
    this.#halting.abort();
  }

  /** Delivers no further batch, waits for the running ones and commits what is finished. */
  async finish(): Promise<void> {
    this.halt();
    await Promise.all(this.#running.values());
    await this.#flush(REVOKE_MS);
  }

  /** As {@link finish}, but waits a few seconds at most, and forgets the rest: the next owner of the partitions gets it again. */
  async revoke(): Promise<void> {
    const end = performance.now() + REVOKE_MS;
    this.halt();
    try {
      await within(DRAIN_MS, 'Finishing the running batches', Promise.all(this.#running.values()));
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'A batch is still running while its partition may go to another consumer');
    }
    await this.#flush(end - performance.now());
    this.forget();
  }

  /** Forgets what is not committed, for the next assignment. What still runs does not count any more. */
  forget(): void {
    this.#commits.forget();
    this.#sizes.clear();
    this.halt();
    this.#halting = new AbortController();
  }

  async #handleAll(partition: number, records: readonly LogRecord[], end: string, signal: AbortSignal): Promise<BatchOutcome> {
    let done = 0;
    while (done < records.length && !signal.aborted) {
      const outcome = await this.#handleNext(partition, records.slice(done), signal);
      // Forgotten meanwhile: the records are those of another assignment.
      if (signal !== this.#halting.signal) return { done: 0, pauseMs: 0 };
      if (outcome.done > 0) {
        done += outcome.done;
        this.#commits.moved(partition, records[done]?.offset ?? end);
      }
      if (outcome.pauseMs > 0) return { done, pauseMs: outcome.pauseMs };
    }
    return { done, pauseMs: 0 };
  }

  async #handleNext(partition: number, records: readonly LogRecord[], signal: AbortSignal): Promise<BatchOutcome> {
    const size = this.#sizes.get(partition) ?? { limit: FIRST_BATCH, rest: 0 };
    this.#sizes.set(partition, size);
    const batch = records.slice(0, Math.max(size.limit, size.rest));
    const begin = performance.now();
    try {
      await failpointAsync('consumer.received');
      const outcome = await this.#options.handle(batch, signal);
      await failpointAsync('consumer.effect-written');
      size.limit = nextLimit(size.limit, performance.now() - begin);
      size.rest = batch.length - outcome.done;
      return outcome;
    } catch (error) {
      this.#options.logger.error({ err: error, partition }, 'Delivering a batch failed; it will be retried');
      return { done: 0, pauseMs: FAILURE_PAUSE_MS };
    }
  }

  async #flush(ms: number): Promise<void> {
    try {
      await within(ms, 'Writing the positions', this.#commits.flush());
    } catch (error) {
      this.#options.logger.warn({ err: causeOf(error) }, 'Positions could not be committed; the last messages will be processed again');
    }
  }
}

function nextLimit(limit: number, ms: number): number {
  if (ms > LONG_BATCH_MS) return Math.max(1, Math.floor(limit / 2));
  return ms < SHORT_BATCH_MS ? Math.min(MAX_BATCH, limit * 2) : limit;
}

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
