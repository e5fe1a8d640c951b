import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A carrier's interface whose responses the test decides. */
export interface CarrierServer {
  /** Address with the place of the number in it. */
  readonly url: string;
  /** Requests so far. */
  readonly requests: readonly IncomingMessage[];
  /** Connections that are open now. */
  openConnections(): Promise<number>;
  respondWith(handle: (req: IncomingMessage, res: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** Starts a carrier on the loopback address that knows no parcel. */
export async function startCarrier(): Promise<CarrierServer> {
  const requests: IncomingMessage[] = [];
  let handle = (_req: IncomingMessage, res: ServerResponse): void => void res.end('{"nodes":[]}');
  const server = createServer((req, res) => {
    requests.push(req);
    res.on('error', () => undefined);
    handle(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/track/{tracking_number}?lang=en`,
    requests,
    openConnections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
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
