import { Redis } from 'ioredis';

const CONNECT_MS = 3000;
const COMMAND_MS = 3000;
const PINGS = 5;
const PROBE_TTL_MS = 1000;

/** What a Redis server says of itself. */
export interface RedisServer {
  readonly version: string;
  /** `maxmemory-policy`. */
  readonly policy: string;
  /** Bytes; 0 for no limit. */
  readonly maxMemory: number;
  /** Bytes. */
  readonly usedMemory: number;
  /** Median of some round trips, milliseconds. */
  readonly roundTripMs: number;
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

async function roundTripMs(redis: Redis): Promise<number> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping += 1) {
    const startedAt = performance.now();
    await redis.ping();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(PINGS / 2)] as number;
}

/**
 * Looks at a Redis server and writes a key that is gone after a second.
 * @param keyPrefix in front of that key
 * @throws Error in the server's or the system's words: out of reach, refused, full
 */
export async function inspectRedis(url: string, keyPrefix: string): Promise<RedisServer> {
  const redis = new Redis(url, {
    lazyConnect: true,
    keyPrefix,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason = error;
  });
  try {
    // Its rejection says that the connection is closed; why, says the event.
    await redis.connect().catch((error: unknown) => Promise.reject(reason ?? error));
    const fields = fieldsOf(await redis.info());
    await redis.set('doctor', '1', 'PX', PROBE_TTL_MS);
    return {
      version: fields.get('redis_version') ?? 'unknown',
      policy: fields.get('maxmemory_policy') ?? 'unknown',
      maxMemory: Number(fields.get('maxmemory') ?? 0),
      usedMemory: Number(fields.get('used_memory') ?? 0),
      roundTripMs: await roundTripMs(redis),
    };
  } finally {
    redis.disconnect();
  }
}
