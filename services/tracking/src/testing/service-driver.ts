import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus, EventHandlers } from '@parcelway/bus/bus';
import { createBus } from '@parcelway/bus/create-bus';
import { openEmbeddedBus } from '@parcelway/bus/embedded-driver';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createOutboxRelay, type OutboxRelay } from '@parcelway/platform/outbox-relay';
import type { Platform } from '@parcelway/platform/service';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { request } from 'undici';
import { trackingService } from '../service.ts';
import { TENANT } from './samples.ts';

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: { readonly code: string; readonly message: string; readonly data: Record<string, unknown> | null };
}

/** A running tracking service over the embedded drivers, and a forecast service of few words. */
export interface ServiceDriver {
  readonly bus: Bus;
  /** Every tracking.changed so far. */
  readonly changes: readonly DomainEvent<'tracking.changed'>[];
  /** What the forecast service knows: po_number → `data` of its look-up. */
  readonly forecasts: Map<string, Record<string, unknown>>;
  publish<T extends DomainEventType>(type: T, data: DomainEventData<T> & { readonly forecast_no: string }): Promise<void>;
  /** Asks on behalf of {@link TENANT}, or of another. */
  query(poNumber: string | null, tenantId?: string): Promise<Answer>;
  simulate(body: Record<string, unknown>, kind?: Principal['kind']): Promise<Answer>;
  close(): Promise<void>;
}

const SECRET = 'a-secret-between-the-services-in-tests';

function listen(handler: RequestListener): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(handler);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
  });
}

function forecastService(forecasts: ReadonlyMap<string, Record<string, unknown>>): RequestListener {
  return (req, res) => {
    const data = forecasts.get(new URL(req.url ?? '', 'http://localhost').searchParams.get('po_number') ?? '');
    res.statusCode = data ? 200 : 404;
    res.end(JSON.stringify(data ? { code: '0', message: 'success', data } : { code: '40401', message: 'no such parcel', data: null }));
  };
}

/** Starts the service in a directory of its own. */
export async function startTracking(env: Record<string, string> = {}, environment: Environment = 'sandbox'): Promise<ServiceDriver> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tracking-'));
  const clock = systemClock;
  const logger = silentLogger;
  const bus = createBus({
    driver: await openEmbeddedBus({ path: join(dataDirectory, 'bus.db'), clock, logger, partitions: PARTITIONS }),
    logger,
    clock,
  });
  const forecasts = new Map<string, Record<string, unknown>>();
  const forecast = await listen(forecastService(forecasts));
  const db = new SqliteDatabase(join(dataDirectory, 'tracking.db'));
  const signer = new PrincipalSigner(SECRET, clock);
  let relay: OutboxRelay | undefined;
  const platform = {
    environment,
    env,
    clock,
    logger,
    bus,
    principalSigner: signer,
    principalVerifier: new PrincipalVerifier([SECRET], clock),
    openStores: async (_service: string, drivers: { sqlite(db: SqliteDatabase): unknown }) => drivers.sqlite(db),
    startRelay: (_service: string, source: Parameters<Platform['startRelay']>[1]) => {
      relay = createOutboxRelay({ source, publish: (messages) => bus.publish(messages), logger, clock });
      relay.start();
      return relay;
    },
    originOf: () => forecast.origin,
  } as unknown as Platform;
  const service = await trackingService.open(platform);
  const own = await listen(service.app);
  await service.start();
  const changes: DomainEvent<'tracking.changed'>[] = [];
  const handlers: EventHandlers = { 'tracking.changed': async (event) => void changes.push(event) };
  const listener = await bus.subscribe('test', handlers);

  const call = async (method: 'GET' | 'POST', path: string, principal: Partial<Principal>, body?: unknown): Promise<Answer> => {
    const whole: Principal = { kind: 'tenant', tenantId: null, warehouseCode: null, keyId: 'test', scopes: [], environment, ...principal };
    const answer = await request(`${own.origin}${path}`, {
      method,
      headers: { [PRINCIPAL_HEADER]: signer.sign(whole), 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, headers: answer.headers, body: (await answer.body.json()) as Answer['body'] };
  };

  return {
    bus,
    changes,
    forecasts,
    publish: (type, data) =>
      bus.publish([
        encodeEvent(
          createDomainEvent({
            type,
            publisher: 'forecast',
            tenantId: TENANT,
            environment,
            subject: data.forecast_no,
            time: clock.now(),
            data,
          }),
        ),
      ]),
    query: (poNumber, tenantId = TENANT) =>
      call('GET', `/open/v1/forecasts/tracking${poNumber === null ? '' : `?${new URLSearchParams({ po_number: poNumber })}`}`, {
        tenantId,
      }),
    simulate: (body, kind = 'system') =>
      call('POST', '/internal/v1/simulated-nodes', { kind, tenantId: kind === 'tenant' ? TENANT : null }, body),
    async close() {
      own.server.close();
      own.server.closeAllConnections();
      await service.stop();
      await listener.stop();
      await relay?.stop();
      await bus.close();
      db.close();
      forecast.server.close();
      forecast.server.closeAllConnections();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
