import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSet } from './places.mjs';
import { processOf } from './server.mjs';
import { serversOf } from './server-set.mjs';

/**
 * Port bases of the sets in the usual place of which at least one server runs.
 * @param {string} cache
 */
function runningBases(cache) {
  const home = join(cache, 'run');
  const folders = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  const runs = (run, config) => serversOf(config).some((server) => processOf(run, server) !== undefined);
  return folders.flatMap((run) => {
    const config = readSet(run);
    return config !== undefined && runs(run, config) ? [config.base] : [];
  });
}

/**
 * Sentence for people that there is no set where the environment says, and how to reach those that run elsewhere.
 * @param {{ cache: string, run: string, base: number }} places
 */
export function missingSet({ cache, run, base }) {
  const others = runningBases(cache).filter((other) => other !== base);
  const sentence = `no set of servers in ${run}`;
  if (others.length === 0) return sentence;
  return `${sentence}; others run: set PARCELWAY_SERVERS_PORT_BASE to ${others.sort((a, b) => a - b).join(' or ')}`;
}
