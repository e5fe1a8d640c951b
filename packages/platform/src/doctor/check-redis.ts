import type { Environ } from '../config.ts';
import { readInstallation, readRedis } from '../distributed-config.ts';
import { describeBytes, describeMs } from './amounts.ts';
import { type Check, reasonOf, Verdict } from './check.ts';
import { readFor } from './configuration.ts';

/** Redis is given up for a request after 250 ms; far below that it should respond. */
const SLOW_MS = 20;
const NEARLY_FULL = 0.9;
/** What follows from its absence, said with every trouble. */
const WITHOUT = 'The API works without Redis: rate limits then hold for each replica by itself, and keys are looked up in MongoDB.';

function nextFor(reason: string): string {
  if (/NOAUTH|WRONGPASS|AUTH|password|NOPERM/i.test(reason))
    return `Put user and password of Redis into REDIS_URL, as redis://user:password@host:6379. ${WITHOUT}`;
  if (/OOM/.test(reason)) return `Give Redis more memory (maxmemory). ${WITHOUT}`;
  if (/READONLY/.test(reason)) return `REDIS_URL names a replica: name the primary. ${WITHOUT}`;
  return `See that it runs and that REDIS_URL can be reached from here (rediss:// when it speaks TLS). ${WITHOUT}`;
}

/** Redis: reachable, lets us in, takes writes, memory and speed. */
export function checkRedis(env: Environ): Check {
  return {
    name: 'redis',
    deadlineMs: 10_000,
    async run(tell) {
      const where = { check: 'redis', names: ['REDIS_URL'], whose: 'gateway or webhook', optional: true };
      const config = readFor(env, readRedis, tell, where);
      if (config === undefined) return;
      const { resourcePrefix } = readInstallation(env);
      const { inspectRedis } = await import('@parcelway/cache/redis-inspection');
      const server = await inspectRedis(config.url, `${resourcePrefix}:`).catch((error: unknown) => {
        const reason = reasonOf(error);
        throw new Verdict('redis', `cannot be used: ${reason}`, nextFor(reason));
      });
      const speed = `responses in ${describeMs(server.roundTripMs)}`;
      if (server.roundTripMs < SLOW_MS) tell.ok('redis', `reachable, version ${server.version}, ${speed}`);
      else
        tell.warning(
          'redis',
          speed,
          'Every request waits for it up to three times: move it nearer, or see what keeps it busy (SLOWLOG GET).',
        );
      const { maxMemory, usedMemory, policy } = server;
      const memory = `${describeBytes(usedMemory)} used of ${maxMemory === 0 ? 'no limit' : describeBytes(maxMemory)}, maxmemory-policy ${policy}`;
      if (policy !== 'noeviction')
        tell.warning(
          'redis memory',
          memory,
          'Set maxmemory-policy noeviction: a rate limit that is evicted begins anew. All keys expire by themselves.',
        );
      else if (maxMemory > 0 && usedMemory > NEARLY_FULL * maxMemory)
        tell.warning('redis memory', memory, 'Give it more memory (maxmemory) before writes are refused.');
      else tell.ok('redis memory', memory);
    },
  };
}
