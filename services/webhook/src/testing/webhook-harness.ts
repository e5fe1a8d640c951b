import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import { isoInstant } from '@parcelway/kernel/clock';
import { newForecastNo } from '@parcelway/kernel/ids';
import { silentLogger } from '@parcelway/kernel/logger';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { NO_RELAY } from '@parcelway/platform/open-store';
import type { Platform } from '@parcelway/platform/service';
import { request } from 'undici';
import { webhookService } from '../service.ts';

export interface ApiResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  // The tests name the fields that they look at.
  readonly data: Record<string, never> & { readonly [field: string]: never };
}

/** A parcel that was weighed. */
interface Weighing {
  readonly tenantId?: string;
  readonly forecastNo?: string;
  readonly id?: string;
}

/** Tenant that is meant when none is named. */
const TENANT = 'tnt_one';

/** A merchant, as the gateway names it to the service. */
export function callerOf(tenantId: string): Omit<Principal, 'environment'> {
  return { kind: 'tenant', tenantId, warehouseCode: null, keyId: 'key_1', scopes: ['webhooks:manage'] };
}

/** The service on a real embedded platform. */
export type Harness = Awaited<ReturnType<typeof openHarness>>;

/**
 * Opens the service; endpoints on the loopback are allowed unless `env` says otherwise.
 * @param database keeps the stores there; one harness is one process then, with a log of its own
 * @param originOf where other services are
 */
export async function openHarness(
  env: Record<string, string> = {},
  dataDirectory = mkdtempSync(join(tmpdir(), 'webhook-')),
  database?: MongoDatabase,
  originOf?: Platform['originOf'],
) {
  const environ = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_SCHEDULE: '0s,50ms,50ms', DATA_DIR: dataDirectory, ...env };
  const opened = await openEmbeddedPlatform(environ, 'https://localhost:8443', silentLogger);
  const openStore: Platform['openStore'] = async (service, collections) =>
    database
      ? { ...(await import('@parcelway/platform/open-mongo-store')).openMongoStore(database, collections), relay: NO_RELAY }
      : opened.platform.openStore(service, collections);
  const platform: Platform = { ...opened.platform, openStore, ...(originOf && { originOf }) };
  const { environment, principalSigner, bus } = platform;
  const service = await webhookService.open(platform);
  const server = createServiceServer(service.app, () => service.ready());
  const port = await listen(server, '127.0.0.1', 0);
  await service.start();

  /** @param path relative to the endpoints, or a full path of the API */
  async function call(method: string, path: string, body?: unknown, tenantId = TENANT): Promise<ApiResponse> {
    const headers: Record<string, string> = { [PRINCIPAL_HEADER]: principalSigner.sign({ ...callerOf(tenantId), environment }) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const url = `http://127.0.0.1:${port}${/^\/(open|sandbox)\//.test(path) ? '' : '/open/v1/webhook-endpoints'}${path}`;
    const response = await request(url, { method: method as 'GET', headers, body: body === undefined ? null : JSON.stringify(body) });
    return { status: response.statusCode, ...((await response.body.json()) as Omit<ApiResponse, 'status'>) };
  }

  return {
    dataDirectory,
    service,
    call,
    async register(url: string, more: object = {}, tenantId = TENANT): Promise<{ endpoint_id: string; secret: string }> {
      const response = await call('POST', '', { url, ...more }, tenantId);
      if (response.status !== 200) throw new Error(`registration responded with ${response.code}: ${response.message}`);
      return response.data as unknown as { endpoint_id: string; secret: string };
    },
    /** Publishes a parcel.weighed event. @returns its id */
    async weigh({ tenantId = TENANT, forecastNo = newForecastNo(Date.now()), id }: Weighing = {}): Promise<string> {
      const time = Date.now();
      const head = { type: 'parcel.weighed', publisher: 'forecast', tenantId, environment: 'sandbox', subject: forecastNo, time } as const;
      const data = { forecast_no: forecastNo, po_number: 'PO-1', status: 3, weighed_at: isoInstant(time) };
      const event = createDomainEvent({ ...head, data, ...(id !== undefined && { id }) });
      await bus.publish([encodeEvent(event)]);
      return event.id;
    },
    /** Stops cleanly and removes the data directory. */
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.stop();
      await opened.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
    /** Takes the platform away from under the service, as a SIGKILL would. The data directory stays for the harness that opens it again. */
    async crash(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await opened.close();
    },
  };
}
