import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { IssuedKey, Tenant } from '@parcelway/contracts/admin-api';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { ApiClient } from '@parcelway/harness/api-client';
import { type Installation, newInstallation } from '@parcelway/harness/installation';
import { Balancer } from './balancer.ts';
import { Deployment, type RolloutTiming } from './deployment.ts';

const run = promisify(execFile);
/** Directory of the version that these tests belong to. */
export const thisVersion = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The directory of another version, built.
 * @param own directory of the version that replaces it
 * @param option name of what names the directory, for the error
 * @throws Error that says how to make it one, or that it is the same version
 */
export function builtVersion(directory: string, own: string, option = '--from'): string {
  const root = resolve(directory);
  if (!existsSync(join(root, 'services', 'all-in-one', 'dist', 'migrate-main.js')))
    throw new Error(`${option} names no built checkout: run \`npm ci && npm run build\` in ${root}`);
  // However it is named: a version that replaces itself proves nothing.
  if (realpathSync(root) === realpathSync(own))
    throw new Error(`${option} names this version itself, ${root}: check another version out elsewhere`);
  return root;
}

const MIGRATE_WITHIN_MS = 120_000;
const REPLICAS = 2;
const WAREHOUSE = 'ROLL-01';
/** What an Ingress says that has ended TLS. */
const BY_TLS = { 'x-forwarded-proto': 'https' };
/** So high that the load never meets it, and still taken from at every call. */
const RATE_LIMIT = { per_second: 10_000, burst: 10_000 };

/** Who puts on load. */
export interface ClusterKeys {
  readonly merchant: string;
  readonly warehouse: string;
  readonly warehouseCode: string;
}

/** Listeners of a service behind a balancer of their own: those that a Service of Kubernetes names. */
function listenersOf(service: ServiceName): readonly ('service' | 'admin' | 'public')[] {
  return service === 'gateway' ? ['service', 'admin', 'public'] : ['service'];
}

/** An installation as a cluster runs it: two processes of each service, each service behind a balancer that the others call. */
export class Cluster {
  readonly deployments: readonly Deployment[];
  readonly #installation: Installation;
  readonly #directory: string;
  readonly #balancers: ReadonlyMap<string, Balancer>;
  readonly #adminToken: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #clients: ApiClient[] = [];

  private constructor(
    installation: Installation,
    directory: string,
    balancers: ReadonlyMap<string, Balancer>,
    env: Readonly<Record<string, string>>,
    timing: RolloutTiming,
  ) {
    this.#installation = installation;
    this.#directory = directory;
    this.#balancers = balancers;
    this.#env = env;
    this.#adminToken = env['ADMIN_TOKEN'] as string;
    this.deployments = serviceNames.map((service) => {
      const listeners = new Map(listenersOf(service).map((listener) => [listener, balancers.get(`${service} ${listener}`) as Balancer]));
      return new Deployment(service, listeners, env, timing);
    });
  }

  /** Migrates a new installation on the servers that the environment names, and starts every service. @param version directory of what they run */
  static async start(timing: RolloutTiming, version: string): Promise<Cluster> {
    process.env['PARCELWAY_MODE'] = 'distributed';
    const installation = newInstallation();
    const directory = mkdtempSync(join(tmpdir(), 'parcelway-rollout-'));
    const named = serviceNames.flatMap((service) => listenersOf(service).map((listener) => `${service} ${listener}`));
    const balancers = new Map(await Promise.all(named.map(async (name) => [name, await Balancer.open()] as const)));
    const origins = serviceNames.map((service) => [
      `${service.toUpperCase().replaceAll('-', '_')}_URL`,
      (balancers.get(`${service} service`) as Balancer).url,
    ]);
    const env: Record<string, string> = {
      ...installation.env,
      ...Object.fromEntries(origins),
      ENVIRONMENT: 'sandbox',
      DATA_DIR: directory,
      TMPDIR: directory,
      PUBLIC_BASE_URL: 'https://parcels.example',
      INTERNAL_SECRET: randomBytes(24).toString('hex'),
      FILE_SECRET: randomBytes(24).toString('hex'),
      ADMIN_TOKEN: randomBytes(24).toString('hex'),
      QUICKSTART: 'off',
      TLS: 'off',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    const cluster = new Cluster(installation, directory, balancers, env, timing);
    try {
      await cluster.migrate(version);
      await Promise.all(cluster.deployments.map((deployment) => deployment.start(REPLICAS, version)));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Does what the migrate step of a version does. @param version its directory */
  async migrate(version: string): Promise<void> {
    const main = join(version, 'services', 'all-in-one', 'dist', 'migrate-main.js');
    await run(process.execPath, [main], { env: { ...this.#env, PATH: process.env['PATH'] }, timeout: MIGRATE_WITHIN_MS });
  }

  /** Variables that name its servers and what it has there. */
  get servers(): Readonly<Record<string, string>> {
    return this.#installation.env;
  }

  /** Where merchants and warehouses connect to. */
  get url(): string {
    return this.#balancer('public').url;
  }

  /** Headers of a request with a key. */
  headersOf(apiKey: string): Readonly<Record<string, string>> {
    return { ...BY_TLS, 'x-api-key': apiKey };
  }

  /** A client with a key. Closed with the cluster. */
  client(apiKey: string): ApiClient {
    return this.#kept(new ApiClient(this.url, apiKey, undefined, BY_TLS));
  }

  /** A client of the operator's API. */
  admin(): ApiClient {
    return this.#kept(new ApiClient(this.#balancer('admin').url, null, undefined, { authorization: `Bearer ${this.#adminToken}` }));
  }

  /** A tenant and a warehouse with keys. */
  async issueKeys(): Promise<ClusterKeys> {
    const admin = this.admin();
    const tenant = await admin.expectOk<Tenant>('/admin/v1/tenants', { body: { name: 'Rolled' } });
    await admin.expectOk('/admin/v1/warehouses', { body: { code: WAREHOUSE, name: 'Rolled' } });
    const issue = async (holder: Record<string, string>): Promise<string> =>
      (await admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { ...holder, rate_limit: RATE_LIMIT } })).key;
    return {
      merchant: await issue({ tenant_id: tenant.id }),
      warehouse: await issue({ warehouse_code: WAREHOUSE }),
      warehouseCode: WAREHOUSE,
    };
  }

  /** Ends all processes, and removes what the servers hold of them. @returns those that did not end with 0 */
  async stop(): Promise<readonly string[]> {
    await Promise.all(this.#clients.map((client) => client.close()));
    const ends = (await Promise.all(this.deployments.map((deployment) => deployment.stop()))).flat();
    await Promise.all([...this.#balancers.values()].map((balancer) => balancer.close()));
    await this.#installation.remove();
    rmSync(this.#directory, { recursive: true, force: true });
    return ends.filter(({ end }) => end.code !== 0).map(({ name, end }) => `${name} ended with ${end.code} at the end of the run`);
  }

  #balancer(listener: 'public' | 'admin'): Balancer {
    return this.#balancers.get(`gateway ${listener}`) as Balancer;
  }

  #kept(client: ApiClient): ApiClient {
    this.#clients.push(client);
    return client;
  }
}
