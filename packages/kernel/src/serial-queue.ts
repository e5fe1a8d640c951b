import { AppError } from './app-error.ts';

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

  /**
   * Runs a job once all earlier ones of its keys have ended. Jobs with several keys cannot block each other: each waits only for those that came
   * before it.
   * @param keys each once
   * @throws AppError 50301 when too many wait; what `job` throws as it is
   */
  async run<T>(keys: readonly string[], job: () => Promise<T>): Promise<T> {
    const lines = keys.map((key) => this.#lines.get(key) ?? { present: 0, last: Promise.resolve() });
    if (lines.some(({ present }) => present > this.#maxWaiting)) throw AppError.unavailable('Too many writes are waiting; try again');
    const before = lines.flatMap(({ present, last }) => (present > 0 ? [last] : []));
    const turn = before.length === 0 ? job() : Promise.all(before).then(job);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    for (const [index, line] of lines.entries()) {
      line.present += 1;
      line.last = ended;
      this.#lines.set(keys[index] as string, line);
    }
    try {
      return await turn;
    } finally {
      for (const [index, line] of lines.entries()) {
        line.present -= 1;
        if (line.present === 0) this.#lines.delete(keys[index] as string);
      }
    }
  }
}
