import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from '@parcelway/http/server';

/** A way to MongoDB on which responses can get lost. */
export interface LossyProxy {
  readonly url: string;
  /** From now on what clients send still arrives, and no response comes back. */
  loseResponses(): void;
  close(): Promise<void>;
}

/** Opens a way through to the server of `mongoUrl`, which must be a single one. */
export async function openLossyProxy(mongoUrl: string): Promise<LossyProxy> {
  const target = new URL(mongoUrl);
  const sockets = new Set<Socket>();
  let lossy = false;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk) => lossy || client.write(chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  const port = await listen(server, '127.0.0.1', 0);
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    loseResponses() {
      lossy = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
