import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as polled } from 'node:timers/promises';
import { DRAIN_IDLE_MS } from './keep-alive.ts';
import { drainServer } from './server.ts';

const LOOK_EVERY_MS = 20;

/** What is known of a connection on which something was asked. */
interface Use {
  /** When it was last seen busy, on the clock of `performance.now()`. */
  at: number;
  /** The latest response on it. */
  res: ServerResponse;
  /** Called at the end of each response. */
  readonly responded: () => void;
}

/**
 * Follows the connections of a server, so that it can be stopped without dropping a request. Call it before the server listens.
 *
 * A request may be on its way over an idle connection: closing the connection loses that request, and a client may not
 * repeat a POST by itself. So a draining server ends a connection with a response that announces it, and closes only connections that
 * have been idle for `idleMs`. The same holds for connections without any request yet, which Node counts as busy.
 * @param idleMs milliseconds
 */
export function followConnections(server: Server, idleMs: number = DRAIN_IDLE_MS) {
  const unused = new Map<string, { readonly socket: Socket; readonly at: number }>();
  const used = new Map<Socket, Use>();
  let closing = false;
  // TLS wraps the socket that was accepted in another; both know the other end.
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    unused.set(name, { socket, at: performance.now() });
    socket.once('close', () => {
      if (unused.get(name)?.socket === socket) unused.delete(name);
    });
  });
  const onRequest = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    const at = performance.now();
    if (closing) res.shouldKeepAlive = false;
    const known = used.get(socket);
    if (known !== undefined) {
      known.at = at;
      known.res = res;
      res.once('finish', known.responded);
      return;
    }
    const use: Use = { at, res, responded: () => (use.at = performance.now()) };
    used.set(socket, use);
    res.once('finish', use.responded);
    unused.delete(nameOf(socket));
    socket.once('close', () => used.delete(socket));
  };
  // Before the handler, which may respond at once.
  server.prependListener('request', onRequest);
  // A listener takes these over from Node: only where the server has one anyway.
  for (const event of ['checkContinue', 'checkExpectation']) if (server.listenerCount(event) > 0) server.prependListener(event, onRequest);

  /** Ends each connection with its next response (`Connection: close`). The server still accepts new connections. */
  function closeAfterResponses(): void {
    closing = true;
    for (const { res } of used.values()) if (!res.headersSent) res.shouldKeepAlive = false;
  }

  function closeIdle(): void {
    const now = performance.now();
    for (const { socket, at } of unused.values()) if (now - at >= idleMs) socket.destroy();
    for (const [socket, use] of used) {
      if (!use.res.writableFinished) use.at = now;
      else if (now - use.at >= idleMs) socket.destroy();
    }
  }

  return {
    closeAfterResponses,
    /**
     * Stops accepting connections, responds to requests that still arrive, and ends; resolves when no connection is left.
     * @param deadlineMs what still runs then is cut off
     */
    async drain(deadlineMs: number): Promise<void> {
      const end = performance.now() + deadlineMs;
      closeAfterResponses();
      const closed = new Promise<void>((resolve) => server.once('close', resolve));
      // Stops accepting alone: the method of an HTTP server closes idle connections too.
      NetServer.prototype.close.call(server);
      let isClosed = false;
      void closed.then(() => (isClosed = true));
      while (!isClosed && performance.now() < end) {
        // What had arrived when the pause ended has been read then: a process that stood still takes no request for silence.
        await polled();
        closeIdle();
        await Promise.race([closed, pause(LOOK_EVERY_MS)]);
      }
      await drainServer(server, 0);
    },
  };
}
