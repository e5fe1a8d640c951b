/** Connections that were free for so long are too many, milliseconds. */
const SURPLUS_MS = 2000;
/** So many free ones are kept, so that hardly ever all of them lead to one replica. */
const KEPT = 16;

/** A failure counts as a response that took so long, milliseconds: failing takes less time than working. */
const FAILURE_MS = 30_000;

const NONE: readonly never[] = [];

/** A connection, as far as it is chosen. */
export interface TimedConnection {
  /** What {@link countedMs} makes of its last response; 0 before the first one. */
  tookMs: number;
}

/**
 * Time that a response counts for when the quicker of two connections is chosen, milliseconds. A replica that fails at once must not pass for the quick
 * one. 401 is a failure too: the gateway signs every request, so the secret of the replica is another one. A push of a source that proves itself wrongly
 * counts as well, which costs little: all replicas refuse it alike.
 * @param tookMs until its head
 */
export function countedMs(status: number, tookMs: number): number {
  return status >= 500 || status === 401 ? Math.max(FAILURE_MS, tookMs) : tookMs;
}

/**
 * Connections to a service that no request uses. Behind one address there may be several replicas; a connection stays with one of them. Of two that are
 * drawn at random, the one is taken whose last response came sooner (the power of two choices: Mitzenmacher, 2001). So all replicas have work, and a slow
 * one has little of it. Taking what became free last would give everything to few connections, which may all be those of the slow replica.
 *
 * Each of them is used now and then, so none becomes idle, and each costs memory and time. So those that a burst has left behind are sorted out.
 */
export class FreeConnections<C extends TimedConnection> {
  readonly #random: () => number;
  readonly #free: C[] = [];
  /** The fewest that were free since the last look. */
  #fewest = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param random from 0 to below 1 */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  put(connection: C): void {
    this.#free.push(connection);
  }

  /** @returns undefined when there is none */
  take(): C | undefined {
    const free = this.#free;
    this.#fewest = Math.min(this.#fewest, Math.max(0, free.length - 1));
    if (free.length < 2) return free.pop();
    const one = this.#draw();
    const other = this.#draw();
    const chosen = (free[one] as C).tookMs <= (free[other] as C).tookMs ? one : other;
    const connection = free[chosen] as C;
    // Their order says nothing.
    const last = free.pop() as C;
    if (chosen < free.length) free[chosen] = last;
    return connection;
  }

  /**
   * Takes those that nobody needed for a while. @param now an instant of `performance.now()`
   * @returns to be closed
   */
  surplus(now: number): readonly C[] {
    if (now - this.#lookedAt < SURPLUS_MS) return NONE;
    const surplus = this.#free.splice(0, Math.max(0, this.#fewest - KEPT));
    this.#lookedAt = now;
    this.#fewest = this.#free.length;
    return surplus;
  }

  clear(): void {
    this.#free.length = 0;
  }

  #draw(): number {
    return Math.floor(this.#random() * this.#free.length);
  }
}
