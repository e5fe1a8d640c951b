/** A transaction that waits for its commit. */
export interface PendingTransaction {
  /** Synchronous; what it throws rolls back its own writes only. */
  readonly work: () => unknown;
  /** See `TransactionOptions`. */
  readonly repeatable: boolean;
  /** See `TransactionOptions`. */
  readonly flushLater: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Transactions beyond this number wait for the next commit, so that one commit stays short. */
const MAX_GROUP = 512;

/** The transactions of a file that wait for a commit. Decides when they are committed, and which together. */
export class CommitSchedule {
  readonly #commit: (group: readonly PendingTransaction[]) => void;
  #pending: PendingTransaction[] = [];
  /** True while a commit is about to run that cannot be brought forward any more. */
  #isImminent = false;
  #isHeld = false;
  /** Nobody waits for these. They share a commit, so that a page that several of them change is written once. */
  #deferred: PendingTransaction[] = [];
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** The next commit includes the deferred transactions from this time on, by the clock of {@link performance}. */
  #joinsFrom = Number.POSITIVE_INFINITY;
  #closed = false;

  /** @param commit commits transactions and gives each its outcome */
  constructor(commit: (group: readonly PendingTransaction[]) => void) {
    this.#commit = commit;
  }

  /** Adds a transaction, and plans its commit. @param deferMs see `TransactionOptions` */
  add(transaction: PendingTransaction, deferMs: number): void {
    if (deferMs === 0) {
      this.#pending.push(transaction);
      if (!this.#isImminent) this.#commitSoon();
      return;
    }
    this.#deferred.push(transaction);
    const now = performance.now();
    this.#joinsFrom = Math.min(this.#joinsFrom, now + deferMs / 2);
    if (now + deferMs >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = now + deferMs;
    this.#timer = setTimeout(() => {
      this.#takeDeferred();
      if (!this.#isImminent) this.#commitSoon();
    }, deferMs);
  }

  /** Commits nothing until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Goes on committing. */
  release(): void {
    this.#isHeld = false;
    if (this.#isImminent) this.#commitSoon();
  }

  /** Commits what waits now. Nothing may be added afterwards. */
  close(): void {
    this.#closed = true;
    this.#takeDeferred();
    while (this.#pending.length > 0) this.#commit(this.#nextGroup());
  }

  /** Commits in the next turn of the event loop: what arrives until then shares the commit. */
  #commitSoon(): void {
    this.#isImminent = true;
    if (this.#isHeld) return;
    setImmediate(() => {
      if (this.#closed || this.#isHeld) return;
      this.#isImminent = false;
      if (performance.now() >= this.#joinsFrom) this.#takeDeferred();
      if (this.#pending.length > 0) this.#commit(this.#nextGroup());
      if (this.#pending.length > 0 && !this.#isImminent) this.#commitSoon();
    });
  }

  /** Adds the deferred transactions to the next commit. */
  #takeDeferred(): void {
    clearTimeout(this.#timer);
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#joinsFrom = Number.POSITIVE_INFINITY;
    this.#pending.push(...this.#deferred);
    this.#deferred = [];
  }

  /** Takes the transactions that came first. */
  #nextGroup(): PendingTransaction[] {
    const group = this.#pending.slice(0, MAX_GROUP);
    this.#pending = this.#pending.slice(MAX_GROUP);
    return group;
  }
}
