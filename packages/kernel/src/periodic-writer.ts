/** Collects in memory and writes every so often and at its stop, so that no request pays for it. Never two writes run at a time. */
export abstract class PeriodicWriter {
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Writes what was collected. Never rejects. */
  protected abstract write(): Promise<void>;

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), this.#everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  /** Writes now, or behind the write that runs. Never rejects. */
  flush(): Promise<void> {
    this.#running = this.#running.then(() => this.write());
    return this.#running;
  }
}
