import { backOffMs } from '@parcelway/kernel/back-off';
import type { Logger } from '@parcelway/kernel/logger';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { Redis } from 'ioredis';

/** What {@link openRedis} needs. */
export interface RedisOptions {
  readonly logger: Logger;
  /** In front of every key, such as `parcelway:sandbox:`, so that installations can share a server. */
  readonly keyPrefix: string;
}

/** A connection to Redis that may be away at any time: its users can do without it. */
export interface RedisConnection {
  /**
   * Sends what `command` sends.
   * @returns its promise, which settles within {@link COMMAND_MS} and may reject; undefined when Redis is
   * known to be away, so that callers go on without waiting
   */
  run<T>(command: (redis: Redis) => Promise<T>): Promise<T> | undefined;
  close(): Promise<void>;
}

/** A command without a response for so long has failed. A healthy server responds within a few milliseconds. */
export const COMMAND_MS = 250;
/** A connection that stays silent for so long with commands under way is closed and replaced. */
const SILENT_MS = 1000;
const CONNECT_MS = 1000;
/** Time for a connection that is closed to say goodbye. */
const GOODBYE_MS = 250;
const RECONNECT = { firstMs: 50, maxMs: 2000 };
/** Calls go without Redis for so long after one has failed; then a probe is sent. */
const PAUSE_MS = 1000;

/** For how long the probe's value stays. Writing shows what a ping would not: that the server is full or a replica. */
const PROBE_TTL_MS = 1000;

function messageOf(error: unknown): string {
  // Only the message: the error itself carries the command with its arguments, and with them passwords and keys.
  return error instanceof Error ? error.message : String(error);
}

/**
 * Fails what takes longer than {@link COMMAND_MS}. A response that came while this process stood still is in time: it is read before the
 * failure is reported.
 */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('Command timed out'));
    const timer = setTimeout(() => setImmediate(fail), COMMAND_MS);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** What a {@link CircuitBreaker} is made of. */
interface CircuitBreakerOptions {
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** Milliseconds between two probes of a server that is away. */
  readonly pauseMs: number;
  /** Called once when the server is found to be away. */
  readonly onAway: (reason: string) => void;
  /** Called once when it responds again. */
  readonly onBack: (awayMs: number) => void;
}

/**
 * Circuit breaker for a server that callers can do without: the first failure opens it, so that not each caller waits to find out.
 * While it is open, callers go without the server, and a probe now and then finds out whether it is back.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #awaySince: number | undefined;
  #nextProbeAt = 0;
  #isProbing = false;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  /** A call has failed. Calls that were made before the server was found away change nothing. */
  failed(reason: string): void {
    if (this.#awaySince !== undefined) return;
    this.#awaySince = this.#options.now();
    this.#nextProbeAt = this.#awaySince + this.#options.pauseMs;
    this.#options.onAway(reason);
  }

  /**
   * Runs a probe when the server is away, the pause is over and no other probe runs.
   * @param probe asks the server within its own deadline; it rejects while the server is down
   * @param atOnce true when there is a sign of life, so that the pause need not be over
   */
  probe(probe: () => Promise<unknown>, atOnce = false): void {
    if (this.#awaySince === undefined || this.#isProbing) return;
    if (!atOnce && this.#options.now() < this.#nextProbeAt) return;
    this.#isProbing = true;
    probe().then(
      () => this.#back(),
      () => this.#stillAway(),
    );
  }

  #back(): void {
    const awayMs = this.#options.now() - (this.#awaySince as number);
    this.#isProbing = false;
    this.#awaySince = undefined;
    this.#options.onBack(awayMs);
  }

  #stillAway(): void {
    this.#isProbing = false;
    this.#nextProbeAt = this.#options.now() + this.#options.pauseMs;
  }
}

class OpenRedis implements RedisConnection {
  readonly #redis: Redis;
  readonly #breaker: CircuitBreaker;
  #lastError = 'the connection was closed';
  #isClosed = false;

  constructor(url: string, { logger, keyPrefix }: RedisOptions) {
    this.#breaker = new CircuitBreaker({
      now: () => performance.now(),
      pauseMs: PAUSE_MS,
      onAway: (reason) => logger.warn({ reason }, 'Redis does not respond; this process continues without it'),
      onBack: (awayMs) => logger.info({ away_ms: Math.round(awayMs) }, 'Redis responds again'),
    });
    this.#redis = new Redis(url, {
      lazyConnect: true,
      keyPrefix,
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      disconnectTimeout: GOODBYE_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      // The caller knows what has failed: sent again later it would take tokens twice or bring back old values.
      autoResendUnfulfilledCommands: false,
      retryStrategy: (failures) => backOffMs(RECONNECT, failures, Math.random()),
      // A server that became a replica refuses writes until the connection is made again.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    });
    this.#redis.on('error', (error) => {
      this.#lastError = messageOf(error);
    });
    this.#redis.on('close', () => this.#fail(this.#lastError));
    this.#redis.on('ready', () => this.#breaker.probe(() => this.#probe(), true));
  }

  /** Resolves when the first attempt has succeeded or failed; later ones follow by themselves. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch((error: unknown) => this.#fail(messageOf(error)));
  }

  run<T>(command: (redis: Redis) => Promise<T>): Promise<T> | undefined {
    if (this.#breaker.isAway) {
      this.#breaker.probe(() => this.#probe());
      return undefined;
    }
    return inTime(command(this.#redis)).catch((error: unknown) => {
      this.#fail(messageOf(error));
      throw error;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  #fail(reason: string): void {
    if (!this.#isClosed) this.#breaker.failed(reason);
  }

  #probe(): Promise<unknown> {
    return inTime(this.#redis.set('probe', '1', 'PX', PROBE_TTL_MS));
  }
}

/**
 * Connects to Redis. A server that cannot be reached is no failure: it is logged, and attempts go on until `close`.
 * @param url `redis://` or `rediss://` (TLS), with user, password and database number as usual
 * @throws RangeError for an invalid address
 */
export async function openRedis(url: string, options: RedisOptions): Promise<RedisConnection> {
  // The address is not logged: it may hold a password.
  if (!/^rediss?:$/.test(parseUrl(url)?.protocol ?? '')) throw new RangeError('The address of Redis must be redis://… or rediss://…');
  const connection = new OpenRedis(url, options);
  await connection.connect();
  return connection;
}
