import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { readSendQueues, type SendQueues } from './send-queues.ts';

/** How long a client may leave a response unread. */
export const READ_STALL_MS = 30_000;

/** Looks at all connections in that time. A client that makes no progress from the first of them to the one after the last is ended. */
const LOOKS = 10;

/** When connections are ended. */
export interface StallOptions {
  /** Milliseconds without progress while a client has something to read; default 30,000. */
  readonly afterMs?: number;
  /** Called for every connection that was ended, by the address of its client. */
  readonly onEnded?: (address: string) => void;
  /** Default: what the system reports. */
  readonly readQueues?: () => Promise<SendQueues>;
}

/** A client that acknowledges less than this in the time is taken for one that does not read; one that has less to read, for one that has all. */
const LEAST_READ_BYTES = 64 * 1024;

interface Progress {
  /** Bytes that the system had taken from us for this client when it last had all, or was last seen to go on. */
  taken: number;
  /** Looks since the client has had something to read and was not seen to go on; 0 when it has all, as far as we know. */
  looks: number;
  /** Bytes that the client had acknowledged at the first of these looks; those that the system had taken, where it reports no more. */
  read: number;
}

/** Counts a look. @returns true when it has to be known what the system holds for the client */
function count(socket: Socket, progress: Progress): boolean {
  const waiting = socket.writableLength > 0;
  const taken = socket.bytesWritten - socket.writableLength;
  if (waiting && taken !== progress.taken) {
    progress.taken = taken;
    progress.looks = 0;
  } else if (waiting || progress.looks > 0 || taken - progress.taken >= LEAST_READ_BYTES) {
    progress.looks += 1;
  }
  return progress.looks === 1 || progress.looks > LOOKS;
}

/**
 * Judges a client by what the system holds for it.
 * @param queued bytes; undefined where the system does not report it
 * @returns true when it is to be ended
 */
function isStalled(socket: Socket, progress: Progress, queued: number | undefined): boolean {
  const taken = socket.bytesWritten - socket.writableLength;
  const read = taken - (queued ?? 0);
  const hasAll = socket.writableLength === 0 && (queued ?? 0) < LEAST_READ_BYTES;
  if (!hasAll && progress.looks > LOOKS && read - progress.read < LEAST_READ_BYTES) return true;
  progress.taken = taken;
  progress.looks = hasAll ? 0 : 1;
  progress.read = read;
  return false;
}

/**
 * Ends connections whose clients do not read: for `afterMs` something waits to be written and the system takes none of it, or the system
 * holds something and the client acknowledges none of it. One timer looks at all of them, so a request costs nothing. The end of a write,
 * which is 64 kB at most, is progress. The system takes the next one only when a third of its buffer is empty, which may be megabytes, and
 * it may take a whole response: so what it holds is looked at too, where it is reported. Call it before the server listens.
 */
export function endStalledConnections(
  server: Server,
  { afterMs = READ_STALL_MS, onEnded, readQueues = readSendQueues }: StallOptions = {},
): void {
  const open = new Map<Socket, Progress>();
  // Over TLS the socket on which responses are written is another one than the one that was accepted.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, { taken: 0, looks: 0, read: 0 });
    socket.once('close', () => open.delete(socket));
  });

  // Looks are counted, not time: a process that stood still finds its clients where it left them.
  let looking = false;
  const look = async (): Promise<void> => {
    const doubtful = [...open].filter(([socket, progress]) => count(socket, progress));
    if (doubtful.length === 0 || looking) return;
    looking = true;
    const queues = await readQueues();
    looking = false;
    for (const [socket, progress] of doubtful) {
      // It has gone on while the system was asked.
      if (socket.destroyed || progress.looks === 0) continue;
      if (!isStalled(socket, progress, queues.of(socket))) continue;
      onEnded?.(socket.remoteAddress ?? '');
      socket.destroy();
    }
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
