import type { Clock } from '@parcelway/kernel/clock';
import type { KeyCache } from './key-cache.ts';
import type { RedisConnection } from './redis-connection.ts';

/**
 * After a deletion, values of the key are not believed for so long: a look-up that began before it may still set what it
 * found. Longer than any look-up may take.
 */
const DELETED_MS = 10_000;

/** Clocks of replicas that differ by more do not share values. */
const MAX_SKEW_MS = 500;

interface Entry<T> {
  readonly value: T;
  /** Epoch milliseconds on the clock of the replica that set it. */
  readonly setAt: number;
  readonly ttlMs: number;
}

/** What was stored, when it can still be believed. A text that is none of ours is no value. */
function readEntry<T>(text: string, now: number): T | undefined {
  let entry: Partial<Entry<T>> | null;
  try {
    entry = JSON.parse(text) as Partial<Entry<T>> | null;
  } catch {
    return undefined;
  }
  // Redis drops a value in time, unless it was written late: commands wait in a server that stands still.
  const age = now - Number(entry?.setAt);
  return age >= -MAX_SKEW_MS && age < Number(entry?.ttlMs) ? entry?.value : undefined;
}

class RedisKeyCache<T> implements KeyCache<T> {
  readonly #connection: RedisConnection;
  readonly #name: string;
  readonly #clock: Clock;

  constructor(connection: RedisConnection, name: string, clock: Clock) {
    this.#connection = connection;
    this.#name = name;
    this.#clock = clock;
  }

  get(key: string): Promise<T | undefined> | undefined {
    return this.#connection
      .run((redis) => redis.mget(this.#valueKey(key), this.#deletedKey(key)))
      ?.then(
        ([text, deleted]) => (typeof text === 'string' && deleted === null ? readEntry<T>(text, this.#clock.now()) : undefined),
        () => undefined, // the connection logs the failure; here and below
      );
  }

  set(key: string, value: T, ttlMs: number): void {
    if (ttlMs <= 0) {
      this.#forget(key);
      return;
    }
    const entry: Entry<T> = { value, setAt: this.#clock.now(), ttlMs };
    const written = this.#connection.run((redis) => redis.set(this.#valueKey(key), JSON.stringify(entry), 'PX', Math.ceil(ttlMs)));
    written?.catch(() => undefined);
  }

  delete(key: string): void {
    const marked = this.#connection.run((redis) => redis.set(this.#deletedKey(key), '1', 'PX', DELETED_MS));
    marked?.catch(() => undefined);
    this.#forget(key);
  }

  #forget(key: string): void {
    this.#connection.run((redis) => redis.del(this.#valueKey(key)))?.catch(() => undefined);
  }

  #valueKey(key: string): string {
    return `${this.#name}:value:${key}`;
  }

  #deletedKey(key: string): string {
    return `${this.#name}:deleted:${key}`;
  }
}

/**
 * A cache in Redis, shared by the replicas of a service. While Redis is away, every look-up is a miss at once.
 * A deletion holds for {@link DELETED_MS}: what is set meanwhile is not given back, as it may have been looked up before.
 * @param options.name of the cache; caches of different names do not meet
 * @param options.clock guards against values that were written late; replicas' clocks should agree to half a second
 */
export function createRedisKeyCache<T>(options: {
  readonly connection: RedisConnection;
  readonly name: string;
  readonly clock: Clock;
}): KeyCache<T> {
  return new RedisKeyCache<T>(options.connection, options.name, options.clock);
}
