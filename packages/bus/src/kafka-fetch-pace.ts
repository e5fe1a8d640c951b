/** Milliseconds; see {@link KafkaFetchPace}. */
const DEFAULT_GATHER_MS = 20;
/** After a response with more records than this there is a backlog, and nothing to wait for. */
const BACKLOG = 50;
/** A broker responds as soon as there is a record, or after this time: how late an idle member notices that the group rebalances. */
const IDLE_WAIT_MS = 2000;
/** The same while a partition is left out of the fetches: how late it may come in again. */
const FULL_WAIT_MS = 250;

/** When a broker responded last, an instant of `performance.now()`, and with how many records. */
interface LastResponse {
  readonly at: number;
  readonly records: number;
}

/** Decides when a member asks a broker for more, and how long the broker may wait for it. */
export class KafkaFetchPace {
  readonly #full = new Set<number>();
  /** By id of the broker. */
  readonly #last = new Map<string, LastResponse>();
  readonly #stopped = new AbortController();
  readonly #gatherMs: number;

  /**
   * @param gatherMs while records come, a broker is asked for more so long after its last response: what comes meanwhile shares a fetch, and a call
   *   of the handler
   */
  constructor(gatherMs: number = DEFAULT_GATHER_MS) {
    this.#gatherMs = gatherMs;
  }

  /** Time that the broker may wait for a record, milliseconds. */
  get maxWaitMs(): number {
    return this.#full.size > 0 ? FULL_WAIT_MS : IDLE_WAIT_MS;
  }

  /** A partition is left out of the fetches, or takes part again. */
  setFull(partition: number, full: boolean): void {
    if (full) this.#full.add(partition);
    else this.#full.delete(partition);
  }

  /** All partitions take part again. */
  clear(): void {
    this.#full.clear();
  }

  /** Resolves when the broker may be asked; at once after {@link stop}. */
  async turn(nodeId: string): Promise<void> {
    const last = this.#last.get(nodeId);
    if (last === undefined || last.records === 0 || last.records > BACKLOG) return;
    const pauseMs = last.at + this.#gatherMs - performance.now();
    if (pauseMs > 0) await this.#unlessStopped(new Promise((resolve) => setTimeout(resolve, pauseMs)));
  }

  /** A broker has responded with so many records. */
  responded(nodeId: string, records: number): void {
    this.#last.set(nodeId, { at: performance.now(), records });
  }

  /** The result of a fetch; undefined after {@link stop}, without waiting for the broker. */
  untilStopped<T>(fetch: Promise<T>): Promise<T | undefined> {
    // After the stop nobody waits for its failure.
    fetch.catch(() => undefined);
    return this.#unlessStopped(fetch);
  }

  /** Ends all waiting. */
  stop(): void {
    this.#stopped.abort();
  }

  /** True after {@link stop}. */
  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  #unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stopped;
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const end = (): void => resolve(undefined);
      signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
  }
}
