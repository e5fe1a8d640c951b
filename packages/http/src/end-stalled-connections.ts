import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { Server as TlsServer } from 'node:tls';
import { parseAddress } from '@parcelway/kernel/networks';

/** Where Linux lists the connections of the network that this process sees. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The written bytes that the system still holds per connection, at one moment. */
export interface SendQueues {
  /** Bytes that the other end has not acknowledged; undefined where the system does not report them. */
  of(socket: Socket): number | undefined;
}

/** A line of a table, `sl: local remote state tx:rx …` in hexadecimal, of a connection with bytes in its send queue; usually there is none. */
const HELD = /: (\S+) (\S+) \S\S (?!0{8}:)([\dA-F]{8}):/g;

/** The bytes of an address; none of a connection that has ended. */
function bytesOf(text: string): Buffer {
  const address = parseAddress(text);
  if (address === undefined) return Buffer.alloc(0);
  // An IPv6 socket with an IPv4 client is in the table of IPv6.
  const isMapped = text.includes(':') && 'toIPv4MappedAddress' in address;
  return Buffer.from((isMapped ? address.toIPv4MappedAddress() : address).toByteArray());
}

/** One end of a connection as the tables have it: words of 32 bits in the order of this machine, and the port. */
function endOf(address = '', port = 0): string {
  const bytes = bytesOf(address);
  let words = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const word = endianness() === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    words += word.toString(16).padStart(8, '0');
  }
  return `${words}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

/** Reads the send queues of all connections. Outside of Linux all are undefined. */
async function readSendQueues(): Promise<SendQueues> {
  const tables = await Promise.all(TABLES.map((table) => readFile(table, 'latin1').catch(() => undefined)));
  if (tables.every((table) => table === undefined)) return { of: () => undefined };
  const held = new Map<string, number>();
  for (const [, local, remote, bytes] of tables.join('\n').matchAll(HELD))
    held.set(`${local} ${remote}`, Number.parseInt(bytes as string, 16));
  return {
    of: (socket) =>
      held.size === 0
        ? 0
        : (held.get(`${endOf(socket.localAddress, socket.localPort)} ${endOf(socket.remoteAddress, socket.remotePort)}`) ?? 0),
  };
}

/** How long a client may leave a response unread. */
export const READ_STALL_MS = 30_000;

/** Looks at all connections in that time. A client that makes no progress from the first of them to the one after the last is ended. */
const CHECKS = 10;

/** When connections are ended. */
export interface StallOptions {
  /** Milliseconds without progress while a client has something to read; default 30,000. */
  readonly afterMs?: number;
  /** Called for every ended connection with the address of its client. */
  readonly onEnded?: (address: string) => void;
  /** Default: reads the queues of the operating system. */
  readonly readQueues?: () => Promise<SendQueues>;
}

/** A client that acknowledges less than this in the time does not read. A client with less than this to read counts as up to date. */
const LEAST_READ_BYTES = 64 * 1024;

interface Progress {
  /** Bytes that the system had accepted for this client when the client was last up to date or last made progress. */
  taken: number;
  /** Checks since the client has had something to read without progress; 0 when it is up to date as far as known. */
  checks: number;
  /** Bytes that the client had acknowledged at the first of these checks; where that is unknown, bytes that the system had accepted. */
  read: number;
}

/** Counts a check. @returns true when the send queue of the client must be read */
function count(socket: Socket, progress: Progress): boolean {
  const waiting = socket.writableLength > 0;
  const taken = socket.bytesWritten - socket.writableLength;
  if (waiting && taken !== progress.taken) {
    progress.taken = taken;
    progress.checks = 0;
  } else if (waiting || progress.checks > 0 || taken - progress.taken >= LEAST_READ_BYTES) {
    progress.checks += 1;
  }
  return progress.checks === 1 || progress.checks > CHECKS;
}

/**
 * Judges a client by its send queue.
 * @param queued bytes; undefined where the system does not report them
 * @returns true when its connection must be ended
 */
function isStalled(socket: Socket, progress: Progress, queued: number | undefined): boolean {
  const taken = socket.bytesWritten - socket.writableLength;
  const read = taken - (queued ?? 0);
  const hasAll = socket.writableLength === 0 && (queued ?? 0) < LEAST_READ_BYTES;
  if (!hasAll && progress.checks > CHECKS && read - progress.read < LEAST_READ_BYTES) return true;
  progress.taken = taken;
  progress.checks = hasAll ? 0 : 1;
  progress.read = read;
  return false;
}

/**
 * Ends connections whose clients do not read: for `afterMs` data waits to be written and the system accepts none of it, or the system
 * holds data and the client acknowledges none of it. One timer checks all connections, so a request costs nothing. A finished write,
 * which is 64 kB at most, is progress. The system accepts the next write only when a third of its buffer is empty, which may be megabytes,
 * and it may accept a whole response, so the send queues are checked too where they are known. Call it before the server listens.
 */
export function endStalledConnections(
  server: Server,
  { afterMs = READ_STALL_MS, onEnded, readQueues = readSendQueues }: StallOptions = {},
): void {
  const open = new Map<Socket, Progress>();
  // Over TLS the socket on which responses are written is another one than the one that was accepted.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, { taken: 0, checks: 0, read: 0 });
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
      if (socket.destroyed || progress.checks === 0) continue;
      if (!isStalled(socket, progress, queues.of(socket))) continue;
      onEnded?.(socket.remoteAddress ?? '');
      socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer ??= setInterval(() => void look(), afterMs / CHECKS).unref();
  });
  server.on('close', () => {
    clearInterval(timer);
    timer = undefined;
  });
}
