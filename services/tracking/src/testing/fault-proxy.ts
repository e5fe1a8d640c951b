import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can break. */
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Starts a proxy on the loopback address. @param target `host:port` of the server */
export async function startFaultProxy(target: string) {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let isMute = false;
  let fatalText: string | undefined;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isRefusing) {
      client.destroy();
      return;
    }
    const upstream = keep(connect(Number(port), host));
    client.on('data', (chunk) => {
      if (fatalText !== undefined && chunk.includes(fatalText)) isMute = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isMute) client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    /** `host:port`. */
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Breaks every connection, and each new one. */
    refuse(): void {
      isRefusing = true;
      breakAll();
    },
    /** Once a request that has this text in it has gone through, no response comes back any more. */
    loseResponsesAfter(text: string): void {
      fatalText = text;
    },
    /** Lets everything through again, on new connections. */
    heal(): void {
      isRefusing = false;
      isMute = false;
      fatalText = undefined;
      breakAll();
    },
    close() {
      breakAll();
      return new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
