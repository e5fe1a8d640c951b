import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../../tools/servers/dist/main.js', import.meta.url));

/** First port of these servers: ports of their own, so that breaking them breaks nobody else's tests. FAULT_PORT_BASE takes others, for a run beside another. */
const FIRST_PORT = Number(process.env['FAULT_PORT_BASE'] ?? 28_200);
const MAKES = {
  single: { base: String(FIRST_PORT), options: [] },
  cluster: { base: String(FIRST_PORT + 200), options: ['--cluster'] },
  defaults: { base: String(FIRST_PORT + 400), options: ['--kafka-defaults'] },
} as const;

/** Which servers a fault needs. */
export type ServerMake = keyof typeof MAKES;

/** What platforms reach through proxies whose connections are disturbed: the same for all faults, so that they share a platform. */
export const PROXIED: readonly string[] = ['KAFKA_BROKERS', 'MONGODB_URL', 'S3_ENDPOINT'];

/** The first start fetches and builds. */
const UP_MS = 20 * 60_000;
const VERB_MS = 60_000;

/** What can be done to one server. */
export type ServerVerb = 'stop' | 'start' | 'restart' | 'kill' | 'pause' | 'resume';

/** A disturbance of a connection, as Toxiproxy knows it (`latency`, `timeout`, `bandwidth`, `limit_data`, …). */
export interface Toxic {
  readonly type: string;
  /** Downstream: from the server to the client. */
  readonly stream?: 'upstream' | 'downstream';
  readonly attributes: Readonly<Record<string, number>>;
}

/** Real servers that a test may break, and heal. */
export class FaultServers {
  readonly #base: string;
  /** Variables that name the servers directly, and through the proxies under `…_PROXIED`. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(base: string, env: Readonly<Record<string, string>>) {
    this.#base = base;
    this.env = env;
  }

  /** Brings a set up: one of each server, or three MongoDB members and three brokers. */
  static async up(make: ServerMake): Promise<FaultServers> {
    const { base, options } = MAKES[make];
    const env = { ...process.env, PARCELWAY_SERVERS_PORT_BASE: base };
    await run(process.execPath, [main, 'up', ...options], { env, timeout: UP_MS });
    const { stdout } = await run(process.execPath, [main, 'env'], { env, timeout: VERB_MS });
    const named = [...stdout.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value] as const);
    return new FaultServers(base, Object.fromEntries(named));
  }

  /** Variables for a platform on these servers; those named in `proxied` through the proxies. */
  platformEnv(proxied: readonly string[] = []): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.env)
        .filter(([name]) => !name.endsWith('_PROXIED') && !name.startsWith('PARCELWAY_'))
        .map(([name, value]) => [name, proxied.includes(name) ? (this.env[`${name}_PROXIED`] as string) : value]),
    );
  }

  /** Does something to servers such as `kafka-1`. */
  async act(verb: ServerVerb, ...servers: readonly string[]): Promise<void> {
    await run(process.execPath, [main, verb, ...servers], { env: this.#env(), timeout: VERB_MS });
  }

  /** Process id of a running server. */
  async pidOf(server: string): Promise<number> {
    // It ends with 3 when one of them is not ready, and prints the status all the same.
    const { stdout } = await run(process.execPath, [main, 'status', '--json'], { env: this.#env(), timeout: VERB_MS }).catch(
      (error: { stdout: string }) => error,
    );
    const found = (JSON.parse(stdout) as { servers: { name: string; pid: number | null }[] }).servers.find(({ name }) => name === server);
    if (found?.pid == null) throw new Error(`${server} does not run`);
    return found.pid;
  }

  /** Disturbs the connections through a proxy such as `kafka`. @returns what takes it away again */
  async disturb(proxy: string, toxic: Toxic): Promise<() => Promise<void>> {
    const url = `${this.env['TOXIPROXY_URL']}/proxies/${proxy}/toxics`;
    const body = JSON.stringify({ name: 'fault', stream: 'downstream', toxicity: 1, ...toxic });
    await this.#toxiproxy('POST', url, body);
    return () => this.#toxiproxy('DELETE', `${url}/fault`);
  }

  async down(): Promise<void> {
    await run(process.execPath, [main, 'down'], { env: this.#env(), timeout: VERB_MS });
  }

  #env(): NodeJS.ProcessEnv {
    return { ...process.env, PARCELWAY_SERVERS_PORT_BASE: this.#base };
  }

  async #toxiproxy(method: 'POST' | 'DELETE', url: string, body?: string): Promise<void> {
    const response = await request(url, { method, body: body ?? null, signal: AbortSignal.timeout(5000) });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`Toxiproxy responded with ${response.statusCode}: ${text}`);
  }
}
