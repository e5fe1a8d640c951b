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
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { request } from 'undici';
import { webhookService } from '../service.ts';

export interface ApiResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  // The tests name the fields that they look at.
  readonly data: Record<string, never> & { readonly [field: string]: never };
}

/** Tenant that is meant when none is named. */
const TENANT = 'tnt_one';

/** The service on a real embedded platform. */
export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** Opens the service; endpoints on the loopback are allowed unless `env` says otherwise. */
export async function openHarness(env: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'webhook-'));
  const environ = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_SCHEDULE: '0s,50ms,50ms', DATA_DIR: directory, ...env };
  const opened = await openEmbeddedPlatform(environ, 'https://localhost:8443', silentLogger);
  const { environment, principalSigner, bus } = opened.platform;
  const service = await webhookService.open(opened.platform);
  const server = createServiceServer(service.app, () => service.ready());
  const port = await listen(server, '127.0.0.1', 0);
  await service.start();

  /** @param path relative to the endpoints, or a full path of the API */
  async function call(method: string, path: string, body?: unknown, tenantId = TENANT): Promise<ApiResponse> {
    const of = {
      kind: 'tenant',
      tenantId,
      warehouseCode: null,
      keyId: 'key_1',
      scopes: ['webhooks:manage'],
      environment,
    } satisfies Principal;
    const headers: Record<string, string> = { [PRINCIPAL_HEADER]: principalSigner.sign(of) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const url = `http://127.0.0.1:${port}${/^\/(open|sandbox)\//.test(path) ? '' : '/open/v1/webhook-endpoints'}${path}`;
    const response = await request(url, { method: method as 'GET', headers, body: body === undefined ? null : JSON.stringify(body) });
    return { status: response.statusCode, ...((await response.body.json()) as Omit<ApiResponse, 'status'>) };
  }

  return {
    call,
    async register(url: string, more: object = {}, tenantId = TENANT): Promise<{ endpoint_id: string; secret: string }> {
      const response = await call('POST', '', { url, ...more }, tenantId);
      if (response.status !== 200) throw new Error(`registration responded with ${response.code}: ${response.message}`);
      return response.data as unknown as { endpoint_id: string; secret: string };
    },
    /** Publishes a parcel.weighed event. @returns its id */
    async weigh(tenantId: string): Promise<string> {
      const time = Date.now();
      const forecastNo = newForecastNo(time);
      const head = { type: 'parcel.weighed', publisher: 'forecast', tenantId, environment: 'sandbox', subject: forecastNo, time } as const;
      const data = { forecast_no: forecastNo, po_number: 'PO-1', status: 3, weighed_at: isoInstant(time) };
      const event = createDomainEvent({ ...head, data });
      await bus.publish([encodeEvent(event)]);
      return event.id;
    },
    /** Stops cleanly and removes the data directory. */
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.stop();
      await opened.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
