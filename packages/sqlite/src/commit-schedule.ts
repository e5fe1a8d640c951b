import { LoopUse } from '@parcelway/kernel/loop-use';

/** How a transaction may wait for others that share its commit. Milliseconds; both default to 0. */
export interface CommitWait {
  /**
   * While the process is busy with commits, the commit comes at most so long after the one before. While it is not, the transaction is
   * committed at once.
   */
  readonly patienceMs?: number;
  /** Nobody waits for the outcome: the transaction joins the next commit of the file, and has one of its own after so long, sooner in a calm process. */
  readonly deferMs?: number;
}

/** Below this load commits are flushed beside the event loop where they may be, and what is deferred does not wait as long. */
const CALM_LOAD = 0.4;
/** Part of the time that deferred transactions wait in a calm process: there they would only hold up the one that comes next. */
const CALM_PART = 0.4;
/** Below this load nothing waits. */
const QUIET_LOAD = 0.6;
/** From this load on patience is used up: there are more transactions than commits of their own would leave time for. */
const BUSY_LOAD = 0.9;
/** Nothing waits while the event loop works for less than this part of its time: the time that is saved would be left over. */
const FREE_USE = 0.9;
/** From this part on patience is used up. */
const FULL_USE = 0.98;
/** Load counts what arrived within about this time. */
const MEMORY_MS = 250;
/** A commit takes at least as much processor time, however quick the disk is. */
const MIN_COMMIT_MS = 0.5;
/** Weight of the newest commit in the average duration: one that the disk held up does not count for all. */
const NEWEST_WEIGHT = 0.05;

/**
 * How busy a process would be with commits if every transaction had one of its own: 0.2 is a fifth of the time, above 1 there
 * would not be enough time. It is taken from what arrives and not from what is committed, so waiting does not change it.
 * The files of a process share one, as they share its event loop.
 */
export class CommitLoad {
  readonly #loop: Pick<LoopUse, 'at'>;
  #sum = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #commitMs = MIN_COMMIT_MS;

  /** @param loop whose time commits take; default the event loop of this process */
  constructor(loop: Pick<LoopUse, 'at'> = new LoopUse()) {
    this.#loop = loop;
  }

  /** Counts a transaction that wants a commit soon. @param now milliseconds, by a clock that never goes back */
  arrived(now: number): void {
    this.#sum = this.#left(now) + Math.max(MIN_COMMIT_MS, this.#commitMs);
    this.#countedAt = now;
  }

  /** Notes how long a commit took to become durable. */
  committed(ms: number): void {
    this.#commitMs += (ms - this.#commitMs) * NEWEST_WEIGHT;
  }

  /** The load at an instant. */
  at(now: number): number {
    return this.#left(now) / MEMORY_MS;
  }

  /** Part of their patience that transactions have to use at an instant: all of it where there are too many of them, and no time is left. */
  patience(now: number): number {
    const byLoad = between(QUIET_LOAD, BUSY_LOAD, this.at(now));
    return byLoad === 0 ? 0 : byLoad * between(FREE_USE, FULL_USE, this.#loop.at(now));
  }

  #left(now: number): number {
    return this.#sum * Math.exp((this.#countedAt - now) / MEMORY_MS);
  }
}

/** How far a value has come from one to another: 0 up to the first, 1 from the second on. */
function between(from: number, to: number, value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** True when there are few transactions for the time there is: sharing commits and flushes would save little. */
export function isCalm(load: number): boolean {
  return load < CALM_LOAD;
}

/**
 * When a transaction that arrives now is to be committed, by the same clock. Now or earlier is at once: what arrives while a commit runs gathers
 * anyway, and waiting longer is worth its time only where processor time is short.
 * @param committedAt when the last commit of the file ended
 * @param load of the process
 */
export function commitDueAt(wait: CommitWait, now: number, committedAt: number, load: CommitLoad): number {
  const { patienceMs = 0, deferMs = 0 } = wait;
  if (deferMs > 0) return now + (isCalm(load.at(now)) ? deferMs * CALM_PART : deferMs);
  if (patienceMs === 0) return now;
  const patience = load.patience(now);
  return patience === 0 ? now : committedAt + patienceMs * patience;
}

/** A transaction that waits for its commit. */
export interface PendingTransaction {
  /** Synchronous; what it throws rolls back its own writes only. */
  readonly work: () => unknown;
  /** See `TransactionOptions`. */
  readonly repeatable: boolean;
  /** See `TransactionOptions`. */
  readonly flushLater: boolean;
  /** True when nobody waits for the outcome. */
  readonly deferred: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits transactions and gives each its outcome.
 * @param isCalm true when the process has few transactions for the time it has
 * @returns milliseconds until the commit was durable; undefined when it was not flushed, or failed
 */
export type CommitTogether = (group: readonly PendingTransaction[], isCalm: boolean) => number | undefined;

/** Transactions beyond this number wait for the next commit, so that one commit stays short. */
const MAX_GROUP = 512;

/** The transactions of one file that wait for a commit. Decides when they are committed, and which together. */
export class CommitSchedule {
  readonly #load: CommitLoad;
  readonly #commit: CommitTogether;
  #pending: PendingTransaction[] = [];
  /** True while a commit is about to run that cannot be brought forward any more. */
  #isImminent = false;
  /** Set while a commit is put off. */
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** By the clock of {@link performance}. */
  #committedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param load of the process */
  constructor(load: CommitLoad, commit: CommitTogether) {
    this.#load = load;
    this.#commit = commit;
  }

  /** Adds a transaction, and plans its commit. */
  add(transaction: PendingTransaction, { patienceMs = 0, deferMs = 0 }: CommitWait): void {
    this.#pending.push(transaction);
    const now = performance.now();
    if (deferMs === 0) this.#load.arrived(now);
    if (this.#isImminent) return;
    const at = commitDueAt({ patienceMs, deferMs }, now, this.#committedAt, this.#load);
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    if (at > now) {
      this.#timerAt = at;
      this.#timer = setTimeout(() => this.#commitSoon(), at - now);
    } else this.#commitSoon();
  }

  /** Commits what waits now. Nothing may be added afterwards. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closed = true;
    while (this.#pending.length > 0) this.#commit(this.#nextGroup(), false);
  }

  /** Commits in the next turn of the event loop: what arrives until then shares the commit. */
  #commitSoon(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#isImminent = true;
    setImmediate(() => {
      this.#isImminent = false;
      if (this.#closed) return;
      const durableMs = this.#commit(this.#nextGroup(), isCalm(this.#load.at(performance.now())));
      if (durableMs !== undefined) this.#load.committed(durableMs);
      this.#committedAt = performance.now();
      if (this.#pending.length > 0) this.#commitSoon();
    });
  }

  /** Takes the transactions that came first. */
  #nextGroup(): PendingTransaction[] {
    const group = this.#pending.slice(0, MAX_GROUP);
    this.#pending = this.#pending.slice(MAX_GROUP);
    return group;
  }
}
