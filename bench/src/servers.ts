import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runProgram } from './child-server.ts';
import { cpuMicrosecondsOf } from './process-usage.ts';

/** Variables that name the servers: all of them, or none. */
const NAMES = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];
/** Ports of the set that is started here, apart from those of tests. */
const PORT_BASE = '28800';
/**
 * Cache of MongoDB, GiB. Its own default is half of the memory beyond the first GiB. With the least that it takes, as in tests, it spends up to two fifths of its processor time
 * on evicting pages (webhooks, shape C).
 */
const MONGO_CACHE = '1';

const root = new URL('../../', import.meta.url);
const program = fileURLToPath(new URL('tools/servers/dist/main.js', root));

/** The variables that name the servers, as `env` prints them. */
function variablesIn(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
}

interface ServerProcess {
  readonly name: string;
  readonly pid: number | null;
}

async function processes(): Promise<readonly ServerProcess[]> {
  // Its exit code says whether all of them are ready, which does not matter here.
  const status = await runProgram(process.execPath, [program, 'status', '--json'], [0, 3]);
  return (JSON.parse(status) as { servers: ServerProcess[] }).servers;
}

/** Real servers to measure on: those that the environment names, else a set of their own. The environment names them from then on. */
export class BenchServers {
  /** True when they were started here, and so may be stopped. */
  readonly own: boolean;
  readonly #stopAll: () => void;
  /** CPU time by process, as last seen. */
  readonly #seen = new Map<number, number>();
  #microseconds = 0;
  #closed = false;

  private constructor(own: boolean, stopAll: () => void) {
    this.own = own;
    this.#stopAll = stopAll;
  }

  /** @throws Error when they cannot be had, or the environment names only some of them */
  static async open(): Promise<BenchServers> {
    const missing = NAMES.filter((name) => !process.env[name]);
    if (missing.length === 0) return new BenchServers(false, () => undefined);
    if (missing.length < NAMES.length)
      throw new Error(`The environment names some of the servers and not all: ${missing.join(', ')} missing`);
    process.env['PARCELWAY_SERVERS_PORT_BASE'] ??= PORT_BASE;
    await runProgram(process.execPath, [program, 'up', '--mongo-cache', MONGO_CACHE]);
    const servers = new BenchServers(true, () => spawnSync(process.execPath, [program, 'down'], { stdio: 'inherit' }));
    Object.assign(process.env, variablesIn(await runProgram(process.execPath, [program, 'env'])));
    return servers;
  }

  /**
   * CPU time that the servers have used since the first call, microseconds; undefined when they are not known here. To
   * be called before a server is stopped and after it is started, or its share is missing.
   */
  async usedMicroseconds(): Promise<number | undefined> {
    if (process.env['PARCELWAY_SERVERS_PORT_BASE'] === undefined) return undefined;
    const first = this.#seen.size === 0;
    for (const pid of (await this.pids()).values()) {
      const now = cpuMicrosecondsOf(pid);
      if (!first) this.#microseconds += now - (this.#seen.get(pid) ?? 0);
      this.#seen.set(pid, now);
    }
    return this.#microseconds;
  }

  /** Process ids of the servers that run, by name, such as `kafka-1`. */
  async pids(): Promise<ReadonlyMap<string, number>> {
    return new Map((await processes()).flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const])));
  }

  /** Process id of one of them, such as `redis`; undefined when they are not known here, or it does not run. */
  async pidOf(name: string): Promise<number | undefined> {
    if (process.env['PARCELWAY_SERVERS_PORT_BASE'] === undefined) return undefined;
    return (await processes()).find((server) => server.name === name)?.pid ?? undefined;
  }

  /** Stops or starts one of them, such as `kafka-1`; resolves when that is done. */
  async act(verb: 'stop' | 'start', name: string): Promise<void> {
    if (!this.own) throw new Error('Servers that were not started here are not stopped either');
    await runProgram(process.execPath, [program, verb, name]);
  }

  /** Takes down what was started here, with its data. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopAll();
  }
}
