import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection for the responses before them. */
export const MAX_PIPELINED = 100;

interface Line {
  /** The response to the request that came last. */
  last: ServerResponse;
  /** Requests that have come and are not handled yet. */
  waiting: number;
}

/**
 * Handles the requests of a connection one after the other. Node emits all requests that have arrived; their responses
 * would pile up in memory while the client reads none of them. A connection with too many requests ahead is closed.
 * @param onTooMany called for every connection that was closed, by the address of its client
 */
export function inTurn(listener: RequestListener, onTooMany: (address: string) => void): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: res, waiting: 0 });
      listener(req, res);
      return;
    }
    const before = line.last;
    line.last = res;
    // A response that has the connection is the first in line.
    if (res.socket !== null) {
      listener(req, res);
      return;
    }
    line.waiting += 1;
    if (line.waiting > MAX_PIPELINED) {
      onTooMany(socket.remoteAddress ?? '');
      socket.destroy();
      return;
    }
    before.once('close', () => {
      line.waiting -= 1;
      if (!socket.destroyed) listener(req, res);
    });
  };
}
