#!/usr/bin/env node
import { type Asked, askedFor } from './arguments.ts';
import { messageOf } from './caught-error.ts';
import { environmentOf, renderExports } from './environment.ts';
import { withLock } from './lock.ts';
// Real servers for tests, on loopback, without containers. See tools/servers/README.md.
import type { Places } from './places.ts';
import { placesOf, readSet } from './places.ts';
import { say } from './progress.ts';
import { endCommands } from './run-command.ts';
import type { ServerVerb } from './server-set.ts';
import { actOn, bringUp, takeDown } from './server-set.ts';
import { renderStatus, statusOf } from './set-status.ts';

const HELP = `Real servers for tests on 127.0.0.1: MongoDB, Kafka, Redis, S3, Toxiproxy.

  up [--cluster] [--mongo-cache GIB]      fetch, build and start what is missing; does nothing when all is well
  down                                    end all servers and delete their data
  status [--json]                         one line a server; exit code 3 unless all are ready
  env                                     lines for: eval "$(… env)"
  stop|start|kill NAME…                   one or more servers; kill is SIGKILL
  pause|resume NAME…                      SIGSTOP and SIGCONT

PARCELWAY_SERVERS_PORT_BASE (27000), PARCELWAY_SERVERS_CACHE, PARCELWAY_SERVERS_DIR: see tools/servers/README.md.
`;

/** Another run on the same set may build for long. */
const LOCK_DEADLINE_MS = 60 * 60_000;

/** As in init scripts: not running. */
const EXIT_NOT_READY = 3;

async function main() {
  const asked = askedFor(process.argv.slice(2));
  if (asked.verb === 'help') return process.stdout.write(HELP);
  if (process.platform !== 'linux') throw new Error('this needs Linux; elsewhere start the servers yourself (see tools/servers/README.md)');
  const places = placesOf(process.env);
  if (asked.verb === 'env') return process.stdout.write(renderExports(environmentOf(existingSet(places))));
  if (asked.verb === 'status') return printStatus(places, asked.json);
  await withLock(places.run, LOCK_DEADLINE_MS, () => change(places, asked));
}

function existingSet(places: Places) {
  const { run, base } = places;
  const config = readSet(run);
  if (config === undefined) throw new Error(`no set of servers in ${places.run}; start one with "up"`);
  if (process.env.PARCELWAY_SERVERS_PORT_BASE && config.base !== base) {
    throw new Error(`the set in ${run} has port base ${config.base}, not ${base}; unset PARCELWAY_SERVERS_PORT_BASE or take the set down`);
  }
  return config;
}

async function change(places: Places, { verb, cluster, mongoCache, servers }: Asked) {
  const { cache, run, base } = places;
  if (verb === 'up') {
    const config = readSet(run) === undefined ? { base, cluster, ...(mongoCache && { mongoCache }) } : existingSet(places);
    if (config.cluster !== cluster || (mongoCache ?? config.mongoCache) !== config.mongoCache) {
      const found = `a set ${config.cluster ? 'with' : 'without'} a cluster, or with another cache of MongoDB, is here`;
      throw new Error(`${found}; take it down first, or use another PARCELWAY_SERVERS_PORT_BASE`);
    }
    await bringUp({ cache, run, config });
    return say('all servers are up; their addresses: node tools/servers/dist/main.js env');
  }
  if (verb === 'down' && readSet(run) === undefined) return say(`no set of servers in ${run}; nothing to do`);
  const config = existingSet(places);
  if (verb === 'down') return takeDown({ run, config });
  return actOn({ cache, run, config }, verb as ServerVerb, servers);
}

async function printStatus(places: Places, json: boolean) {
  const { run } = places;
  const config = readSet(run);
  if (config === undefined) {
    process.exitCode = EXIT_NOT_READY;
    return process.stdout.write(json ? '{"servers":[]}\n' : `no set of servers in ${places.run}\n`);
  }
  existingSet(places);
  const servers = await statusOf(run, config);
  if (!servers.every((server) => server.state === 'ready')) process.exitCode = EXIT_NOT_READY;
  process.stdout.write(json ? `${JSON.stringify({ ...config, directory: run, servers }, null, 2)}\n` : renderStatus(run, servers));
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endCommands();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
