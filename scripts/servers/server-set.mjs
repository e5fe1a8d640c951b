import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureArtifact } from './artifact.mjs';
import { kafkaServer } from './kafka.mjs';
import { launch } from './launch.mjs';
import { formReplicaSet, mongoServer } from './mongodb.mjs';
import { writeSet } from './places.mjs';
import { portsOf } from './ports.mjs';
import { say, step } from './progress.mjs';
import { redisServer } from './redis.mjs';
import { s3Server } from './s3.mjs';
import { end, hold, processOf } from './server.mjs';
import { restoreProxies, toxiproxyServer } from './toxiproxy.mjs';
import { waitUntil } from './wait-until.mjs';

/** A server that runs, but does not answer for so long, is started anew by `up`. */
const HUNG_AFTER_MS = 20_000;

const SETTLE_DEADLINE_MS = 90_000;

/**
 * The servers of a set, in the order in which they are listed.
 * @param {import('./places.mjs').SetConfig} config
 * @returns {import('./server.mjs').Server[]}
 */
export function serversOf(config) {
  const ports = portsOf(config.base, config.cluster);
  return [
    ...ports.mongo.map((mongo, index) => mongoServer(mongo, index + 1)),
    ...ports.kafka.map((_, index) => kafkaServer(ports.kafka, index + 1)),
    redisServer(ports.redis),
    s3Server(ports.s3, config.s3),
    toxiproxyServer(config),
  ];
}

/**
 * Brings a set up, or what is missing of it. All kinds of servers are fetched and started side by side.
 * @param {{ cache: string, run: string, config: import('./places.mjs').SetConfig }} set
 * @throws {Error} with every kind that failed
 */
export async function bringUp({ cache, run, config }) {
  writeSet(run, config);
  const servers = serversOf(config);
  const kinds = new Map();
  for (const server of servers) kinds.set(server.artifact.name, [...(kinds.get(server.artifact.name) ?? []), server]);
  const outcomes = await Promise.allSettled(
    [...kinds.values()].map(async (kind) => {
      try {
        await bringKindUp({ cache, run, config, kind });
      } catch (error) {
        say(`${kind[0].artifact.name} failed; the others go on`);
        throw error;
      }
    }),
  );
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.message);
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function bringKindUp({ cache, run, config, kind }) {
  const program = await ensureArtifact(cache, kind[0].artifact);
  await Promise.all(kind.map((server) => ensureRunning(run, server, program)));
  const [{ name }] = kind;
  if (name.startsWith('mongo-')) await formReplicaSet(kind.map((server) => server.ports[0]));
  if (name === 'toxiproxy') {
    for (const proxy of await restoreProxies(config)) say(`toxiproxy: created the missing proxy ${proxy}`);
  }
}

async function ensureRunning(run, server, program) {
  const running = processOf(run, server);
  if (running?.paused) {
    await hold(run, server, 'SIGCONT');
    say(`${server.name} was paused; it goes on`);
  }
  if (running !== undefined) {
    try {
      return await waitUntil(server.check, { deadlineMs: HUNG_AFTER_MS });
    } catch (error) {
      say(`${server.name} runs but does not answer (${error.message}); starting it anew`);
      await end(run, server, 'SIGKILL');
    }
  }
  await step(`start ${server.name}`, () => launch(run, server, program));
}

/**
 * Ends all servers of a set.
 * @param {{ run: string, config: import('./places.mjs').SetConfig, keep: boolean }} set `keep` leaves data and logs
 */
export async function takeDown({ run, config, keep }) {
  const servers = serversOf(config);
  await Promise.all(
    servers.map(async (server) => {
      if (await end(run, server, keep ? 'SIGTERM' : 'SIGKILL')) say(`${server.name} ended`);
    }),
  );
  if (keep) return;
  // Only what we made: the folder may have been named by hand.
  for (const { name } of servers) rmSync(join(run, name), { recursive: true, force: true });
  rmSync(join(run, 'set.json'), { force: true });
  if (existsSync(run) && readdirSync(run).length === 0) rmdirSync(run);
}

/** What each verb does to one server. */
const ACTIONS = {
  stop: (set, server) => end(set.run, server, 'SIGTERM'),
  kill: (set, server) => end(set.run, server, 'SIGKILL'),
  pause: (set, server) => hold(set.run, server, 'SIGSTOP'),
  resume: (set, server) => hold(set.run, server, 'SIGCONT'),
  start: startAgain,
  restart: async (set, server) => {
    await end(set.run, server, 'SIGTERM');
    await startAgain(set, server);
  },
};

/**
 * Does one thing to some servers, side by side: of a cluster that lost its majority, several must start at once.
 * @param {{ cache: string, run: string, config: import('./places.mjs').SetConfig }} set
 * @param {keyof typeof ACTIONS} verb
 * @param {string[]} names
 * @throws {Error} for an unknown name, before anything is done
 */
export async function actOn(set, verb, names) {
  const servers = serversOf(set.config);
  const chosen = names.map((name) => {
    const found = servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`no server "${name}" here; there are ${servers.map((server) => server.name).join(', ')}`);
    return found;
  });
  await Promise.all(chosen.map((server) => step(`${verb} ${server.name}`, () => ACTIONS[verb](set, server))));
}

async function startAgain({ cache, run }, server) {
  if (processOf(run, server) === undefined) await launch(run, server, await ensureArtifact(cache, server.artifact));
  if (server.settled !== undefined) await waitUntil(server.settled, { deadlineMs: SETTLE_DEADLINE_MS });
}
