import { AppError } from '@parcelway/kernel/app-error';

interface Line {
  /** Those that wait and the one that runs. */
  present: number;
  last: Promise<unknown>;
}

/** Runs one job of a key at a time, in the order in which they came. */
export class SerialQueue {
  readonly #maxWaiting: number;
  readonly #lines = new Map<string, Line>();

  /** @param maxWaiting so many may wait behind the one that runs */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** @throws AppError 50301 when too many wait; what `job` throws as it is */
  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { present: 0, last: Promise.resolve() };
    if (line.present > this.#maxWaiting) throw AppError.unavailable('Too many writes wait for each other; try again');
    this.#lines.set(key, line);
    line.present += 1;
    const turn = line.last.then(job);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.present -= 1;
      if (line.present === 0) this.#lines.delete(key);
    }
  }
}
