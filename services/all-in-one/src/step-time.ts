/** The time that a step of the migration has. */
export class StepTime {
  /** Fails when the time is over. */
  readonly over: Promise<never>;
  readonly #startedAt = performance.now();
  /** An instant of `performance.now()`. */
  #waitsUntil: number;
  /** When its long work has to be done, all tries together; undefined before the first. */
  #worksUntil: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #fail: (error: Error) => void = () => undefined;

  /** @param waitsUntil an instant of `performance.now()`: the step waits until then for servers that are out */
  constructor(waitsUntil: number) {
    this.#waitsUntil = waitsUntil;
    this.over = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    // Nobody may wait for it yet.
    this.over.catch(() => undefined);
    this.#endAt(waitsUntil);
  }

  /** Until when servers that are out are waited for, an instant of `performance.now()`. Long work moves it by the time that it takes. */
  get waitsUntil(): number {
    return this.#waitsUntil;
  }

  /**
   * Runs work that takes long by itself: its time is no waiting, and what follows it waits again, also when it fails.
   * @param ms that the step has for such work from its beginning on, all tries together
   */
  async whileWorking<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    this.#worksUntil ??= startedAt + ms;
    this.#endAt(this.#worksUntil);
    try {
      return await work();
    } finally {
      this.#waitsUntil += performance.now() - startedAt;
      this.#endAt(this.#waitsUntil);
    }
  }

  /** The step is over. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #endAt(end: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const seconds = Math.round((end - this.#startedAt) / 1000);
    const fail = (): void => this.#fail(new Error(`not done within ${seconds} s`));
    this.#timer = setTimeout(fail, Math.max(0, end - performance.now()));
  }
}
