/** The use is an average over about this time by default, milliseconds: a batch that takes some moments does not make a process busy. */
const MEMORY_MS = 1000;
/** It is read anew so often, milliseconds. */
const READ_EVERY_MS = 50;

/** What is read of the event loop since it was made, milliseconds. */
interface LoopTimes {
  readonly active: number;
  readonly idle: number;
}

/**
 * The part of its time that the event loop of this process works, from 0 to 1, as an average over the last moments. What blocks the loop, such as the
 * flush of a commit, counts as work.
 */
export class LoopUse {
  readonly #read: () => LoopTimes;
  readonly #memoryMs: number;
  #last: LoopTimes;
  #readAt = Number.NEGATIVE_INFINITY;
  #use = 0;

  /**
   * @param memoryMs the average is over about this time; default a second
   * @param read default the event loop of this thread
   */
  constructor(memoryMs = MEMORY_MS, read: () => LoopTimes = () => performance.eventLoopUtilization()) {
    this.#memoryMs = memoryMs;
    this.#read = read;
    this.#last = read();
  }

  /** The use at an instant of a clock that never goes back, milliseconds. */
  at(now: number): number {
    if (now - this.#readAt < READ_EVERY_MS) return this.#use;
    const times = this.#read();
    const active = times.active - this.#last.active;
    const elapsed = active + times.idle - this.#last.idle;
    if (elapsed > 0) this.#use += (active / elapsed - this.#use) * (1 - Math.exp(-elapsed / this.#memoryMs));
    this.#last = times;
    this.#readAt = now;
    return this.#use;
  }
}
