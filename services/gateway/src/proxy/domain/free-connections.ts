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
  /** When its last request was over, an instant of `performance.now()`. */
  freeSince: number;
}

/** How free connections are chosen. */
export interface FreeConnectionsOptions {
  /** A connection is closed once it has been free for so long, milliseconds. Its next request has to open it anew. */
  readonly idleMs: number;
  /** From 0 to below 1; default Math.random. */
  readonly random?: () => number;
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
 * With few requests a second, chance alone would leave each of many connections unused for so long that it is closed, and most requests would have to open
 * theirs anew. So as long as one of them is open, those that are not are sorted out. With many requests a second all of them are used now and then, and each
 * costs memory and time: what a burst has left behind is sorted out as well.
 */
export class FreeConnections<C extends TimedConnection> {
  readonly #idleMs: number;
  readonly #random: () => number;
  /** The one that became free last is the last. */
  readonly #free: C[] = [];
  /** Sorted out, and not taken yet to be ended. */
  readonly #unneeded: C[] = [];
  /** The fewest that were free since the last look. */
  #fewest = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor({ idleMs, random = Math.random }: FreeConnectionsOptions) {
    this.#idleMs = idleMs;
    this.#random = random;
  }

  /** @param now an instant of `performance.now()`, not before any that was given here */
  put(connection: C, now: number): void {
    connection.freeSince = now;
    this.#free.push(connection);
    this.#dropClosed(now);
  }

  /** @returns undefined when there is none */
  take(now: number): C | undefined {
    const free = this.#free;
    this.#dropClosed(now);
    this.#fewest = Math.min(this.#fewest, Math.max(0, free.length - 1));
    if (free.length < 2) return free.pop();
    const one = this.#draw();
    const other = this.#draw();
    const chosen = (free[one] as C).tookMs <= (free[other] as C).tookMs ? one : other;
    return free.splice(chosen, 1)[0];
  }

  /**
   * Takes those that are sorted out: closed ones, and those that nobody needed for a while, the longest free first.
   * @returns to be ended
   */
  surplus(now: number): readonly C[] {
    if (now - this.#lookedAt >= SURPLUS_MS) {
      this.#unneeded.push(...this.#free.splice(0, Math.max(0, this.#fewest - KEPT)));
      this.#lookedAt = now;
      this.#fewest = this.#free.length;
    }
    return this.#unneeded.length === 0 ? NONE : this.#unneeded.splice(0);
  }

  clear(): void {
    this.#free.length = 0;
    this.#unneeded.length = 0;
  }

  /** Sorts out those that are closed, unless all are. */
  #dropClosed(now: number): void {
    const free = this.#free;
    if (free.length === 0 || this.#isOpen(free[0] as C, now) || !this.#isOpen(free.at(-1) as C, now)) return;
    const closed = free.splice(
      0,
      free.findIndex((connection) => this.#isOpen(connection, now)),
    );
    this.#unneeded.push(...closed);
    this.#fewest = Math.max(0, this.#fewest - closed.length);
  }

  #isOpen({ freeSince }: C, now: number): boolean {
    return now - freeSince < this.#idleMs;
  }

  #draw(): number {
    return Math.floor(this.#random() * this.#free.length);
  }
}
