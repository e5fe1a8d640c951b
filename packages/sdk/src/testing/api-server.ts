import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from '@jest/globals';
import { Parcelway } from '../parcelway.ts';

/** A request as the platform of a test got it. */
export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Responds to a request. @param nth how many came before */
export type Responding = (req: SeenRequest, res: ServerResponse, nth: number) => void;

/** A platform whose responses the test decides. */
export interface ApiServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Responds to every request from now on. */
  respondWith(responding: Responding): void;
  close(): Promise<void>;
}

/** Responds with `data` in the envelope of success. */
export function succeed(res: ServerResponse, data: unknown, headers: Readonly<Record<string, string>> = {}): void {
  res.writeHead(200, { 'x-request-id': 'req_1', ...headers }).end(JSON.stringify({ code: '0', message: 'success', data }));
}

/** Responds with a failure in the envelope. */
export function fail(
  res: ServerResponse,
  status: number,
  code: string,
  {
    data = null,
    headers = {},
    message = 'It failed',
  }: { data?: unknown; headers?: Readonly<Record<string, string>>; message?: string } = {},
): void {
  res.writeHead(status, { 'x-request-id': 'req_1', ...headers }).end(JSON.stringify({ code, message, data }));
}

/** Starts a platform on the loopback address; it responds with success and no data unless the test sets another response. */
export async function startApiServer(): Promise<ApiServer> {
  const seen: SeenRequest[] = [];
  let responding: Responding = (_req, res) => succeed(res, {});
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const request = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks) };
    seen.push(request);
    responding(request, res, seen.length - 1);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    respondWith(next) {
      responding = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server and a client for it before each test of the file. */
export function useApiServer(maxRetries: number): { readonly server: ApiServer; readonly parcelway: Parcelway } {
  let server: ApiServer;
  let parcelway: Parcelway;
  beforeEach(async () => {
    server = await startApiServer();
    parcelway = new Parcelway({ apiKey: 'pf_test_key', baseUrl: server.url, maxRetries });
  });
  afterEach(async () => {
    parcelway.close();
    await server.close();
  });
  return {
    get server() {
      return server;
    },
    get parcelway() {
      return parcelway;
    },
  };
}
