import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the admin API received. */
export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly authorization: string;
  readonly contentType: string;
  /** Parsed JSON; the text of a form. */
  readonly body: unknown;
}

/** An admin API whose responses the test decides. */
export interface AdminServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Responds to every request from now on with `data` in the envelope of success. */
  succeed(data: object): void;
  /** Responds to every request from now on with a failure. */
  fail(status: number, code: string, message: string, data?: object | null): void;
  /** Handles every request from now on. */
  respondWith(handle: (req: IncomingMessage, res: ServerResponse) => void): void;
  close(): Promise<void>;
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (req.headers['content-type']?.startsWith('multipart/')) return text;
  return text === '' ? undefined : JSON.parse(text);
}

/** Starts an admin API on the loopback address. */
export async function startAdminServer(): Promise<AdminServer> {
  const seen: SeenRequest[] = [];
  let handle = (_req: IncomingMessage, res: ServerResponse): void => void res.end('{"code":"0","message":"success","data":{}}');
  const server = createServer(async (req, res) => {
    const { authorization = '', 'content-type': contentType = '' } = req.headers;
    seen.push({ method: req.method ?? '', url: req.url ?? '', authorization, contentType, body: await bodyOf(req) });
    res.setHeader('X-Request-Id', 'req_1');
    handle(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    succeed(data) {
      handle = (_req, res) => void res.end(JSON.stringify({ code: '0', message: 'success', data }));
    },
    fail(status, code, message, data = null) {
      handle = (_req, res) => void res.writeHead(status).end(JSON.stringify({ code, message, data }));
    },
    respondWith(next) {
      handle = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
