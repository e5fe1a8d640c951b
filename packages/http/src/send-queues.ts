import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Where Linux lists the connections of the network that this process sees. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** What the system still holds of what was written to connections, as it was at one moment. */
export interface SendQueues {
  /** Bytes that the other end has not acknowledged; undefined where the system does not tell. */
  of(socket: Socket): number | undefined;
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.slice(address.lastIndexOf(':') + 1) ?? '', 16);

/** Adds the send queues of one table: `sl local remote state tx:rx …`, in hexadecimal. */
function addTable(text: string, queues: Map<string, number>): void {
  for (const line of text.split('\n').slice(1)) {
    const [, local, remote, , sizes] = line.trim().split(/\s+/, 5);
    // Connections from different addresses may have the same ports. Who mistakes one for the other takes its progress for its own, no more.
    if (sizes !== undefined) queues.set(`${portOf(local)} ${portOf(remote)}`, Number.parseInt(sizes, 16));
  }
}

/** Reads what the system holds for all connections. Nothing is known where it does not tell: outside of Linux. */
export async function readSendQueues(): Promise<SendQueues> {
  const queues = new Map<string, number>();
  for (const table of TABLES) addTable(await readFile(table, 'latin1').catch(() => ''), queues);
  return { of: (socket) => queues.get(`${socket.localPort} ${socket.remotePort}`) };
}
