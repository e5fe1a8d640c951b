import { readFileSync } from 'node:fs';
import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { platformMode } from '@parcelway/harness/installation';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { RawClient } from './raw-client.ts';

/** A platform under load: its keys have no rate limit. */
export interface Stage {
  readonly platform: PlatformProcess;
  readonly warehouseCode: string;
  /** Of the demo tenant, every scope. */
  readonly tenantKey: string;
  readonly warehouseKey: string;
  /** A client of the API, of all gateways in turn; closed with the stage. */
  client(key: string, connections: number): RawClient;
  /** A client of a reference on loopback; closed with the stage. */
  referenceClient(origin: string, connections: number): RawClient;
}

/** A process of each service on two busy cores takes its time. */
const START_WITHIN_MS = 120_000;

/** Where the gateways are: in distributed mode each replica has a port of its own. */
function gatewayOrigins(platform: PlatformProcess): readonly string[] {
  if (platformMode() === 'embedded') return [platform.quickstart.base_url];
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  return gateways.map(({ url }) => url);
}

/** Starts a platform on temporary data, lets `use` work with it, and clears everything away. */
export async function onStage<T>(use: (stage: Stage) => Promise<T>): Promise<T> {
  const platform = PlatformProcess.prepare({ readyWithinMs: START_WITHIN_MS });
  const clients: RawClient[] = [];
  try {
    await platform.start();
    const { quickstart } = platform;
    const admin = platform.admin();
    const issue = (holder: object): Promise<IssuedKey> => admin.expectOk('/admin/v1/keys', { body: { ...holder, rate_limit: 'off' } });
    const ca = readFileSync(quickstart.ca_file, 'utf8');
    const origins = gatewayOrigins(platform);
    const opened = (client: RawClient): RawClient => {
      clients.push(client);
      return client;
    };
    return await use({
      platform,
      warehouseCode: quickstart.warehouse.code,
      tenantKey: (await issue({ tenant_id: quickstart.tenant.id })).key,
      warehouseKey: (await issue({ warehouse_code: quickstart.warehouse.code })).key,
      client: (key, connections) => opened(new RawClient(origins, connections, { headers: { 'x-api-key': key }, ca })),
      referenceClient: (origin, connections) =>
        opened(new RawClient([origin], connections, { ca: origin.startsWith('https') ? ca : undefined })),
    });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await platform.dispose();
  }
}
