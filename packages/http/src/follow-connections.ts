import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { drainServer } from './server.ts';

/** Once no request has come for this long, connections that wait for one are closed. */
const QUIET_MS = 250;
/** They are closed after this in any case. */
const MAX_QUIET_WAIT_MS = 2000;
const LOOK_EVERY_MS = 20;

/** Ends a server. @param deadlineMs what still runs then is cut off; resolves when no connection is left */
export type Drain = (deadlineMs: number) => Promise<void>;

/**
 * Follows the connections of a server, so that it can be stopped without dropping a request. Call it before the server listens.
 *
 * A connection that is idle here may have a request on its way: closing it takes that request down, and a client may not
 * repeat a POST by itself. So connections are left open until requests have ceased to come; each request that still comes is
 * answered, with `Connection: close` once the caller has said that the server drains. Connections on which nothing was ever
 * asked would hold up the end until the deadline, because Node takes them for busy: they are closed with the idle ones.
 */
export function followConnections(server: Server): Drain {
  const unused = new Map<string, Socket>();
  const used = new WeakSet<Socket>();
  let lastRequestAt = 0;
  // TLS wraps the socket that was accepted in another; both know the other end.
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    unused.set(name, socket);
    socket.once('close', () => {
      if (unused.get(name) === socket) unused.delete(name);
    });
  });
  const onRequest = ({ socket }: IncomingMessage): void => {
    lastRequestAt = performance.now();
    if (used.has(socket)) return;
    used.add(socket);
    unused.delete(nameOf(socket));
  };
  server.on('request', onRequest);
  // A listener takes these over from Node: only where the server has one anyway.
  for (const event of ['checkContinue', 'checkExpectation']) if (server.listenerCount(event) > 0) server.on(event, onRequest);

  return async (deadlineMs) => {
    const startedAt = performance.now();
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    // Stops accepting alone: the method of an HTTP server closes idle connections too.
    NetServer.prototype.close.call(server);
    lastRequestAt = startedAt;
    const patience = Math.min(MAX_QUIET_WAIT_MS, deadlineMs / 2);
    const isLoud = (): boolean => performance.now() - lastRequestAt < QUIET_MS && performance.now() - startedAt < patience;
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    while (!isClosed && isLoud()) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))]);
    for (const socket of unused.values()) socket.destroy();
    await drainServer(server, Math.max(0, deadlineMs - (performance.now() - startedAt)));
  };
}
