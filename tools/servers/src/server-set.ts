import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureArtifact } from './artifact.ts';
import { messageOf } from './caught-error.ts';
import { kafkaServer } from './kafka.ts';
import { formReplicaSet, mongoServer } from './mongodb.ts';
import { type SetConfig, writeSet } from './places.ts';
import { portsOf } from './ports.ts';
import { say, step } from './progress.ts';
import { redisServer } from './redis.ts';
import { s3Server } from './s3.ts';
import { end, hold, launch, processOf, type Server } from './server.ts';
import { restoreProxies, toxiproxyServer } from './toxiproxy.ts';
import { waitUntil } from './wait-until.ts';

/** How long `up` waits for a server that runs. */
const RESPONDS_WITHIN_MS = 20_000;
const SETTLE_DEADLINE_MS = 90_000;

/** A set, and where its programs, data and logs are. */
export interface ServerSet {
  readonly cache: string;
  readonly run: string;
  readonly config: SetConfig;
}

/** The servers of a set, in the order in which they are listed. */
function serversOf({ config }: Pick<ServerSet, 'config'>): Server[] {
  const ports = portsOf(config.base, config.cluster);
  return [
    ...ports.mongo.map((mongo, index) => mongoServer(mongo, index + 1, config.mongoCache)),
    ...ports.kafka.map((_, index) => kafkaServer(ports.kafka, index + 1)),
    redisServer(ports.redis),
    s3Server(ports.s3),
    toxiproxyServer(config),
  ];
}

async function ensureRunning({ run }: ServerSet, server: Server, program: string) {
  const directory = join(run, server.name);
  const running = processOf(directory);
  if (running === undefined) return step(`start ${server.name}`, () => launch(server, directory, program));
  if (running.paused) await hold(directory, 'SIGCONT');
  await waitUntil(server.check, { deadlineMs: RESPONDS_WITHIN_MS });
}

/** Brings a set up, or what is missing of it. All kinds of servers are fetched and started side by side. @throws Error with every kind that failed */
export async function bringUp(set: ServerSet) {
  const { cache, run, config } = set;
  writeSet(run, config);
  const servers = serversOf(set);
  const kinds = [...new Set(servers.map(({ artifact }) => artifact))].map((artifact) => servers.filter((one) => one.artifact === artifact));
  const bring = async (kind: readonly Server[]) => {
    const [{ artifact, name }] = kind as [Server];
    const program = await ensureArtifact(cache, artifact);
    await Promise.all(kind.map((server) => ensureRunning(set, server, program)));
    if (name.startsWith('mongo-')) await formReplicaSet(kind.map(({ ports: [port] }) => port));
    if (name === 'toxiproxy') await restoreProxies(config);
  };
  const failed = (await Promise.allSettled(kinds.map(bring))).filter((outcome) => outcome.status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => messageOf(reason)).join('\n'));
}

/** Ends all servers of a set, and removes their data and logs. */
export async function takeDown({ run, config }: Omit<ServerSet, 'cache'>) {
  // Only what we made: the folder may have been named by hand.
  const remove = async ({ name }: Server) => {
    if (await end(join(run, name), 'SIGKILL')) say(`${name} ended`);
    rmSync(join(run, name), { recursive: true, force: true });
  };
  await Promise.all(serversOf({ config }).map(remove));
  rmSync(join(run, 'set.json'), { force: true });
  if (existsSync(run) && readdirSync(run).length === 0) rmdirSync(run);
}

/** Verbs that act on servers by name. */
export const verbs = {
  stop: { about: 'ends servers with SIGTERM', act: (directory: string) => end(directory, 'SIGTERM') },
  start: { about: 'starts servers again', act: startAgain },
  kill: { about: 'ends servers with SIGKILL', act: (directory: string) => end(directory, 'SIGKILL') },
  pause: { about: 'stops servers with SIGSTOP; their connections stay', act: (directory: string) => hold(directory, 'SIGSTOP') },
  resume: { about: 'lets paused servers go on', act: (directory: string) => hold(directory, 'SIGCONT') },
};

async function startAgain(directory: string, server: Server, cache: string) {
  if (processOf(directory) === undefined) await launch(server, directory, await ensureArtifact(cache, server.artifact));
  if (server.settled !== undefined) await waitUntil(server.settled, { deadlineMs: SETTLE_DEADLINE_MS });
}

/** Does one thing to some servers, side by side: of a cluster that lost its majority, several must start at once. @throws Error for an unknown name */
export async function actOn(set: ServerSet, verb: keyof typeof verbs, names: readonly string[]) {
  const servers = serversOf(set);
  const chosen = names.map((name) => {
    const found = servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`no server "${name}" here; there are ${servers.map((server) => server.name).join(', ')}`);
    return found;
  });
  const act = async (server: Server) => void (await verbs[verb].act(join(set.run, server.name), server, set.cache));
  await Promise.all(chosen.map((server) => step(`${verb} ${server.name}`, () => act(server))));
}

/** How a server is. `unready`: it runs, but does not serve; `problem` says why. */
export interface ServerStatus extends Pick<Server, 'name' | 'ports'> {
  readonly state: 'ready' | 'paused' | 'unready' | 'stopped';
  readonly pid: number | null;
  readonly problem: string | null;
}

/** How each server of a set is; asks them all. */
export function statusOf({ run, config }: Omit<ServerSet, 'cache'>): Promise<ServerStatus[]> {
  return Promise.all(
    serversOf({ config }).map(async ({ name, ports, check, settled }): Promise<ServerStatus> => {
      const running = processOf(join(run, name));
      const facts = { name, ports, pid: running?.pid ?? null, problem: null };
      if (running === undefined || running.paused) return { ...facts, state: running === undefined ? 'stopped' : 'paused' };
      try {
        await check();
        await settled?.();
        return { ...facts, state: 'ready' };
      } catch (error) {
        return { ...facts, state: 'unready', problem: messageOf(error) };
      }
    }),
  );
}
