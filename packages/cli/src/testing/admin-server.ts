import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed JSON; the text of a form. */
  readonly body: unknown;
}

/** A server whose responses the test decides: an admin API, a platform, or a program that takes webhooks. */
export type AdminServer = Awaited<ReturnType<typeof startAdminServer>>;
type Handle = (req: IncomingMessage, res: ServerResponse) => void;

function bodyOf({ headers }: IncomingMessage, text: string): unknown {
  if (headers['content-type']?.startsWith('multipart/')) return text;
  return text === '' ? undefined : JSON.parse(text);
}

/** Starts a server on the loopback address; it responds with success unless the test says otherwise. @param port default a free one */
export async function startAdminServer(port = 0) {
  const seen: SeenRequest[] = [];
  let handle: Handle = (_req, res) => void res.end('{"code":"0","message":"success","data":{}}');
  const server = createServer(async (req, res) => {
    const { method = '', url = '', headers } = req;
    const { authorization = '', 'content-type': contentType = '' } = headers;
    const sent = await text(req);
    seen.push({ method, url, authorization, contentType, headers, text: sent, body: bodyOf(req, sent) });
    res.setHeader('X-Request-Id', 'req_1');
    handle(req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: found } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${found}`,
    port: found,
    seen: seen as readonly SeenRequest[],
    /** Responds to every request from now on with `data` in the envelope of success. */
    succeed(data: object): void {
      handle = (_req, res) => void res.end(JSON.stringify({ code: '0', message: 'success', data }));
    },
    /** Responds to every request from now on with a failure. */
    fail(status: number, code: string, message: string, data: object | null = null): void {
      handle = (_req, res) => void res.writeHead(status).end(JSON.stringify({ code, message, data }));
    },
    /** Handles every request from now on. */
    respondWith(next: Handle): void {
      handle = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
