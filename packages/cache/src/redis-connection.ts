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
/** Interval between probes while Redis is away. */
const PROBE_EVERY_MS = 1000;
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

class OpenRedis implements RedisConnection {
  readonly #redis: Redis;
  readonly #logger: Logger;
  /** When it became unavailable, by `performance.now()`; undefined while it responds. */
  #awaySince: number | undefined;
  #probes: NodeJS.Timeout | undefined;
  #lastError = 'the connection was closed';
  #isClosed = false;

  constructor(url: string, { logger, keyPrefix }: RedisOptions) {
    this.#logger = logger;
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
    this.#redis.on('ready', () => void this.#probe());
  }

  /** Resolves when the first attempt has succeeded or failed; later ones follow by themselves. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch((error: unknown) => this.#fail(messageOf(error)));
  }

  run<T>(command: (redis: Redis) => Promise<T>): Promise<T> | undefined {
    if (this.#awaySince !== undefined) return undefined;
    return inTime(command(this.#redis)).catch((error: unknown) => {
      this.#fail(messageOf(error));
      throw error;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probes);
    this.#redis.disconnect();
  }

  /** After the first failure all callers skip Redis, so that they do not each wait for a timeout. */
  #fail(reason: string): void {
    if (this.#isClosed || this.#awaySince !== undefined) return;
    this.#awaySince = performance.now();
    this.#probes = setInterval(() => void this.#probe(), PROBE_EVERY_MS).unref();
    this.#logger.warn({ reason }, 'Redis does not respond; this process continues without it');
  }

  /** Checks whether Redis responds again. Never rejects. */
  async #probe(): Promise<void> {
    try {
      await inTime(this.#redis.set('probe', '1', 'PX', PROBE_TTL_MS));
    } catch {
      return;
    }
    if (this.#isClosed || this.#awaySince === undefined) return;
    clearInterval(this.#probes);
    const awayMs = performance.now() - this.#awaySince;
    this.#awaySince = undefined;
    this.#logger.info({ away_ms: Math.round(awayMs) }, 'Redis responds again');
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
