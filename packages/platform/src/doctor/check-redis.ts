import type { Environ } from '../config.ts';
import { readInstallation, readRedis } from '../distributed-config.ts';
import { describeBytes, describeMs } from './amounts.ts';
import { type Check, reasonOf, Verdict } from './check.ts';
import { readFor } from './configuration.ts';

/** A request stops waiting for Redis after 250 ms; Redis should respond in far less. */
const SLOW_MS = 20;
const NEARLY_FULL = 0.9;
/** What happens without Redis; part of every finding. */
const WITHOUT = 'The API works without Redis: each replica then enforces rate limits by itself, and keys are looked up in MongoDB.';

const loadInspection = () => import('@parcelway/cache/redis-inspection');

function nextFor(reason: string): string {
  if (/NOAUTH|WRONGPASS|AUTH|password|NOPERM/i.test(reason))
    return `Put the user and password of Redis in REDIS_URL, as redis://user:password@host:6379. ${WITHOUT}`;
  if (/OOM/.test(reason)) return `Give Redis more memory (maxmemory). ${WITHOUT}`;
  if (/READONLY/.test(reason)) return `REDIS_URL names a replica: name the primary. ${WITHOUT}`;
  return `Check that it runs and that REDIS_URL can be reached from here (use rediss:// for TLS). ${WITHOUT}`;
}

/** Checks Redis: reachable, credentials, writable, memory and speed. */
export function checkRedis(env: Environ): Check {
  return {
    name: 'redis',
    deadlineMs: 10_000,
    load: loadInspection,
    async run(report) {
      const where = { check: 'redis', names: ['REDIS_URL'], whose: 'gateway or webhook', optional: true };
      const config = readFor(env, readRedis, report, where);
      if (config === undefined) return;
      const { resourcePrefix } = readInstallation(env);
      const { inspectRedis } = await loadInspection();
      const server = await inspectRedis(config.url, `${resourcePrefix}:`).catch((error: unknown) => {
        const reason = reasonOf(error);
        throw new Verdict('redis', `cannot be used: ${reason}`, nextFor(reason));
      });
      const speed = `responses in ${describeMs(server.roundTripMs)}`;
      if (server.roundTripMs < SLOW_MS) report.ok('redis', `reachable, version ${server.version}, ${speed}`);
      else
        report.warning(
          'redis',
          speed,
          'Every request waits for it up to three times: move it closer, or find what keeps it busy (SLOWLOG GET).',
        );
      const { maxMemory, usedMemory, policy } = server;
      const memory = `${describeBytes(usedMemory)} used of ${maxMemory === 0 ? 'no limit' : describeBytes(maxMemory)}, maxmemory-policy ${policy}`;
      if (policy !== 'noeviction')
        report.warning(
          'redis memory',
          memory,
          'Set maxmemory-policy noeviction: an evicted rate limit starts again from zero. All keys expire by themselves.',
        );
      else if (maxMemory > 0 && usedMemory > NEARLY_FULL * maxMemory)
        report.warning('redis memory', memory, 'Give it more memory (maxmemory) before it refuses writes.');
      else report.ok('redis memory', memory);
    },
  };
}
