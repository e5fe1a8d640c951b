/** Bytes that may be held in memory at the same time, over all that share the budget. */
export class MemoryBudget {
  #left: number;

  /** @param bytes all there is */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes bytes out of the budget. @returns false, and takes nothing, when there are not so many left */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Gives bytes back that were taken. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}
