import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runProgram } from './child.ts';
import { CpuMeter } from './process-usage.ts';

/** Variables that name the servers: all of them, or none. */
const NAMES = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];
/** Ports of the set that is started here, apart from those of tests. */
const PORT_BASE = '28800';
/**
 * Cache of MongoDB, GiB. Its own default is half of the memory beyond the first GiB. With the least that it takes, as in tests, it spends up to two fifths of its processor time
 * on evicting pages (webhooks, shape C).
 */
const MONGO_CACHE = '1';

const program = fileURLToPath(new URL('../../tools/servers/dist/main.js', import.meta.url));

/** Process ids of the running servers by name, such as `kafka-1`; empty when unknown. */
async function serverPids(): Promise<ReadonlyMap<string, number>> {
  if (process.env['PARCELWAY_SERVERS_PORT_BASE'] === undefined) return new Map();
  // Its exit code says whether all of them are ready, which does not matter here.
  const { servers } = JSON.parse(await runProgram(process.execPath, [program, 'status', '--json'], [0, 3])) as {
    servers: readonly { readonly name: string; readonly pid: number | null }[];
  };
  return new Map(servers.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const])));
}

/** Real servers to measure on: those that the environment names, otherwise new ones, which {@link open} adds to the environment. */
export class BenchServers {
  readonly #isOwn: boolean;
  /** By kind, such as `mongo`. */
  readonly #meters = new Map<string, CpuMeter>();
  #closed = false;

  private constructor(isOwn: boolean) {
    this.#isOwn = isOwn;
  }

  /** @throws Error when they cannot be started or the environment names only some of them */
  static async open(): Promise<BenchServers> {
    const missing = NAMES.filter((name) => !process.env[name]);
    if (missing.length === 0) return new BenchServers(false);
    if (missing.length < NAMES.length)
      throw new Error(`The environment names only some of the servers; set ${missing.join(', ')} too, or none`);
    process.env['PARCELWAY_SERVERS_PORT_BASE'] ??= PORT_BASE;
    await runProgram(process.execPath, [program, 'up', '--mongo-cache', MONGO_CACHE]);
    const lines = await runProgram(process.execPath, [program, 'env']);
    for (const [, name = '', value] of lines.matchAll(/^export (\w+)='(.*)'$/gm)) process.env[name] = value;
    return new BenchServers(true);
  }

  /** @see serverPids */
  pids(): Promise<ReadonlyMap<string, number>> {
    return serverPids();
  }

  /** CPU time that the servers have used so far, microseconds by kind, such as `mongo`; empty when unknown. */
  async used(): Promise<Readonly<Record<string, number>>> {
    for (const [name, pid] of await serverPids()) {
      const kind = name.replace(/-\d+$/, '');
      const meter = this.#meters.get(kind) ?? new CpuMeter();
      this.#meters.set(kind, meter);
      meter.read([pid]);
    }
    return Object.fromEntries([...this.#meters].map(([kind, meter]) => [kind, meter.read([])]));
  }

  /** Removes the servers that {@link open} started, with their data. */
  close(): void {
    if (this.#isOwn && !this.#closed) spawnSync(process.execPath, [program, 'down'], { stdio: 'inherit' });
    this.#closed = true;
  }
}
