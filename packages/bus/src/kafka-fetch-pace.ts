import { MAX_BATCH } from './driver.ts';

/** How long records gather after a response with one record, and how much longer for each further one, up to a limit; milliseconds. */
const GATHER = { firstMs: 15, furtherMs: 10, maxMs: 35 } as const;
/** How long records of a group gather that nobody waits for. */
const UNHURRIED_GATHER_MS = 400;
/** After a response with more than this there is a backlog, and nothing to wait for. More records of an unhurried group come in the time that it gathers. */
const BACKLOG = { records: 50, unhurried: MAX_BATCH, bytes: 500_000 } as const;
/**
 * A broker responds as soon as there is a record, or after this time. So late a member notices that the group rebalances, and the others wait for
 * it. And so late a broker responds to the next fetch after one that was ended here, because it serves a connection in order.
 */
const WAIT_MS = 750;
/** The same of a member that has had no record for {@link IDLE_AFTER_MS}: nobody waits for anything, and each fetch costs. */
const IDLE_WAIT_MS = 3000;
const IDLE_AFTER_MS = 10_000;
/** The same while a partition is left out of the fetches: how late it may come in again. */
const FULL_WAIT_MS = 250;

/** When a broker responded last, an instant of `performance.now()`, and with how many records. */
interface LastResponse {
  readonly at: number;
  readonly records: number;
  readonly isBacklog: boolean;
}

/** Decides when a member asks a broker for more, and how long the broker may wait for it. */
export class KafkaFetchPace {
  readonly #full = new Set<number>();
  /** By id of the broker. */
  readonly #last = new Map<string, LastResponse>();
  /** What ends each of the waits under way. */
  readonly #waits = new Set<() => void>();
  /** When records came last, an instant of `performance.now()`. */
  #recordsAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  readonly #isUnhurried: boolean;

  /** @param isUnhurried nobody waits for the group. For other groups a short wait pays under load: fewer batches leave a busy processor free sooner */
  constructor(isUnhurried = false) {
    this.#isUnhurried = isUnhurried;
  }

  /** Time that the broker may wait for a record, milliseconds. */
  get maxWaitMs(): number {
    if (this.#full.size > 0) return FULL_WAIT_MS;
    return performance.now() - this.#recordsAt < IDLE_AFTER_MS ? WAIT_MS : IDLE_WAIT_MS;
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

  /** Resolves when the broker may be asked; at once after {@link wake} or {@link stop}. */
  async turn(nodeId: string): Promise<void> {
    const last = this.#last.get(nodeId);
    if (last === undefined || last.records === 0 || last.isBacklog) return;
    const { firstMs, furtherMs, maxMs } = GATHER;
    const gatherMs = this.#isUnhurried ? UNHURRIED_GATHER_MS : Math.min(maxMs, firstMs + (last.records - 1) * furtherMs);
    const pauseMs = last.at + gatherMs - performance.now();
    if (pauseMs <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    await this.#unlessWoken(new Promise((resolve) => (timer = setTimeout(resolve, pauseMs))));
    clearTimeout(timer);
  }

  /** A broker has responded with so many records, whose values have so many bytes. */
  responded(nodeId: string, records: number, bytes = 0): void {
    const at = performance.now();
    const most = this.#isUnhurried ? BACKLOG.unhurried : BACKLOG.records;
    this.#last.set(nodeId, { at, records, isBacklog: records > most || bytes > BACKLOG.bytes });
    if (records > 0) this.#recordsAt = at;
  }

  /** The result of a fetch; undefined after {@link wake} or {@link stop}, without waiting for the broker. */
  untilWoken<T>(fetch: Promise<T>): Promise<T | undefined> {
    // After a wake nobody waits for its failure.
    fetch.catch(() => undefined);
    return this.#unlessWoken(fetch);
  }

  /**
   * Ends the waits under way: what the brokers respond does not count any more. The next fetch waits behind the one that was ended, and has to end within
   * the time of a request all the same, so it is short.
   */
  wake(): void {
    this.#recordsAt = performance.now();
    for (const end of this.#waits) end();
  }

  /** Ends all waiting. */
  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  /** True after {@link stop}. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  #unlessWoken<T>(work: Promise<T>): Promise<T | undefined> {
    if (this.#isStopped) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const end = (): void => resolve(undefined);
      this.#waits.add(end);
      work.then(resolve, reject).finally(() => this.#waits.delete(end));
    });
  }
}
