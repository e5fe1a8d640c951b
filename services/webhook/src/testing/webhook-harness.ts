import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import { isoInstant } from '@parcelway/kernel/clock';
import { newForecastNo } from '@parcelway/kernel/ids';
import { silentLogger } from '@parcelway/kernel/logger';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import type { OpenService, Platform } from '@parcelway/platform/service';
import { request } from 'undici';
import { webhookService } from '../service.ts';

/** A response of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  // The tests name the fields that they look at.
  readonly data: Record<string, never> & { readonly [field: string]: never };
}

/** The service on a real embedded platform. */
export interface Harness {
  readonly dataDirectory: string;
  readonly service: OpenService;
  /** @param path below the endpoints, or a whole one of the API */
  call(method: string, path: string, body?: unknown, tenantId?: string): Promise<ApiResponse>;
  /** Registers an endpoint and resolves with `data`. */
  register(url: string, more?: object, tenantId?: string): Promise<{ endpoint_id: string; secret: string }>;
  /** Publishes a tracking.changed event. @returns its id */
  track(options?: { readonly tenantId?: string; readonly isTerminal?: boolean }): Promise<string>;
  /** Publishes a parcel.weighed event. @returns its id */
  weigh(options?: {
    readonly tenantId?: string;
    readonly forecastNo?: string;
    readonly poNumber?: string;
    readonly id?: string;
  }): Promise<string>;
  /** Publishes an event as it is. */
  publish(event: DomainEvent<DomainEventType>): Promise<void>;
  /** Stops in good order and removes the data directory, unless `keepData` is set for a harness that opens it again. */
  stop(options?: { readonly keepData?: boolean }): Promise<void>;
  /** Takes the platform away from under the service, as a SIGKILL would. The data directory stays for the harness that opens it again. */
  crash(): Promise<void>;
}

/** Tenant that is meant when none is named. */
export const TENANT = 'tnt_one';

/** Publishes what the other services would. */
function eventsOn(platform: Platform): Pick<Harness, 'weigh' | 'track' | 'publish'> {
  return {
    publish: (event) => platform.bus.publish([encodeEvent(event)]),
    async weigh({ tenantId = TENANT, forecastNo = newForecastNo(Date.now()), poNumber = 'PO-1', id } = {}) {
      const time = Date.now();
      const data = { forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: isoInstant(time) };
      const head = {
        type: 'parcel.weighed',
        publisher: 'forecast',
        tenantId,
        environment: 'sandbox',
        subject: forecastNo,
        time,
        data,
      } as const;
      const event = createDomainEvent(id === undefined ? head : { ...head, id });
      await platform.bus.publish([encodeEvent(event)]);
      return event.id;
    },
    async track({ tenantId = TENANT, isTerminal = false } = {}) {
      const time = Date.now();
      const subject = newForecastNo(time);
      const status = {
        tracking_number: 'YT1',
        previous_admin_status: '',
        admin_status: isTerminal ? 'Delivery Success' : 'In Transit',
        is_terminal: isTerminal,
      } as const;
      const data = { forecast_no: subject, po_number: 'PO-1', ...status, changed_at: isoInstant(time) };
      const event = createDomainEvent({
        type: 'tracking.changed',
        publisher: 'tracking',
        tenantId,
        environment: 'sandbox',
        subject,
        time,
        data,
      });
      await platform.bus.publish([encodeEvent(event)]);
      return event.id;
    },
  };
}

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
): Promise<Harness> {
  const environ = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_SCHEDULE: '0s,50ms,50ms', DATA_DIR: dataDirectory, ...env };
  const opened = await openEmbeddedPlatform(environ, 'https://localhost:8443', silentLogger);
  const openStores: Platform['openStores'] = (service, drivers) =>
    database ? drivers.mongo(database) : opened.platform.openStores(service, drivers);
  const platform: Platform = { ...opened.platform, openStores, ...(originOf && { originOf }) };
  const service = await webhookService.open(platform);
  const server: Server = createServiceServer(service.app, () => service.ready());
  const port = await listen(server, '127.0.0.1', 0);
  await service.start();

  const principals = new Map<string, Principal>();
  const principalFor = (tenantId: string): Principal => {
    const known = principals.get(tenantId);
    if (known) return known;
    const made: Principal = {
      kind: 'tenant',
      tenantId,
      warehouseCode: null,
      keyId: 'key_1',
      scopes: ['webhooks:manage'],
      environment: platform.environment,
    };
    principals.set(tenantId, made);
    return made;
  };

  const call: Harness['call'] = async (method, path, body, tenantId = TENANT) => {
    const headers: Record<string, string> = { [PRINCIPAL_HEADER]: platform.principalSigner.sign(principalFor(tenantId)) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const url = `http://127.0.0.1:${port}${/^\/(open|sandbox)\//.test(path) ? '' : '/open/v1/webhook-endpoints'}${path}`;
    const response = await request(url, { method: method as 'GET', headers, body: body === undefined ? null : JSON.stringify(body) });
    return { status: response.statusCode, ...((await response.body.json()) as Omit<ApiResponse, 'status'>) };
  };

  return {
    dataDirectory,
    service,
    call,
    async register(url, more = {}, tenantId = TENANT) {
      const response = await call('POST', '', { url, ...more }, tenantId);
      if (response.status !== 200) throw new Error(`registration responded with ${response.code}: ${response.message}`);
      return response.data as unknown as { endpoint_id: string; secret: string };
    },
    ...eventsOn(platform),
    async stop({ keepData = false } = {}) {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await service.stop();
      await opened.close();
      if (!keepData) rmSync(dataDirectory, { recursive: true, force: true });
    },
    async crash() {
      server.closeAllConnections();
      server.close();
      await opened.close();
    },
  };
}
