import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A carrier's interface whose responses the test decides. */
export type CarrierServer = Awaited<ReturnType<typeof startCarrier>>;

/** Starts a carrier on the loopback address that knows no parcel. */
export async function startCarrier() {
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
    /** Address with the place of the number in it. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/track/{tracking_number}?lang=en`,
    requests,
    respondWith(next: typeof handle): void {
      handle = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
