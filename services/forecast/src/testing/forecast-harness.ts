import { mkdtempSync } from 'node:fs';
import { Agent, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach } from '@jest/globals';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import type { EventHandlers } from '@parcelway/bus/bus';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { decodeEvent, encodeEvent } from '@parcelway/contracts/encode-event';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { fileUrl } from '@parcelway/contracts/file-receipt';
import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { Principal } from '@parcelway/contracts/principal';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { remoteServices } from '@parcelway/http/other-services';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import type { FieldError } from '@parcelway/kernel/app-error';
import { isoInstant, ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { fileSecretsOf } from '@parcelway/platform/installation';
import { openSqliteStore } from '@parcelway/platform/open-store';
import type { Platform } from '@parcelway/platform/service';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { noTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { forecastService } from '../service.ts';

const SECRET = 'a secret of the tests that is long enough';
export const FILE_SECRET = 'another secret of the tests, for file urls';
/** 21 November 2026, 12:00 UTC. */
export const START = Date.UTC(2026, 10, 21, 12);

type Handler = (events: readonly DomainEvent[]) => Promise<void>;

/** Whatever the `data` of a response may hold; which members there are depends on the call. */
interface ResponseData extends ForecastDetail, Omit<WeighingData, 'warnings'>, Pick<ForecastAcceptance, 'warnings'> {
  readonly forecasts: readonly ForecastSummary[];
  readonly next_cursor: string | null;
  readonly errors: readonly FieldError[];
  readonly fields: readonly string[];
  readonly tracking_numbers: readonly string[];
  readonly valid: boolean;
  readonly existing_forecast_no: string | null;
  readonly results: readonly { index: number; code: string; message: string; data: Readonly<Record<string, unknown>> | null }[];
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly message: string;
  readonly data: ResponseData;
}

export interface CallOptions {
  readonly tenant?: string;
  readonly principal?: Principal | null;
  /** Sent as JSON; a string or Buffer as it is. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

export function tenantPrincipal(tenantId: string, keyId = 'key_test'): Principal {
  return { kind: 'tenant', tenantId, warehouseCode: null, keyId, scopes: ['forecasts:write'], environment: 'sandbox' };
}

/** The whole forecast service in process, on loopback, with the warehouses WH1 and WH2, and NONE, which is closed: unlike one that is not known, it is not waited for. */
export class ForecastHarness {
  readonly clock = new ManualClock(START);
  readonly signer = new PrincipalSigner(SECRET, this.clock);
  readonly verifier = new PrincipalVerifier([SECRET], this.clock, 'sandbox');
  readonly blobs = openFilesystemBlobs(mkdtempSync(join(tmpdir(), 'parcelway-imports-')));
  db: SqliteDatabase;
  /** Where the tracking service is: nowhere, unless a test sets it. */
  trackingOrigin = 'http://127.0.0.1:1';
  /** How the relay was notified of messages, in order. */
  readonly notices: ('now' | 'unhurried')[] = [];
  readonly #log: CommittedMessages;
  readonly #handlers: Handler[] = [];
  #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  #server: Server | undefined;
  #port = 0;
  #close: () => Promise<void> = async () => undefined;
  #principals = new Map<string, Principal>();

  constructor(path = ':memory:') {
    this.db = new SqliteDatabase(path);
    this.#log = new CommittedMessages(this.db);
  }

  /** Opens and starts everything. @param warehouses codes that the service has heard of */
  static async open(path?: string, warehouses: readonly string[] = ['WH1', 'WH2']): Promise<ForecastHarness> {
    const harness = new ForecastHarness(path);
    await harness.#openService();
    for (const code of warehouses) await harness.openWarehouse(code);
    if (warehouses.length > 0)
      await harness.deliver('warehouse.closed', { warehouse_code: 'NONE', version: 1, closed_at: isoInstant(START) });
    return harness;
  }

  async #openService(): Promise<void> {
    const service = await forecastService.open(this.#platform());
    await service.start();
    this.#close = () => service.stop();
    const server = createServiceServer(service.app as Parameters<typeof createServiceServer>[0], service.ready);
    this.#server = server;
    this.#port = await listen(server, '127.0.0.1', 0);
  }

  #platform(): Platform {
    const parts: Partial<Platform> = {
      environment: 'sandbox',
      env: {},
      clock: this.clock,
      logger: silentLogger,
      principalSigner: this.signer,
      otherServices: remoteServices({ originOf: () => this.trackingOrigin, signer: this.signer }),
      principalVerifier: this.verifier,
      ...fileSecretsOf({ fileSecret: FILE_SECRET }),
      telemetry: { of: () => noTelemetry } as unknown as Telemetry,
      // Nothing expires in these tests.
      openArchive: () => openDirectoryArchive(join(tmpdir(), 'parcelway-forecast-harness')),
      openBlobs: () => this.blobs,
      openStore: async (_service, collections) => ({
        ...openSqliteStore(this.db, collections, this.#log),
        relay: { notify: () => void this.notices.push('now'), notifyUnhurried: () => void this.notices.push('unhurried') },
      }),
      bus: {
        subscribe: async (_group: string, handlers: EventHandlers) => {
          const handlerOf = handlers as Readonly<Record<string, ((event: DomainEvent) => Promise<void>) | undefined>>;
          this.#handlers.push(async (events) => {
            for (const event of events) await handlerOf[event.type]?.(event);
          });
          return { stop: async () => undefined };
        },
        subscribeBatch: async (_group: string, types: readonly string[], handle: Handler) => {
          this.#handlers.push((events) => handle(events.filter(({ type }) => types.includes(type))));
          return { stop: async () => undefined };
        },
      } as unknown as Platform['bus'],
    };
    return parts as Platform;
  }

  openWarehouse(code: string): Promise<void> {
    return this.deliver('warehouse.opened', { warehouse_code: code, version: 1, name: code, opened_at: isoInstant(START) });
  }

  /** Publishes that a warehouse was closed, and lets what it remembers of it expire. */
  async closeWarehouse(code: string): Promise<void> {
    await this.deliver('warehouse.closed', { warehouse_code: code, version: 2, closed_at: isoInstant(START) });
    this.clock.advance(2000);
  }

  pdf(tenant = 'tnt_a', token = 'A'.repeat(22), environment: 'sandbox' | 'production' = 'sandbox'): string {
    return fileUrl(FILE_SECRET, 'https://localhost:8443', { tenantId: tenant, environment }, token);
  }

  inspectedPdf(tenant: string, findings: FileFindings): string {
    return fileUrl(FILE_SECRET, 'https://localhost:8443', { tenantId: tenant, environment: 'sandbox' }, 'A'.repeat(22), { findings });
  }

  /** A valid submission of type 2. */
  submission(over: Readonly<Record<string, unknown>> = {}, tenant = 'tnt_a'): Record<string, unknown> {
    return {
      po_number: 'PO-1',
      warehouse_code: 'WH1',
      shipping_label: this.pdf(tenant),
      shipping_note: this.pdf(tenant, 'B'.repeat(22)),
      items: [{ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3 }],
      ...over,
    };
  }

  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options: CallOptions = {}): Promise<ApiResponse> {
    const { status, headers, bytes } = await this.download(method, path, options);
    return { ...(JSON.parse(bytes.toString()) as ApiResponse), status, headers };
  }

  /** As {@link call}, for a response that may be a file. */
  download(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options: CallOptions = {},
  ): Promise<Pick<ApiResponse, 'status' | 'headers'> & { readonly bytes: Buffer }> {
    const tenant = options.tenant ?? 'tnt_a';
    const known = this.#principals.get(tenant) ?? tenantPrincipal(tenant);
    this.#principals.set(tenant, known);
    const principal = options.principal === undefined ? known : options.principal;
    const { body } = options;
    const bytes =
      body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers: Record<string, string> = { ...options.headers };
    if (principal) headers[PRINCIPAL_HEADER] = this.signer.sign(principal);
    if (bytes) headers['content-type'] = options.contentType ?? 'application/json; charset=utf-8';
    if (bytes) headers['content-length'] = String(bytes.length);
    const { signal } = options;
    const target = { host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent, ...(signal && { signal }) };
    return new Promise((resolve, reject) => {
      const req = request(target, (res) => {
        buffer(res).then((content) => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: content }), reject);
      });
      req.on('error', reject).end(bytes);
    });
  }

  submit(body: unknown, tenant = 'tnt_a'): Promise<ApiResponse> {
    return this.call('POST', '/open/v1/forecasts', { body, tenant });
  }

  correct(poNumber: string, body: unknown, headers: Readonly<Record<string, string>> = {}, tenant = 'tnt_a'): Promise<ApiResponse> {
    return this.call('PATCH', `/open/v1/forecasts/${encodeURIComponent(poNumber)}`, { body, headers, tenant });
  }

  /** Delivers an event to the service as the bus would, through its encoding. */
  async deliver<T extends DomainEventType>(
    type: T,
    data: DomainEventData<T>,
    options: { tenant?: string; id?: string } = {},
  ): Promise<void> {
    const { forecast_no, warehouse_code } = data as { forecast_no?: string; warehouse_code?: string };
    const subject = String(forecast_no ?? warehouse_code);
    const event = createDomainEvent({
      type,
      publisher: 'warehouse-intake',
      tenantId: options.tenant ?? 'tnt_a',
      environment: 'sandbox',
      subject,
      time: this.clock.now(),
      data,
      ...(options.id !== undefined && { id: options.id }),
    });
    const received = [decodeEvent(encodeEvent(event as DomainEvent).value)];
    for (const handle of this.#handlers) await handle(received);
  }

  /** Every event in the log, oldest first. */
  async published(): Promise<DomainEvent[]> {
    const messages = await this.#log.lease(10_000);
    return messages.map((message) => decodeEvent(message.value));
  }

  /** Stops and closes everything. */
  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#close();
    await new Promise((resolve) => this.#server?.close(resolve));
    this.db.close();
  }
}

/** The service of the current test, for files that call {@link useHarness}. */
export let app: ForecastHarness;

/** Opens a service for each test of a file. */
export function useHarness(): void {
  beforeEach(async () => {
    app = await ForecastHarness.open();
  });
  afterEach(() => app.close());
}
