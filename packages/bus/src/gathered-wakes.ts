import type { BatchLoop } from './batch-loop.ts';

/** So long records gather of a group that nobody waits for. */
const UNHURRIED_MS = 50;

/** Wakes the workers of a group that nobody waits for, all of them together: at once after a rest, else so long after the last time. */
export class GatheredWakes {
  readonly #due = new Set<Pick<BatchLoop, 'wake'>>();
  #timer: NodeJS.Timeout | undefined;
  #wokenAt = Number.NEGATIVE_INFINITY;

  wake(worker: Pick<BatchLoop, 'wake'>): void {
    this.#due.add(worker);
    this.#timer ??= setTimeout(() => this.#wakeAll(), Math.max(0, this.#wokenAt + UNHURRIED_MS - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wakeAll(): void {
    this.#timer = undefined;
    this.#wokenAt = performance.now();
    for (const worker of this.#due) worker.wake();
    this.#due.clear();
  }
}
