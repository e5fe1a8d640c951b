import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { decodeEvent, encodeEvent } from '@parcelway/contracts/encode-event';
import { topics } from '@parcelway/contracts/topics';
import { PRINCIPAL_HEADER } from '@parcelway/http/principal-token';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { type OpenPlatform, openEmbeddedPlatform } from '@parcelway/platform/embedded';
import type { OpenService } from '@parcelway/platform/service';
import { forecastService } from './service.ts';

/** The service on the embedded platform, with its log and relay. */
interface Running {
  readonly embedded: OpenPlatform;
  readonly service: OpenService;
  readonly server: Server;
  readonly origin: string;
}

const tenant = { kind: 'tenant', tenantId: 'tnt_a', warehouseCode: null, keyId: 'k', scopes: [], environment: 'sandbox' } as const;
const DEADLINE_MS = 10_000;

let directory: string;
let running: Running;

async function start(): Promise<Running> {
  const embedded = await openEmbeddedPlatform({ DATA_DIR: directory }, 'https://localhost:8443', silentLogger);
  const service = await forecastService.open(embedded.platform);
  const server = createServiceServer(service.app as Parameters<typeof createServiceServer>[0], service.ready);
  const origin = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  await service.start();
  return { embedded, service, server, origin };
}

async function stop({ embedded, service, server }: Running): Promise<void> {
  await drainServer(server, 1000);
  await service.stop();
  await embedded.close();
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'forecast-service-'));
  running = await start();
  await publish('warehouse.opened', 'warehouse:WH1', { warehouse_code: 'WH1', version: 1, name: 'One', opened_at: '2026-11-21T12:00:00Z' });
});
afterEach(async () => {
  await stop(running);
  rmSync(directory, { recursive: true });
});

async function call(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { [PRINCIPAL_HEADER]: running.embedded.platform.principalSigner.sign(tenant), 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${running.origin}${path}`, init);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const { value } = await until(
    async () => {
      const value = await read();
      return holds(value) && { value };
    },
    { what: `${holds}`, within: DEADLINE_MS },
  );
  return value;
}

async function publish<T extends DomainEventType>(type: T, tenantId: string, data: DomainEventData<T>): Promise<void> {
  const { forecast_no, warehouse_code } = data as { forecast_no?: string; warehouse_code?: string };
  const subject = String(forecast_no ?? warehouse_code);
  const event = createDomainEvent({
    type,
    publisher: 'warehouse-intake',
    tenantId,
    environment: 'sandbox',
    subject,
    time: Date.now(),
    data,
  });
  await running.embedded.platform.bus.publish([encodeEvent(event as DomainEvent)]);
}

const submission = {
  po_number: 'PO-1',
  forecast_type: 1,
  warehouse_code: 'WH1',
  items: [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1 }],
};
const arrival = (forecast_no: string, event_id = 'e1') => ({
  event_id,
  forecast_no,
  warehouse_code: 'WH1',
  express_no: null,
  occurred_at: '2026-11-21T12:00:00Z',
});
const status = async () => (await call('/open/v1/forecasts/weighing?po_number=PO-1'))['status'];

describe('the forecast service on the embedded platform', () => {
  test('publishes what it accepts, applies what the log brings, and keeps both over a restart', async () => {
    const seen: DomainEvent[] = [];
    const { forecast_no: forecastNo } = (await call('/open/v1/forecasts', submission)) as { forecast_no: string };
    await publish('warehouse.arrived', 'tnt_a', arrival(forecastNo));
    expect(await eventually(status, (value) => value === 2)).toBe(2);

    await stop(running);
    running = await start();
    expect(await status()).toBe(2);
    const size = { length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 4, photos: [] };
    await publish('warehouse.weighed', 'tnt_a', { ...arrival(forecastNo, 'e2'), ...size });
    expect(await eventually(status, (value) => value === 3)).toBe(3);

    const subscription = await running.embedded.platform.bus.subscribeRaw('listener', topics.forecast, async ({ value }) => {
      seen.push(decodeEvent(Buffer.from(value ?? []).toString()));
    });
    await eventually(
      async () => seen.length,
      (count) => count >= 2,
    );
    await subscription.stop();
    expect(seen.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      `forecast.accepted ${forecastNo}`,
      `parcel.arrived ${forecastNo}`,
      `parcel.weighed ${forecastNo}`,
    ]);
  });
});
