import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { Bus } from '@parcelway/bus/bus';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { remoteServices } from '@parcelway/http/other-services';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import type { Clock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { fileService } from '../service.ts';

const BOUNDARY = '----boundary-of-a-test';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
export const BASE_URL = 'https://files.test';

/** One part of a form as it goes over the wire. */
export interface Part {
  readonly field?: string;
  /** Written as it is, UTF-8; absent for a plain field. */
  readonly name?: string;
  readonly content?: Buffer | string;
}

/** The bytes of a form; `end` replaces the closing boundary. */
export function form(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ field = 'file', name, content = '' }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}\r\n` +
        `${name === undefined ? '' : 'Content-Type: application/octet-stream\r\n'}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

/** A content of exactly `size` bytes that begins and ends as a PDF, different for each `seed`. Between is one long comment, which a parser soon has behind it. */
export function pdf(size = 2000, seed = 1): Buffer {
  return asPdf(Buffer.alloc(size, `%${seed}`));
}

/** Makes a content begin and end as a PDF does. @returns the same buffer */
export function asPdf(content: Buffer): Buffer {
  content.write('%PDF-1.7\n');
  content.write('\n%%EOF\n', content.length - 7);
  return content;
}

const caller = { keyId: 'key_1', environment: 'sandbox', tenantId: null, warehouseCode: null } as const;
export const tenant = (tenantId: string): Principal => ({ ...caller, kind: 'tenant', tenantId, scopes: ['files:write'] });
export const warehouse = (warehouseCode: string): Principal => ({
  ...caller,
  kind: 'warehouse',
  warehouseCode,
  scopes: ['warehouse:write'],
});
export const system: Principal = { ...caller, kind: 'system', keyId: 'gateway', scopes: [] };

const AT = '2026-11-21T08:00:00.000+00:00';

/** An event; about the forecast FC1 of tnt_1 unless stated otherwise. */
export function eventOf<T extends DomainEventType>(type: T, data: object, tenantId = 'tnt_1'): DomainEvent<T> {
  const accepted = type === 'forecast.accepted' && {
    ...eventContent,
    ...{ forecast_id: 1, forecast_type: 2, warehouse_code: 'W', tracking_numbers: [], accepted_at: AT },
  };
  const { forecast_no, ...all } = { forecast_no: 'FC1', po_number: 'PO', ...accepted, ...data };
  const publisher = type.startsWith('warehouse') ? 'warehouse-intake' : 'forecast';
  const envelope = { publisher, tenantId, environment: 'sandbox', subject: forecast_no, time: Date.parse(AT) };
  const event = { ...envelope, type, data: { forecast_no, ...all } };
  return createDomainEvent(event as unknown as Parameters<typeof createDomainEvent>[0]) as DomainEvent<T>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string;
  readonly data: Record<string, unknown>;
}

/** A file service that listens, over its own data folder. */
export class FileServiceUnderTest {
  readonly origin: string;

  private constructor(
    readonly port: number,
    readonly dataDirectory: string,
    readonly fileSecret: string,
    readonly bus: Bus,
    readonly signer: PrincipalSigner,
    /** Stops the service and keeps its data. */
    readonly stop: () => Promise<void>,
  ) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** @param options.wrap puts something between the service and its object store; `forecastOrigin`: where the forecast service listens */
  static async open(
    options: {
      wrap?: (blobs: Blobs) => Blobs;
      env?: Record<string, string>;
      dataDirectory?: string;
      clock?: Clock;
      forecastOrigin?: string;
    } = {},
  ) {
    const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'file-service-')));
    const opened = await openEmbeddedPlatform({ ...options.env, DATA_DIR: dataDirectory }, BASE_URL, silentLogger);
    const { platform } = opened;
    const wrap = options.wrap ?? ((blobs: Blobs) => blobs);
    const service = await fileService.open({
      ...platform,
      ...(options.clock && { clock: options.clock }),
      ...(options.forecastOrigin !== undefined && {
        otherServices: remoteServices({ originOf: () => String(options.forecastOrigin), signer: platform.principalSigner }),
      }),
      openBlobs: async (bucket) => wrap(await platform.openBlobs(bucket)),
    });
    const server = createServiceServer(service.app as Parameters<typeof createServiceServer>[0], () => service.ready());
    const port = await listen(server, '127.0.0.1', 0);
    await service.start();
    const stop = async (): Promise<void> => {
      await drainServer(server, 500);
      await service.stop();
      await opened.close();
    };
    return new FileServiceUnderTest(port, dataDirectory, platform.fileSecret, platform.bus, platform.principalSigner, stop);
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  token(principal: Principal): string {
    return this.signer.sign(principal);
  }

  post(path: string, principal: Principal, body: Buffer, contentType: string | null = FORM_TYPE): Promise<TestResponse> {
    return this.#fetch('POST', path, principal, contentType, new Uint8Array(body));
  }

  /** Calls a route with a JSON body, or none. */
  call(method: string, path: string, principal: Principal, body?: object): Promise<TestResponse> {
    return this.#fetch(method, path, principal, body === undefined ? null : 'application/json', body && JSON.stringify(body));
  }

  async #fetch(
    method: string,
    path: string,
    principal: Principal,
    contentType: string | null,
    body: RequestInit['body'],
  ): Promise<TestResponse> {
    const headers = { [PRINCIPAL_HEADER]: this.token(principal), ...(contentType !== null && { 'Content-Type': contentType }) };
    const response = await fetch(this.origin + path, { method, headers, ...(body !== undefined && { body }) });
    const envelope = (await response.json()) as { code: string; data: Record<string, unknown> };
    return { status: response.status, headers: response.headers, ...envelope };
  }

  publish(...events: readonly DomainEvent[]): Promise<void> {
    return this.bus.publish(events.map(encodeEvent));
  }

  uploadPdf(parts: readonly Part[], tenantId = 'tnt_1'): Promise<TestResponse> {
    return this.post('/open/v1/files/pdf', tenant(tenantId), form(parts));
  }

  /** Opens a public URL of the installation here. */
  open(url: unknown, init: RequestInit = {}): Promise<Response> {
    const path = String(url).replace(BASE_URL, '');
    return fetch(this.origin + path, { ...init, headers: { ...init.headers, [PRINCIPAL_HEADER]: this.token(system) } });
  }

  /** Sends the head of an upload and `body`, then drops the connection. Resolves once it is closed. */
  abort(body: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.write(
          `POST /open/v1/files/pdf HTTP/1.1\r\nHost: x\r\n${PRINCIPAL_HEADER}: ${this.token(tenant('tnt_1'))}\r\n` +
            `Content-Type: ${FORM_TYPE}\r\nContent-Length: 9000000\r\n\r\n`,
        );
        socket.write(body, () => socket.destroy());
      });
      socket.on('close', () => resolve()).on('error', reject);
    });
  }

  /** How many contents the object store holds, half-made ones included. @param bytes counts those of this size only */
  async contentCount(bytes?: number): Promise<number> {
    const entries = await readdir(join(this.dataDirectory, 'blobs', 'files'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    if (bytes === undefined) return files.length;
    // One that is being cleared away meanwhile is none.
    const sizes = await Promise.all(
      files.map(({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => -1,
        ),
      ),
    );
    return sizes.filter((size) => size === bytes).length;
  }
}
