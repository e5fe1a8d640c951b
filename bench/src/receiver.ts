import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A merchant's server that notes when each po_number arrived first. */
export interface Receiver {
  readonly origin: string;
  /** By po_number; instants of `performance.now()`. */
  readonly arrivedAt: ReadonlyMap<string, number>;
  /** Body of the last webhook. */
  readonly lastBody: string;
  close(): Promise<void>;
}

/** Starts a receiver on a free loopback port. It responds with every POST with 204. */
export async function startReceiver(): Promise<Receiver> {
  const arrivedAt = new Map<string, number>();
  let lastBody = '';
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      body += chunk;
    });
    req.on('end', () => {
      const now = performance.now();
      res.writeHead(204).end();
      const { data } = JSON.parse(body) as { data: { po_number: string } };
      if (!arrivedAt.has(data.po_number)) arrivedAt.set(data.po_number, now);
      lastBody = body;
    });
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivedAt,
    get lastBody() {
      return lastBody;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
