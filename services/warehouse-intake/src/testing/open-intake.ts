import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER } from '@parcelway/http/principal-token';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import { silentLogger } from '@parcelway/kernel/logger';
import { type OpenPlatform, openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { warehouseIntakeService } from '../service.ts';
import { acceptance, forecastEvent } from './samples.ts';

/** A response of the service. */
export interface IntakeResponse {
  readonly status: number;
  readonly body: { readonly code: string; readonly data: Record<string, unknown> };
}

/** The service on a platform of its own. */
export interface OpenIntake {
  readonly platform: OpenPlatform['platform'];
  readonly origin: string;
  /** Calls a route as the gateway does for a principal. */
  call(principal: Principal, path: string, init?: RequestInit): Promise<IntakeResponse>;
  stop(): Promise<void>;
}

const nobody = { tenantId: null, warehouseCode: null, scopes: [], environment: 'sandbox' } as const;
export const system: Principal = { ...nobody, kind: 'system', keyId: 'gateway' };
export const warehouse: Principal = {
  ...nobody,
  kind: 'warehouse',
  warehouseCode: 'WH1',
  keyId: 'key_1',
  scopes: ['warehouse:read', 'warehouse:write'],
};

/** Opens a service for each test of a group, in a new folder. */
export function useIntake(env: Readonly<Record<string, string>> = {}): { readonly intake: OpenIntake; restart(): Promise<void> } {
  let directory: string;
  let intake: OpenIntake;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'intake-'));
    intake = await openIntake(directory, env);
  });
  afterEach(async () => {
    await intake.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get intake() {
      return intake;
    },
    async restart() {
      await intake.stop();
      intake = await openIntake(directory, env);
    },
  };
}

/** Opens and starts the service over the files of a directory. @param env settings besides the directory */
async function openIntake(directory: string, env: Readonly<Record<string, string>>): Promise<OpenIntake> {
  const opened = await openEmbeddedPlatform(
    { DATA_DIR: directory, ENVIRONMENT: 'sandbox', ...env },
    'https://api.example.test',
    silentLogger,
  );
  const { platform } = opened;
  const service = await warehouseIntakeService.open(platform);
  const server = createServiceServer(service.app, () => service.ready());
  const origin = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  await service.start();
  return {
    platform,
    origin,
    async call(principal, path, init = {}) {
      const headers = { 'content-type': 'application/json', [PRINCIPAL_HEADER]: platform.principalSigner.sign(principal), ...init.headers };
      const response = await fetch(`${origin}${path}`, { ...init, headers });
      return { status: response.status, body: (await response.json()) as IntakeResponse['body'] };
    },
    async stop() {
      await drainServer(server, 1000);
      await service.stop();
      await opened.close();
    },
  };
}

/** Publishes an accepted forecast of type 2 at WH1, as the forecast service does. */
export function publishAcceptance(
  { bus }: OpenPlatform['platform'],
  forecastNo: string,
  trackingNumbers: readonly string[],
  given: Partial<DomainEventData<'forecast.accepted'>> = {},
): Promise<void> {
  const own = { po_number: `PO-${forecastNo}`, tracking_numbers: [...trackingNumbers] };
  const event = forecastEvent('forecast.accepted', { ...acceptance, ...own, ...given }, { time: Date.now(), forecastNo });
  return bus.publish([encodeEvent(event)]);
}
