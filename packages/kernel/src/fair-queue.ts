import { AppError } from './app-error.ts';
import { FairShares, type FairSharesOptions, FairTurns } from './fair-shares.ts';

/** What a scarce resource is, and who may wait for it. */
export interface FairQueueOptions {
  /** Uses at a time. */
  readonly atOnce: number;
  /** What of the free ones a holder may have, as of {@link FairSharesOptions}: with 1 at most half of all, with 2 two thirds. Default 1. */
  readonly part?: FairSharesOptions['part'];
  /** Uses and those who wait together, of which one holder has at most half; default no bound, where the caller has one. */
  readonly places?: number;
  /** Who has waited so long is refused; milliseconds. */
  readonly maxWaitMs: number;
  /** What is refused, such as "Too many spreadsheets are being read". */
  readonly refusal: string;
  /** Default 1. */
  readonly retryAfterSeconds?: number;
}

/**
 * The fair queue of a scarce resource: holders, usually tenants, take turns. What becomes free goes to the holder that has the fewest; among those, to the
 * one that has waited longest.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #turns: FairTurns;
  readonly #places: FairShares;
  /** Refuses one who waits. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(options: FairQueueOptions) {
    const { atOnce, part = 1, places = Number.MAX_SAFE_INTEGER } = options;
    this.#options = options;
    this.#turns = new FairTurns({ capacity: atOnce, part });
    this.#places = new FairShares({ capacity: places, part: 1 });
  }

  /**
   * Takes a turn as soon as the share of the holder allows it.
   * @param signal stops waiting
   * @returns gives it back; to be called once
   * @throws AppError 50301 when too many wait, the wait takes too long, the signal is aborted or the queue is closed
   */
  async take(holder: string, signal?: AbortSignal, maxWaitMs = this.#options.maxWaitMs): Promise<() => void> {
    if (!this.#places.take(holder)) throw this.#refused();
    try {
      await this.#wait(holder, maxWaitMs, signal);
    } catch (error) {
      this.#places.give(holder);
      throw error;
    }
    return () => {
      this.#turns.give(holder);
      this.#places.give(holder);
    };
  }

  /** Does work in a turn. @throws AppError 50301 as {@link take}; whatever the work throws */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const give = await this.take(holder);
    try {
      return await work();
    } finally {
      give();
    }
  }

  /** Refuses those who wait, and everybody after them. */
  close(): void {
    this.#isClosed = true;
    for (const refuse of [...this.#waiting]) refuse();
  }

  #refused(): AppError {
    return AppError.unavailable(`${this.#options.refusal}; try again`, undefined, this.#options.retryAfterSeconds);
  }

  #wait(holder: string, maxWaitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClosed || signal?.aborted) return Promise.reject(this.#refused());
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', refuse);
        this.#waiting.delete(refuse);
        end();
      };
      const refuse = (): void =>
        settle(() => {
          forget();
          reject(this.#refused());
        });
      const deadline = setTimeout(refuse, Math.max(0, maxWaitMs));
      signal?.addEventListener('abort', refuse);
      this.#waiting.add(refuse);
      const forget = this.#turns.wait(holder, () => settle(resolve));
    });
  }
}
