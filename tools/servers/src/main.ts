#!/usr/bin/env node
// Real servers for tests, on loopback, without containers. See tools/servers/README.md.
import { Command, InvalidArgumentError } from 'commander';
import { messageOf } from './caught-error.ts';
import { environmentOf, renderExports } from './environment.ts';
import { withLock } from './lock.ts';
import { placesOf, readSet } from './places.ts';
import { say } from './progress.ts';
import { endCommands } from './run-command.ts';
import { actOn, bringUp, type ServerVerb, takeDown } from './server-set.ts';
import { renderStatus, statusOf } from './set-status.ts';

/** Another run on the same set may build for long. */
const LOCK_DEADLINE_MS = 60 * 60_000;

/** As in init scripts: not running. */
const EXIT_NOT_READY = 3;

/** What MongoDB takes as a cache, GiB. */
const MONGO_CACHE = { min: 0.25, max: 64 };

process.once('uncaughtException', (error) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});

const { cache, run, base } = placesOf(process.env);

/** The set that is here. @throws Error when there is none, or one with other ports than the environment says */
function existingSet() {
  const config = readSet(run);
  if (config === undefined) throw new Error(`no set of servers in ${run}; start one with "up"`);
  if (process.env.PARCELWAY_SERVERS_PORT_BASE && config.base !== base) {
    throw new Error(`the set in ${run} has port base ${config.base}, not ${base}; unset PARCELWAY_SERVERS_PORT_BASE or take the set down`);
  }
  return config;
}

/** Does what changes a set, while no other run does. */
const locked = (work: () => Promise<void>) => withLock(run, LOCK_DEADLINE_MS, work);

async function up({ cluster, mongoCache }: { readonly cluster: boolean; readonly mongoCache?: number }) {
  const config = readSet(run) === undefined ? { base, cluster, ...(mongoCache && { mongoCache }) } : existingSet();
  if (config.cluster !== cluster || (mongoCache ?? config.mongoCache) !== config.mongoCache) {
    const found = `a set ${config.cluster ? 'with' : 'without'} a cluster, or with another cache of MongoDB, is here`;
    throw new Error(`${found}; take it down first, or use another PARCELWAY_SERVERS_PORT_BASE`);
  }
  await bringUp({ cache, run, config });
  say('all servers are up; their addresses: node tools/servers/dist/main.js env');
}

async function down() {
  if (readSet(run) === undefined) return say(`no set of servers in ${run}; nothing to do`);
  await takeDown({ run, config: existingSet() });
}

async function status({ json = false }: { readonly json?: boolean }): Promise<void> {
  if (readSet(run) === undefined) {
    process.exitCode = EXIT_NOT_READY;
    process.stdout.write(json ? '{"servers":[]}\n' : `no set of servers in ${run}\n`);
    return;
  }
  const config = existingSet();
  const servers = await statusOf(run, config);
  if (!servers.every((server) => server.state === 'ready')) process.exitCode = EXIT_NOT_READY;
  process.stdout.write(json ? `${JSON.stringify({ ...config, directory: run, servers }, null, 2)}\n` : renderStatus(run, servers));
}

function mongoCacheOf(text: string): number {
  const { min, max } = MONGO_CACHE;
  const gib = Number(text || Number.NaN);
  if (!(gib >= min && gib <= max)) throw new InvalidArgumentError(`It takes GiB from ${min} to ${max}.`);
  return gib;
}

const verbs: Readonly<Record<ServerVerb, string>> = {
  stop: 'ends servers with SIGTERM',
  start: 'starts servers again',
  kill: 'ends servers with SIGKILL',
  pause: 'stops servers with SIGSTOP; their connections stay',
  resume: 'lets paused servers go on',
};

const program = new Command('servers')
  .description('Real servers for tests on 127.0.0.1: MongoDB, Kafka, Redis, S3, Toxiproxy.')
  .addHelpText(
    'after',
    '\nPARCELWAY_SERVERS_PORT_BASE (27000), PARCELWAY_SERVERS_CACHE, PARCELWAY_SERVERS_DIR: see tools/servers/README.md.',
  )
  .hook('preAction', () => {
    if (process.platform !== 'linux')
      throw new Error('this needs Linux; elsewhere start the servers yourself (see tools/servers/README.md)');
  });
program
  .command('up')
  .description('fetches, builds and starts what is missing; does nothing when all is well')
  .option('--cluster', 'three MongoDB members and three brokers', false)
  .option('--mongo-cache <GiB>', 'cache of a MongoDB member', mongoCacheOf)
  .action((options) => locked(() => up(options)));
program
  .command('down')
  .description('ends all servers and deletes their data')
  .action(() => locked(down));
program
  .command('status')
  .description('prints one line a server; exit code 3 unless all are ready')
  .option('--json', 'as JSON')
  .action(status);
program
  .command('env')
  .description('prints lines for: eval "$(… env)"')
  .action(() => void process.stdout.write(renderExports(environmentOf(existingSet()))));
for (const [verb, words] of Object.entries(verbs))
  program
    .command(verb)
    .argument('<name...>', 'such as mongo-1')
    .description(words)
    .action((names: string[]) => locked(() => actOn({ cache, run, config: existingSet() }, verb as ServerVerb, names)));

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endCommands();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

await program.parseAsync();
