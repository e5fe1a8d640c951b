import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';

const main = fileURLToPath(new URL('../../../tools/servers/dist/main.js', import.meta.url));

/** Ports apart from those of other tests. */
const MAKES = {
  single: { base: 28_200, options: [] },
  cluster: { base: 28_400, options: ['--cluster'] },
} as const;

/** Which servers a fault needs. */
export type ServerMake = keyof typeof MAKES;

/** What platforms reach through proxies whose connections are disturbed: the same for all faults, so that they share a platform. */
export const PROXIED: readonly string[] = ['KAFKA_BROKERS', 'MONGODB_URL', 'S3_ENDPOINT'];

/** The first start fetches and builds. */
const UP_MS = 20 * 60_000;
const VERB_MS = 60_000;

/** What can be done to one server. */
export type ServerVerb = 'stop' | 'start' | 'kill' | 'pause' | 'resume';

/** Real servers that a test may break, and heal. */
export class FaultServers {
  readonly #env: NodeJS.ProcessEnv;
  /** Variables that name the servers directly, and through the proxies under `…_PROXIED`. */
  #named: Readonly<Record<string, string>> = {};

  private constructor(base: number) {
    this.#env = { ...process.env, PARCELWAY_SERVERS_PORT_BASE: String(base) };
  }

  /** Brings a set up: one of each server, or three MongoDB members and three brokers. */
  static async up(make: ServerMake): Promise<FaultServers> {
    const { base, options } = MAKES[make];
    const servers = new FaultServers(base);
    await servers.#run(['up', ...options], UP_MS);
    const lines = await servers.#run(['env']);
    servers.#named = Object.fromEntries([...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
    return servers;
  }

  /** Variables for a platform on these servers; those named in `proxied` through the proxies. */
  platformEnv(proxied: readonly string[] = []): Record<string, string> {
    const own = Object.entries(this.#named).filter(([name]) => !name.endsWith('_PROXIED') && !name.startsWith('PARCELWAY_'));
    return Object.fromEntries(own.map(([name, value]) => [name, proxied.includes(name) ? String(this.#named[`${name}_PROXIED`]) : value]));
  }

  /** Does something to servers such as `kafka-1`. */
  async act(verb: ServerVerb, ...servers: readonly string[]): Promise<void> {
    await this.#run([verb, ...servers]);
  }

  /** Process id of a running server. */
  async pidOf(server: string): Promise<number> {
    // It ends with 3 when one of them is not ready, and prints the status all the same.
    const status = await this.#run(['status', '--json']).catch(({ stdout }: { stdout: string }) => stdout);
    const found = (JSON.parse(status) as { servers: { name: string; pid: number | null }[] }).servers.find(({ name }) => name === server);
    if (found?.pid == null) throw new Error(`${server} does not run`);
    return found.pid;
  }

  /** Disturbs what comes back through a proxy such as `kafka`. @param type as Toxiproxy knows it, such as `timeout` @returns what takes it away again */
  async disturb(proxy: string, type: string, attributes: Readonly<Record<string, number>>): Promise<() => Promise<void>> {
    const url = `${this.#named['TOXIPROXY_URL']}/proxies/${proxy}/toxics`;
    const ask = async (method: 'POST' | 'DELETE', at: string, body: string | null): Promise<void> => {
      const response = await request(at, { method, body, signal: AbortSignal.timeout(5000) });
      const text = await response.body.text();
      if (response.statusCode >= 300) throw new Error(`Toxiproxy responded with ${response.statusCode}: ${text}`);
    };
    await ask('POST', url, JSON.stringify({ name: 'fault', stream: 'downstream', toxicity: 1, type, attributes }));
    return () => ask('DELETE', `${url}/fault`, null);
  }

  async down(): Promise<void> {
    await this.#run(['down']);
  }

  async #run(args: readonly string[], timeout = VERB_MS): Promise<string> {
    return (await promisify(execFile)(process.execPath, [main, ...args], { env: this.#env, timeout })).stdout;
  }
}
