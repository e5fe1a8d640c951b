import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { readSendQueues, type SendQueues } from './send-queues.ts';

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
  /** Default: what the system tells. */
  readonly readQueues?: () => Promise<SendQueues>;
}

/** A client that acknowledges less than this in the time is taken for one that does not read. */
const LEAST_READ_BYTES = 64 * 1024;

interface Progress {
  /** Bytes that the system has taken from us for this client. */
  taken: number;
  /** Looks since then. */
  looks: number;
  /** What the system held for the client when it last made progress; undefined when that is not known. */
  queued: number | undefined;
}

/** True when the client has read enough of what the system holds for it. Notes how much is left. */
function hasRead(progress: Progress, queued: number | undefined): boolean {
  const before = progress.queued;
  if (queued === undefined) return false;
  if (before !== undefined && before - queued < LEAST_READ_BYTES) return false;
  progress.queued = queued;
  return before !== undefined;
}

/**
 * Ends connections whose clients do not read: something waits to be written, and the system has taken none of it for `afterMs`.
 * One timer looks at all of them, so a request costs nothing. Progress is the end of a write, which is 64 kB at most. The system
 * takes the next one only when a third of its buffer is empty, which may be megabytes: so what it holds is looked at too, where it tells.
 * Call it before the server listens.
 */
export function endStalledConnections(
  server: Server,
  { afterMs = READ_STALL_MS, onEnded, readQueues = readSendQueues }: StallOptions = {},
): void {
  const open = new Map<Socket, Progress>();
  // Over TLS the socket on which responses are written is another one than the one that was accepted.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, { taken: 0, looks: 0, queued: undefined });
    socket.once('close', () => open.delete(socket));
  });

  // Looks are counted, not time: a process that stood still finds its clients where it left them.
  const count = (socket: Socket, progress: Progress): void => {
    const waiting = socket.writableLength;
    const taken = socket.bytesWritten - waiting;
    if (waiting === 0 || taken !== progress.taken) {
      progress.taken = taken;
      progress.looks = 0;
      progress.queued = undefined;
    } else progress.looks += 1;
  };
  const judge = (socket: Socket, progress: Progress, queued: number | undefined): void => {
    if (progress.looks === 0) return;
    if (hasRead(progress, queued)) {
      progress.looks = 1;
    } else if (progress.looks >= LOOKS) {
      onEnded?.(socket.remoteAddress ?? '');
      socket.destroy();
    }
  };
  let looking = false;
  const look = async (): Promise<void> => {
    for (const [socket, progress] of open) count(socket, progress);
    const doubtful = [...open].filter(([, { looks }]) => looks === 1 || looks >= LOOKS);
    if (doubtful.length === 0 || looking) return;
    looking = true;
    const queues = await readQueues();
    looking = false;
    for (const [socket, progress] of doubtful) if (!socket.destroyed) judge(socket, progress, queues.of(socket));
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer ??= setInterval(() => void look(), afterMs / LOOKS).unref();
  });
  server.on('close', () => {
    clearInterval(timer);
    timer = undefined;
  });
}
