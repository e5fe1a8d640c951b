import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureArtifact } from './artifact.ts';
import { messageOf } from './caught-error.ts';
import { kafkaServer } from './kafka.ts';
import { launch } from './launch.ts';
import { formReplicaSet, mongoServer } from './mongodb.ts';
import type { SetConfig } from './places.ts';
import { writeSet } from './places.ts';
import { portsOf } from './ports.ts';
import { say, step } from './progress.ts';
import { redisServer } from './redis.ts';
import { s3Server } from './s3.ts';
import type { Server } from './server.ts';
import { end, hold, processOf } from './server.ts';
import { restoreProxies, toxiproxyServer } from './toxiproxy.ts';
import { waitUntil } from './wait-until.ts';

/** A server that runs, but does not respond for so long, is started again by `up`. */
const HUNG_AFTER_MS = 20_000;

const SETTLE_DEADLINE_MS = 90_000;

/** The servers of a set, in the order in which they are listed. */
export function serversOf(config: SetConfig): Server[] {
  const ports = portsOf(config.base, config.cluster);
  return [
    ...ports.mongo.map((mongo, index) => mongoServer(mongo, index + 1, config.mongoCache)),
    ...ports.kafka.map((_, index) => kafkaServer(ports.kafka, index + 1)),
    redisServer(ports.redis),
    s3Server(ports.s3),
    toxiproxyServer(config),
  ];
}

/** A set, and where its programs, data and logs are. */
export interface BroughtSet {
  readonly cache: string;
  readonly run: string;
  readonly config: SetConfig;
}

/**
 * Brings a set up, or what is missing of it. All kinds of servers are fetched and started side by side.
 * @throws Error with every kind that failed
 */
export async function bringUp({ cache, run, config }: BroughtSet) {
  writeSet(run, config);
  const servers = serversOf(config);
  const kinds = new Map<string, [Server, ...Server[]]>();
  for (const server of servers) {
    const known = kinds.get(server.artifact.name);
    kinds.set(server.artifact.name, known === undefined ? [server] : [...known, server]);
  }
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
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => messageOf(outcome.reason));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function bringKindUp({ cache, run, config, kind }: BroughtSet & { readonly kind: readonly [Server, ...Server[]] }) {
  const program = await ensureArtifact(cache, kind[0].artifact);
  await Promise.all(kind.map((server: Server) => ensureRunning(run, server, program)));
  const [{ name }] = kind;
  if (name.startsWith('mongo-')) await formReplicaSet([portOf(kind[0]), ...kind.slice(1).map(portOf)]);
  if (name === 'toxiproxy') {
    for (const proxy of await restoreProxies(config)) say(`toxiproxy: created the missing proxy ${proxy}`);
  }
}

/** The port at which a server is reached. */
function portOf({ name, ports: [port] }: Server): number {
  if (port === undefined) throw new Error(`${name} has no port`);
  return port;
}

async function ensureRunning(run: string, server: Server, program: string) {
  const running = processOf(run, server);
  if (running?.paused) {
    await hold(run, server, 'SIGCONT');
    say(`${server.name} was paused; it goes on`);
  }
  if (running !== undefined) {
    try {
      return await waitUntil(server.check, { deadlineMs: HUNG_AFTER_MS });
    } catch (error) {
      say(`${server.name} runs but does not respond (${messageOf(error)}); starting it again`);
      await end(run, server, 'SIGKILL');
    }
  }
  await step(`start ${server.name}`, () => launch(run, server, program));
}

/**
 * Ends all servers of a set, and removes their data and logs.
 */
export async function takeDown({ run, config }: { run: string; config: SetConfig }) {
  const servers = serversOf(config);
  await Promise.all(
    servers.map(async (server) => {
      if (await end(run, server, 'SIGKILL')) say(`${server.name} ended`);
    }),
  );
  // Only what we made: the folder may have been named by hand.
  for (const { name } of servers) rmSync(join(run, name), { recursive: true, force: true });
  rmSync(join(run, 'set.json'), { force: true });
  if (existsSync(run) && readdirSync(run).length === 0) rmdirSync(run);
}

/** Verbs that act on servers by name. */
export type ServerVerb = 'stop' | 'start' | 'kill' | 'pause' | 'resume';

/** What each verb does to one server. */
const ACTIONS: Readonly<Record<ServerVerb, (set: BroughtSet, server: Server) => Promise<unknown>>> = {
  stop: (set, server) => end(set.run, server, 'SIGTERM'),
  kill: (set, server) => end(set.run, server, 'SIGKILL'),
  pause: (set, server) => hold(set.run, server, 'SIGSTOP'),
  resume: (set, server) => hold(set.run, server, 'SIGCONT'),
  start: startAgain,
};

/**
 * Does one thing to some servers, side by side: of a cluster that lost its majority, several must start at once.
 * @throws Error for an unknown name, before anything is done
 */
export async function actOn(set: BroughtSet, verb: ServerVerb, names: readonly string[]) {
  const servers = serversOf(set.config);
  const chosen = names.map((name) => {
    const found = servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`no server "${name}" here; there are ${servers.map((server) => server.name).join(', ')}`);
    return found;
  });
  await Promise.all(
    chosen.map((server) =>
      step(`${verb} ${server.name}`, async () => {
        await ACTIONS[verb](set, server);
      }),
    ),
  );
}

async function startAgain({ cache, run }: Pick<BroughtSet, 'cache' | 'run'>, server: Server) {
  if (processOf(run, server) === undefined) await launch(run, server, await ensureArtifact(cache, server.artifact));
  if (server.settled !== undefined) await waitUntil(server.settled, { deadlineMs: SETTLE_DEADLINE_MS });
}
