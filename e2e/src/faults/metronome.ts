/** Begins a work again and again at a steady pace, whether or not the earlier ones have ended, up to a bound. */
export class Metronome {
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;

  /**
   * @param work must not reject on account of what is tested
   * @param maxUnderWay a beat that finds so many unfinished begins none: a machine that is too slow for the pace is not driven into overload
   */
  constructor(perSecond: number, work: () => Promise<void>, maxUnderWay = Number.POSITIVE_INFINITY) {
    this.#timer = setInterval(() => {
      if (this.#running.size >= maxUnderWay) return;
      const one = work()
        .catch((error: unknown) => {
          this.#failure ??= error;
        })
        .finally(() => this.#running.delete(one));
      this.#running.add(one);
    }, 1000 / perSecond);
  }

  /** Begins no more and waits for what has begun. @throws what the first work that failed threw */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
