import { within } from './kafka-errors.ts';

/** Positions are written soon after this time; a crash repeats at most the records finished since the last were. */
const COMMIT_DELAY_MS = 250;
/** Pause after a commit that failed. */
const RETRY_DELAY_MS = 1000;
/** Time for one commit. */
const COMMIT_TIMEOUT_MS = 3000;

/** Writes positions down: offset behind the last finished record, by partition. */
export type Commit = (positions: ReadonlyMap<number, string>) => Promise<void>;

/** How far a consumer has come in its partitions, written to the cluster together, so that no batch costs a request of its own. */
export class KafkaCommits {
  readonly #commit: Commit;
  readonly #failed: (error: unknown) => void;
  readonly #settle: (() => Promise<void>) | undefined;
  #dirty = new Map<number, string>();
  #assignment = 0;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun, because one before it has not ended. */
  #waiting: Promise<void> | undefined;
  /** Ends with the last commit that was sent, which may be long after its deadline: kafkajs cannot be stopped. */
  #sent: Promise<void> = Promise.resolve();

  /**
   * @param failed is called for the first of a run of commits in the background that fail; they are tried again
   * @param settle makes durable what was handled, before it is committed; default nothing
   */
  constructor(commit: Commit, failed: (error: unknown) => void, settle?: () => Promise<void>) {
    this.#commit = commit;
    this.#failed = failed;
    this.#settle = settle;
  }

  /** Everything before `next` is finished. */
  finished(partition: number, next: string): void {
    this.#dirty.set(partition, next);
    this.#plan(COMMIT_DELAY_MS);
  }

  /** Writes down what is finished now. @throws when the cluster does not take it; it is kept for the next try */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a late repetition of an older commit would move the position back.
    this.#waiting ??= this.#last
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.#write();
      });
    this.#last = this.#waiting;
    return this.#waiting;
  }

  /** Forgets what is not written: the partitions now belong to another member. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dirty.clear();
    this.#assignment += 1;
  }

  #plan(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        if (!this.#failing) this.#failed(error);
        this.#failing = true;
        if (this.#dirty.size > 0) this.#plan(RETRY_DELAY_MS);
      });
    }, delayMs);
  }

  async #write(): Promise<void> {
    if (this.#dirty.size === 0) return;
    const deadline = performance.now() + COMMIT_TIMEOUT_MS;
    // An older commit that lands after this one would move the position back.
    await within(COMMIT_TIMEOUT_MS, 'The commit before', this.#sent);
    const positions = this.#dirty;
    if (positions.size === 0) return;
    const assignment = this.#assignment;
    this.#dirty = new Map();
    try {
      if (this.#settle !== undefined) {
        await within(deadline - performance.now(), 'Making durable what was handled', this.#settle());
        // Meanwhile the partitions may have gone to another member, whose position this would move.
        if (assignment !== this.#assignment) return;
      }
      const commit = this.#commit(positions);
      this.#sent = commit.catch(() => undefined);
      await within(deadline - performance.now(), 'Committing', commit);
      this.#failing = false;
    } catch (error) {
      if (assignment === this.#assignment) this.#dirty = new Map([...positions, ...this.#dirty]);
      throw error;
    }
  }
}
