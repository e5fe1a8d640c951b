import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** How long a client may leave a response unread. */
export const READ_STALL_MS = 30_000;

/** Looks at all connections in that time; a client that makes no progress in all of them but the first is ended. */
const LOOKS = 10;

/** When connections are ended. */
export interface StallOptions {
  /** Milliseconds without progress while something waits to be read; default 30,000. */
  readonly afterMs?: number;
  /** Told of every connection that was ended, by the address of its client. */
  readonly onEnded?: (address: string) => void;
}

interface Progress {
  /** Bytes that the system has taken from us for this client. */
  taken: number;
  /** Looks since then. */
  looks: number;
}

/**
 * Ends connections whose clients do not read: something waits to be written, and the system has taken none of it for `afterMs`.
 * One timer looks at all of them, so a request costs nothing. Progress is the end of a write, which is 64 kB at most: that is
 * the least a slow client has to take in this time. Call it before the server listens.
 */
export function endStalledConnections(server: Server, { afterMs = READ_STALL_MS, onEnded }: StallOptions = {}): void {
  const open = new Map<Socket, Progress>();
  // Over TLS the socket on which responses are written is another one than the one that was accepted.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, { taken: 0, looks: 0 });
    socket.once('close', () => open.delete(socket));
  });

  // Looks are counted, not time: a process that stood still finds its clients where it left them.
  const look = (): void => {
    for (const [socket, progress] of open) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting;
      if (waiting === 0 || taken !== progress.taken) {
        progress.taken = taken;
        progress.looks = 0;
        continue;
      }
      progress.looks += 1;
      if (progress.looks < LOOKS) continue;
      onEnded?.(socket.remoteAddress ?? '');
      socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer ??= setInterval(look, afterMs / LOOKS).unref();
  });
  server.on('close', () => {
    clearInterval(timer);
    timer = undefined;
  });
}
