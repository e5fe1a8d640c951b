import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@parcelway/kernel/free-port';
import { type Child, runProgram, startProgram, takesConnections } from '../../child.ts';
import { CpuMeter, processTree } from '../../process-usage.ts';
import type { PeerPrograms } from './peer-programs.ts';

const COMMAND_SECONDS = '30';
/** The user that owns nothing, as Debian numbers it: servers that refuse to run as root run as this one. */
const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;

/** Redis, PostgreSQL and RabbitMQ of the peer, empty, on ports of their own. */
export interface PeerServers {
  readonly redisPort: number;
  readonly postgresUrl: string;
  readonly rabbitmqUrl: string;
  /** CPU time of all of them, microseconds. */
  usedMicroseconds(): number;
  close(): Promise<void>;
}

/** Runs a command as the user of the servers. */
const run = (...command: string[]): Promise<string> => {
  const prefix = asRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
  const [program = '', ...args] = [...prefix, 'timeout', COMMAND_SECONDS, ...command];
  return runProgram(program, args);
};

/** A directory that the servers may write to. */
function serverDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (asRoot) chownSync(path, NOBODY, NOBODY);
  return path;
}

/** Starts a server as its user, and waits until its port takes connections. */
function startServer(command: readonly [string, ...string[]], env: Readonly<Record<string, string>>, port: number): Promise<Child> {
  return startProgram(command, {
    name: `${command[0]} on port ${port}`,
    env,
    isReady: () => takesConnections(port),
    ...(asRoot && { user: { uid: NOBODY, gid: NOBODY } }),
  });
}

async function startRedis({ redis }: PeerPrograms, directory: string) {
  const port = await freePort();
  // As durable as the other stores: what is acknowledged is on disk within a second.
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--save', ''];
  const server = await startServer([redis, ...options], {}, port);
  return { port, server };
}

async function startPostgres({ postgres }: PeerPrograms, directory: string) {
  const port = await freePort();
  const data = join(directory, 'data');
  const own = (name: string): string => join(postgres, name);
  await run(own('initdb'), '-D', data, '-U', 'outpost', '--auth=trust', '--no-locale', '-E', 'UTF8');
  const options = ['-D', data, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${directory}`];
  const server = await startServer([own('postgres'), ...options, '-c', 'max_connections=300'], {}, port);
  const psql = (database: string, sql: string): Promise<string> =>
    run('psql', '-h', '127.0.0.1', '-p', `${port}`, '-U', 'outpost', '-d', database, '-Atc', sql);
  await psql('postgres', 'CREATE DATABASE outpost');
  return { url: `postgres://outpost@127.0.0.1:${port}/outpost?sslmode=disable`, server };
}

async function startRabbitmq({ rabbitmq }: PeerPrograms, directory: string) {
  const [port, distribution, names] = [await freePort(), await freePort(), await freePort()];
  const plugins = join(directory, 'enabled_plugins');
  writeFileSync(plugins, '[].\n', { mode: 0o644 });
  const config = join(directory, 'rabbitmq.conf');
  writeFileSync(config, `listeners.tcp.default = 127.0.0.1:${port}\n`, { mode: 0o644 });
  const env = {
    HOME: directory,
    RABBITMQ_NODENAME: `bench${port}@localhost`,
    RABBITMQ_DIST_PORT: `${distribution}`,
    RABBITMQ_MNESIA_BASE: join(directory, 'mnesia'),
    RABBITMQ_LOG_BASE: join(directory, 'log'),
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    // The daemon that names Erlang nodes, on a port of its own too: one that is shared would outlive the run.
    ERL_EPMD_PORT: `${names}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  const server = await startServer([join(rabbitmq, 'rabbitmq-server')], env, port);
  const withEnv = (...command: string[]): Promise<string> =>
    run('env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command);
  const stopNames = async (): Promise<void> => void (await withEnv('epmd', '-kill'));
  return { url: `amqp://guest:guest@127.0.0.1:${port}`, server, stopNames };
}

/** Starts the three. Data is in a temporary directory, which goes with them. */
export async function openPeerServers(programs: PeerPrograms): Promise<PeerServers> {
  const root = serverDirectory(mkdtempSync(join(tmpdir(), 'parcelway-peer-')));
  const started: Child[] = [];
  const meter = new CpuMeter();
  const note = <T extends { readonly server: Child }>(one: T): T => {
    started.push(one.server);
    return one;
  };
  const end = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.end('SIGTERM')));
    rmSync(root, { recursive: true, force: true });
  };
  try {
    const redis = note(await startRedis(programs, serverDirectory(join(root, 'redis'))));
    const postgres = note(await startPostgres(programs, serverDirectory(join(root, 'postgres'))));
    const rabbitmq = note(await startRabbitmq(programs, serverDirectory(join(root, 'rabbitmq'))));
    return {
      redisPort: redis.port,
      postgresUrl: postgres.url,
      rabbitmqUrl: rabbitmq.url,
      usedMicroseconds: () => meter.read(started.flatMap(({ pid }) => processTree(pid))),
      async close() {
        await rabbitmq.server.end('SIGTERM');
        await rabbitmq.stopNames();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
