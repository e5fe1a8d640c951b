import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { fileSecretsOf } from '@parcelway/platform/installation';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { request } from 'undici';
import { trackingService } from '../service.ts';
import { TENANT } from './samples.ts';

/** A response of the service. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of empty texts in a response that leaves the request to the fallback of its route. */
  readonly body: { readonly code: string; readonly message: string; readonly data: Record<string, unknown> | null };
}

/** A running tracking service over the embedded drivers. */
export type ServiceDriver = Awaited<ReturnType<typeof startTracking>>;

/** A push as the gateway passes it on. */
interface PassedPush {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The secret of the installation. */
export const FILE_SECRET = 'a-secret-of-the-installation-in-tests';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Makes requests of a service. */
function callerOf(origin: string, signer: PrincipalSigner, environment: Environment) {
  return async (
    method: Method,
    path: string,
    principal: Partial<Principal>,
    { body, headers }: { readonly body?: string | undefined; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<TestResponse> => {
    const whole: Principal = { kind: 'tenant', tenantId: null, warehouseCode: null, keyId: 'test', scopes: [], environment, ...principal };
    const response = await request(`${origin}${path}`, {
      method,
      headers: { [PRINCIPAL_HEADER]: signer.sign(whole), 'content-type': 'application/json', ...headers },
      body: body ?? null,
    });
    const text = await response.body.text();
    const isEnvelope = text.startsWith('{"code"');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (isEnvelope ? JSON.parse(text) : { code: '', message: '', data: null }) as TestResponse['body'],
    };
  };
}

/**
 * Starts the service in a directory of its own.
 * @param serviceClock of the service alone: a test moves it on
 */
export async function startTracking(
  env: Record<string, string> = {},
  environment: Environment = 'sandbox',
  serviceClock: Clock = systemClock,
) {
  const directory = mkdtempSync(join(tmpdir(), 'tracking-'));
  const given = { ...env, ENVIRONMENT: environment, DATA_DIR: directory };
  const opened = await openEmbeddedPlatform(given, 'https://api.example.com', silentLogger);
  const { bus } = opened.platform;
  const changes: DomainEvent<'tracking.changed'>[] = [];
  const listener = await bus.subscribe('test', { 'tracking.changed': async (event) => void changes.push(event) });
  const telemetry = recordingTelemetry();
  const service = await trackingService.open({
    ...opened.platform,
    ...fileSecretsOf({ fileSecret: FILE_SECRET }),
    telemetry,
    clock: serviceClock,
  });
  const server = createServiceServer(service.app as Parameters<typeof createServiceServer>[0], () => service.ready());
  const port = await listen(server, '127.0.0.1', 0);
  await service.start();

  /** As a tenant, {@link TENANT}, or as a caller that is none. */
  const as = (kind: Principal['kind']): Partial<Principal> => ({ kind, tenantId: kind === 'tenant' ? TENANT : null });
  const call = callerOf(`http://127.0.0.1:${port}`, opened.platform.principalSigner, environment);

  return {
    bus,
    /** Every tracking.changed so far. */
    changes,
    telemetry,
    publish<T extends DomainEventType>(type: T, data: DomainEventData<T> & { readonly forecast_no: string }): Promise<void> {
      const { forecast_no: subject } = data;
      const event = createDomainEvent({ type, publisher: 'forecast', tenantId: TENANT, environment, subject, time: Date.now(), data });
      return bus.publish([encodeEvent(event)]);
    },
    query(poNumber: string | null, tenantId: string = TENANT, traceparent?: string): Promise<TestResponse> {
      const query = poNumber === null ? '' : `?${new URLSearchParams({ po_number: poNumber })}`;
      const headers = traceparent === undefined ? undefined : { traceparent };
      return call('GET', `/open/v1/forecasts/tracking${query}`, { tenantId }, headers && { headers });
    },
    simulate: (body: Record<string, unknown>, kind: Principal['kind'] = 'system') =>
      call('POST', '/internal/v1/simulated-nodes', as(kind), { body: JSON.stringify(body) }),
    /** Asks for what is stored of a forecast. */
    stored: (query: Readonly<Record<string, string>>, kind: Principal['kind'] = 'system') =>
      call('GET', `/internal/v1/tracking?${new URLSearchParams(query)}`, as(kind)),
    detect: (query: Readonly<Record<string, string>>, kind: Principal['kind'] = 'tenant') =>
      call('GET', `/open/v1/carriers/detect?${new URLSearchParams(query)}`, as(kind)),
    warehouseCarriers: (kind: Principal['kind'] = 'warehouse') =>
      call('GET', '/warehouse/v1/carriers', { ...as(kind), warehouseCode: kind === 'warehouse' ? 'WH1' : null }),
    /** Calls the service as a tenant, {@link TENANT} when none is named; null for another service. */
    call: (method: Method, path: string, body?: unknown, tenantId: string | null = TENANT, headers: Record<string, string> = {}) =>
      call(method, path, { kind: tenantId === null ? 'system' : 'tenant', tenantId }, { body: JSON.stringify(body), headers }),
    /** @returns status of the response */
    push: async (source: string, connectionId: string, push: PassedPush): Promise<number> =>
      (await call('POST', `/carriers/v1/${source}/${connectionId}`, { kind: 'system' }, push)).status,
    async close(): Promise<void> {
      await drainServer(server, 0);
      await service.stop();
      await listener.stop();
      await opened.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
