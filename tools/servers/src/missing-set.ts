import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SetConfig } from './places.ts';
import { readSet } from './places.ts';
import { processOf } from './server.ts';
import { serversOf } from './server-set.ts';

/** Port bases of the sets in the usual place of which at least one server runs. */
function runningBases(cache: string) {
  const home = join(cache, 'run');
  const folders = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  const runs = (run: string, config: SetConfig) => serversOf(config).some((server) => processOf(run, server) !== undefined);
  return folders.flatMap((run) => {
    const config = readSet(run);
    return config !== undefined && runs(run, config) ? [config.base] : [];
  });
}

/** Sentence for people that there is no set where the environment says, and how to reach those that run elsewhere. */
export function missingSet({ cache, run, base }: { cache: string; run: string; base: number }) {
  const others = runningBases(cache).filter((other) => other !== base);
  const sentence = `no set of servers in ${run}`;
  if (others.length === 0) return sentence;
  return `${sentence}; others run: set PARCELWAY_SERVERS_PORT_BASE to ${others.sort((a, b) => a - b).join(' or ')}`;
}
