import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import type { Bus, Subscription } from '@parcelway/bus/bus';
import { createBus } from '@parcelway/bus/create-bus';
import { openEmbeddedBus } from '@parcelway/bus/embedded-driver';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { fileSecretsOf } from '@parcelway/platform/installation';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { createOutboxRelay, type OutboxRelay } from '@parcelway/platform/outbox-relay';
import type { Platform, StoreDrivers } from '@parcelway/platform/service';
import { SqliteDatabase } from '@parcelway/sqlite/database';
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

const SECRET = 'a-secret-between-the-services-in-tests';

const clock = systemClock;
const logger = silentLogger;

interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

function listen(handler: RequestListener): Promise<Listening> {
  const server = createServer(handler);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }));
  });
}

interface Messaging {
  readonly bus: Bus;
  readonly signer: PrincipalSigner;
  readonly changes: readonly DomainEvent<'tracking.changed'>[];
  readonly listener: Subscription;
}

async function openMessaging(directory: string): Promise<Messaging> {
  const driver = await openEmbeddedBus({ path: join(directory, 'bus.db'), clock, logger, partitions: PARTITIONS });
  const bus = createBus({ driver, logger, clock });
  const changes: DomainEvent<'tracking.changed'>[] = [];
  const listener = await bus.subscribe('test', { 'tracking.changed': async (event) => void changes.push(event) });
  return { bus, signer: new PrincipalSigner(SECRET, clock), changes, listener };
}

/** The part of the platform that the service asks for. */
function platformOf({ bus, signer }: Messaging, relays: OutboxRelay[], given: Partial<Platform>): Platform {
  return {
    clock,
    logger,
    bus,
    principalSigner: signer,
    publicBaseUrl: 'https://api.example.com',
    ...fileSecretsOf({ fileSecret: FILE_SECRET }),
    principalVerifier: new PrincipalVerifier([SECRET], clock, given.environment ?? 'sandbox'),
    startRelay: (_service: string, source: OutboxSource) => {
      const relay = createOutboxRelay({ source, publish: (messages) => bus.publish(messages), logger, clock });
      relays.push(relay);
      relay.start();
      return relay;
    },
    ...given,
  } as unknown as Platform;
}

async function sendPush(url: string, { body, headers }: PassedPush, signer: PrincipalSigner, environment: Environment): Promise<number> {
  const gateway: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'gateway', scopes: [], environment };
  const response = await request(url, {
    method: 'POST',
    headers: { [PRINCIPAL_HEADER]: signer.sign(gateway), 'content-type': 'application/json', ...headers },
    body,
  });
  await response.body.dump();
  return response.statusCode;
}

/** Makes requests of a service. */
function callerOf(origin: string, signer: PrincipalSigner, environment: Environment) {
  return async (
    method: Method,
    path: string,
    principal: Partial<Principal>,
    more: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<TestResponse> => {
    const whole: Principal = { kind: 'tenant', tenantId: null, warehouseCode: null, keyId: 'test', scopes: [], environment, ...principal };
    const response = await request(`${origin}${path}`, {
      method,
      headers: { [PRINCIPAL_HEADER]: signer.sign(whole), 'content-type': 'application/json', ...more.headers },
      body: more.body === undefined ? null : JSON.stringify(more.body),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (text === '' ? { code: '', message: '', data: null } : JSON.parse(text)) as TestResponse['body'],
    };
  };
}

/**
 * Starts the service in a directory of its own.
 * @param mongo where it stores; a SQLite file when left out
 * @param serviceClock of the service alone: a test moves it on
 */
export async function startTracking(
  env: Record<string, string> = {},
  environment: Environment = 'sandbox',
  mongo?: MongoDatabase,
  serviceClock: Clock = systemClock,
) {
  const directory = mkdtempSync(join(tmpdir(), 'tracking-'));
  const messaging = await openMessaging(directory);
  const { bus, signer, changes, listener } = messaging;
  const db = new SqliteDatabase(join(directory, 'tracking.db'));
  const relays: OutboxRelay[] = [];
  const openStores = (_service: string, drivers: StoreDrivers<unknown>) => (mongo ? drivers.mongo(mongo) : drivers.sqlite(db));
  const telemetry = recordingTelemetry();
  const openArchive = () => openDirectoryArchive(join(directory, 'archive'));
  const given = { environment, env, telemetry, clock: serviceClock, openStores: openStores as Platform['openStores'], openArchive };
  const platform = platformOf(messaging, relays, given);
  const service = await trackingService.open(platform);
  const own = await listen(service.app);
  await service.start();

  /** As a tenant, {@link TENANT}, or as a caller that is none. */
  const as = (kind: Principal['kind']): Partial<Principal> => ({ kind, tenantId: kind === 'tenant' ? TENANT : null });
  const call = callerOf(own.origin, signer, environment);

  return {
    bus,
    /** Every tracking.changed so far. */
    changes,
    telemetry,
    publish<T extends DomainEventType>(type: T, data: DomainEventData<T> & { readonly forecast_no: string }): Promise<void> {
      const { forecast_no: subject } = data;
      const event = createDomainEvent({ type, publisher: 'forecast', tenantId: TENANT, environment, subject, time: clock.now(), data });
      return bus.publish([encodeEvent(event)]);
    },
    query(poNumber: string | null, tenantId: string = TENANT, traceparent?: string): Promise<TestResponse> {
      const query = poNumber === null ? '' : `?${new URLSearchParams({ po_number: poNumber })}`;
      return call(
        'GET',
        `/open/v1/forecasts/tracking${query}`,
        { tenantId },
        traceparent === undefined ? {} : { headers: { traceparent } },
      );
    },
    simulate: (body: Record<string, unknown>, kind: Principal['kind'] = 'system') =>
      call('POST', '/internal/v1/simulated-nodes', as(kind), { body }),
    /** Asks for what is stored of a forecast. */
    stored: (query: Readonly<Record<string, string>>, kind: Principal['kind'] = 'system') =>
      call('GET', `/internal/v1/tracking?${new URLSearchParams(query)}`, as(kind)),
    detect: (query: Readonly<Record<string, string>>, kind: Principal['kind'] = 'tenant') =>
      call('GET', `/open/v1/carriers/detect?${new URLSearchParams(query)}`, as(kind)),
    warehouseCarriers: (kind: Principal['kind'] = 'warehouse') =>
      call('GET', '/warehouse/v1/carriers', { ...as(kind), warehouseCode: kind === 'warehouse' ? 'WH1' : null }),
    /** Calls the service as a tenant, {@link TENANT} when none is named; null for another service. */
    call: (method: Method, path: string, body?: unknown, tenantId: string | null = TENANT, headers: Record<string, string> = {}) =>
      call(method, path, { kind: tenantId === null ? 'system' : 'tenant', tenantId }, { body, headers }),
    /** @returns status of the response */
    push: (source: string, connectionId: string, push: PassedPush) =>
      sendPush(`${own.origin}/carriers/v1/${source}/${connectionId}`, push, signer, environment),
    async close(): Promise<void> {
      await own.close();
      await service.stop();
      await listener.stop();
      for (const relay of relays) await relay.stop();
      await bus.close();
      db.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
