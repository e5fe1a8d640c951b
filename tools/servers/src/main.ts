#!/usr/bin/env node
// Real servers for tests, on loopback, without containers. See tools/servers/README.md.
import { Command, InvalidArgumentError } from 'commander';
import { messageOf } from './caught-error.ts';
import { environmentOf, placesOf, readSet } from './places.ts';
import { say } from './progress.ts';
import { actOn, bringUp, statusOf, takeDown, verbs } from './server-set.ts';

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
  if (process.env.PARCELWAY_SERVERS_PORT_BASE && config.base !== base)
    throw new Error(`the set in ${run} has port base ${config.base}, not ${base}; unset PARCELWAY_SERVERS_PORT_BASE or take the set down`);
  return config;
}

async function up({ cluster, mongoCache }: { readonly cluster: boolean; readonly mongoCache?: number }) {
  const config = readSet(run) === undefined ? { base, cluster, ...(mongoCache && { mongoCache }) } : existingSet();
  if (config.cluster !== cluster || (mongoCache ?? config.mongoCache) !== config.mongoCache)
    throw new Error('a set with other options is here; take it down first, or use another PARCELWAY_SERVERS_PORT_BASE');
  await bringUp({ cache, run, config });
  say('all servers are up; their addresses: node tools/servers/dist/main.js env');
}

async function down() {
  if (readSet(run) === undefined) return say(`no set of servers in ${run}; nothing to do`);
  await takeDown({ run, config: existingSet() });
}

async function status({ json = false }: { readonly json?: boolean }): Promise<void> {
  const servers = readSet(run) === undefined ? [] : await statusOf({ run, config: existingSet() });
  if (servers.length === 0 || servers.some(({ state }) => state !== 'ready')) process.exitCode = EXIT_NOT_READY;
  if (json) return console.log(JSON.stringify({ directory: run, servers }, null, 2));
  for (const { name, state, pid, ports, problem } of servers)
    console.log([name.padEnd(10), state.padEnd(8), String(pid ?? '-').padStart(8), ports.join(','), problem ?? ''].join('  ').trimEnd());
  console.log(servers.length === 0 ? `no set of servers in ${run}` : `data and logs in ${run}`);
}

function env() {
  for (const [name, value] of Object.entries(environmentOf(existingSet()))) console.log(`export ${name}='${value}'`);
}

function mongoCacheOf(text: string): number {
  const { min, max } = MONGO_CACHE;
  const gib = Number(text || Number.NaN);
  if (!(gib >= min && gib <= max)) throw new InvalidArgumentError(`It takes GiB from ${min} to ${max}.`);
  return gib;
}

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
  .action(up);
program.command('down').description('ends all servers and deletes their data').action(down);
program
  .command('status')
  .description('prints one line a server; exit code 3 unless all are ready')
  .option('--json', 'as JSON')
  .action(status);
program.command('env').description('prints lines for: eval "$(… env)"').action(env);
for (const [verb, { about }] of Object.entries(verbs))
  program
    .command(verb)
    .argument('<name...>', 'such as mongo-1')
    .description(about)
    .action((names: string[]) => actOn({ cache, run, config: existingSet() }, verb as keyof typeof verbs, names));

await program.parseAsync();
