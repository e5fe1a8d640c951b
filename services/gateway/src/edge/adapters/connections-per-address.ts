import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../domain/client-network.ts';

/** How many connections one address may have. */
export interface ConnectionLimit {
  /** Connections at most. */
  readonly max: number;
  /** Called for every connection that was refused. */
  readonly onRefused: (address: string) => void;
}

/**
 * Closes the connections of an address that come when it has `max` open ones: at once, before TLS and without a word. An IPv6 network of 64 bits counts
 * as one address. Call it before anything else listens for connections of the server.
 */
export function limitConnections(server: Server, { max, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  const listeners = server.listeners('connection') as Array<(socket: Socket) => void>;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) {
      onRefused(network);
      // Nothing is left to be sent: no connection waits in the system for its end.
      socket.resetAndDestroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) as number) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    for (const listener of listeners) listener.call(server, socket);
  });
}
