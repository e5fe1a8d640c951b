import type { BatchLoop } from './batch-loop.ts';

/** Records of a group that nobody waits for gather for this long, so that one wake serves all partitions. */
const UNHURRIED_MS = 250;

/** Wakes the workers of such a group together. The first wake after a rest comes at once, the others {@link UNHURRIED_MS} after the one before. */
export class GatheredWakes {
  readonly #due = new Set<Pick<BatchLoop, 'wake'>>();
  #timer: NodeJS.Timeout | undefined;
  #wokenAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  wake(worker: Pick<BatchLoop, 'wake'>): void {
    if (this.#isStopped) return;
    this.#due.add(worker);
    this.#timer ??= setTimeout(() => this.#wakeAll(), Math.max(0, this.#wokenAt + UNHURRIED_MS - performance.now()));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wakeAll(): void {
    this.#timer = undefined;
    this.#wokenAt = performance.now();
    for (const worker of this.#due) worker.wake();
    this.#due.clear();
  }
}
