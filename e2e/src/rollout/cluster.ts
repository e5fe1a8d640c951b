import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { IssuedKey, Tenant } from '@parcelway/contracts/admin-api';
import { serviceNames } from '@parcelway/contracts/service-name';
import { ApiClient } from '@parcelway/harness/api-client';
import { fromRoot, type Installation, newInstallation } from '@parcelway/harness/installation';
import { Deployment, type Pod, type PodEnd } from './deployment.ts';

const run = promisify(execFile);

/** Directory of the version that these tests belong to. */
export const thisVersion = fromRoot('.');

/**
 * The directory of another version, built.
 * @param option name of what names the directory, for the error
 * @throws Error that says how to make it one, or that it is this version
 */
export function builtVersion(directory: string, option: string): string {
  const root = resolve(directory);
  if (!existsSync(join(root, 'dist', 'migrate.js')))
    throw new Error(`${option} names no built checkout: run \`npm ci && npm run build\` in ${root}`);
  // However it is named: a version that replaces itself proves nothing.
  if (realpathSync(root) === realpathSync(thisVersion))
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

/** An installation as a cluster runs it: two processes of each service, each service behind an address that the others call. */
export class Cluster {
  readonly deployments: readonly Deployment[];
  readonly #installation: Installation;
  readonly #directory: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #clients: ApiClient[] = [];

  private constructor(deployments: readonly Deployment[]) {
    process.env['PARCELWAY_MODE'] = 'distributed';
    this.deployments = deployments;
    this.#installation = newInstallation();
    this.#directory = mkdtempSync(join(tmpdir(), 'parcelway-rollout-'));
    const origins = deployments.map((each) => [`${each.service.toUpperCase().replaceAll('-', '_')}_URL`, each.url('service')]);
    const secret = () => randomBytes(24).toString('hex');
    this.#env = {
      ...this.#installation.env,
      ...Object.fromEntries(origins),
      ENVIRONMENT: 'sandbox',
      DATA_DIR: this.#directory,
      TMPDIR: this.#directory,
      PUBLIC_BASE_URL: 'https://parcels.example',
      INTERNAL_SECRET: secret(),
      FILE_SECRET: secret(),
      ADMIN_TOKEN: secret(),
      QUICKSTART: 'off',
      TLS: 'off',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
  }

  /** Migrates a new installation on the servers that the environment names, and starts every service. @param version directory of what they run */
  static async start(version: string): Promise<Cluster> {
    const cluster = new Cluster(await Promise.all(serviceNames.map((service) => Deployment.open(service))));
    try {
      await cluster.migrate(version);
      await Promise.all(cluster.deployments.map((deployment) => deployment.start(REPLICAS, version, cluster.#env)));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Does what the migrate step of a version does. @param version its directory */
  async migrate(version: string): Promise<void> {
    const main = join(version, 'dist', 'migrate.js');
    await run(process.execPath, [main], { env: { ...this.#env, PATH: process.env['PATH'] }, timeout: MIGRATE_WITHIN_MS });
  }

  /** Replaces a process by one of a version. */
  replace(deployment: Deployment, old: Pod, version: string): Promise<{ readonly fresh: Pod; readonly end: PodEnd }> {
    return deployment.replace(old, version, this.#env);
  }

  /** Variables that name its servers and what it has there. */
  get servers(): Readonly<Record<string, string>> {
    return this.#installation.env;
  }

  /** A client with a key, and the headers of another HTTP client with that key. The client is closed with the cluster. */
  withKey(apiKey: string): { readonly client: ApiClient; readonly headers: Readonly<Record<string, string>> } {
    const client = this.#kept(new ApiClient(this.#gateway.url('public'), apiKey, undefined, BY_TLS));
    return { client, headers: { ...BY_TLS, 'x-api-key': apiKey } };
  }

  /** A client of the operator's API. */
  admin(): ApiClient {
    const headers = { authorization: `Bearer ${this.#env['ADMIN_TOKEN']}` };
    return this.#kept(new ApiClient(this.#gateway.url('admin'), null, undefined, headers));
  }

  /** A tenant and a warehouse with keys. */
  async issueKeys(): Promise<{ readonly merchant: string; readonly warehouse: string; readonly warehouseCode: string }> {
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
    const bad = (await Promise.all(this.deployments.map((deployment) => deployment.stop()))).flat();
    await this.#installation.remove();
    rmSync(this.#directory, { recursive: true, force: true });
    return bad;
  }

  get #gateway(): Deployment {
    return this.deployments.find(({ service }) => service === 'gateway') as Deployment;
  }

  #kept(client: ApiClient): ApiClient {
    this.#clients.push(client);
    return client;
  }
}
