import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { RawClient } from './raw-client.ts';

/** A platform under load: its keys have no rate limit. */
export interface Stage {
  readonly platform: PlatformProcess;
  readonly warehouseCode: string;
  /** Of the demo tenant, every scope. */
  readonly tenantKey: string;
  readonly warehouseKey: string;
  /** Certificate and private key of the platform, for references that speak TLS as it does. */
  readonly certFile: string;
  readonly keyFile: string;
  /** A client of the API; closed with the stage. */
  client(key: string, connections: number): RawClient;
  /** A client of a reference on loopback; closed with the stage. */
  referenceClient(origin: string, connections: number): RawClient;
}

/** With PROFILE_DIR set, the platform writes a CPU profile there when it ends. */
function profiling(): Record<string, string> {
  const directory = process.env['PROFILE_DIR'];
  return directory === undefined
    ? {}
    : { NODE_OPTIONS: `--import ${new URL('processes/profile-hook.js', import.meta.url)}`, PROFILE_DIR: resolve(directory) };
}

/** Starts a platform on temporary data, lets `use` work with it, and clears everything away. */
export async function onStage<T>(use: (stage: Stage) => Promise<T>): Promise<T> {
  const platform = await PlatformProcess.start({ env: profiling() });
  const clients: RawClient[] = [];
  try {
    const { quickstart } = platform;
    const admin = platform.admin();
    const issue = (holder: object): Promise<IssuedKey> => admin.expectOk('/admin/v1/keys', { body: { ...holder, rate_limit: 'off' } });
    const ca = readFileSync(quickstart.ca_file, 'utf8');
    const opened = (client: RawClient): RawClient => {
      clients.push(client);
      return client;
    };
    return await use({
      platform,
      warehouseCode: quickstart.warehouse.code,
      tenantKey: (await issue({ tenant_id: quickstart.tenant.id })).key,
      warehouseKey: (await issue({ warehouse_code: quickstart.warehouse.code })).key,
      certFile: quickstart.ca_file,
      keyFile: join(platform.dataDirectory, 'tls', 'key.pem'),
      client: (key, connections) => opened(new RawClient(quickstart.base_url, connections, { 'x-api-key': key }, ca)),
      referenceClient: (origin, connections) => opened(new RawClient(origin, connections, {}, origin.startsWith('https') ? ca : undefined)),
    });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await platform.dispose();
  }
}
