import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** Where Linux lists the connections of the network that this process sees. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The written bytes that the system still holds per connection, at one moment. */
export interface SendQueues {
  /** Bytes that the other end has not acknowledged; undefined where the system does not report them. */
  of(socket: Socket): number | undefined;
}

/** A line of a table, `sl: local remote state tx:rx …` in hexadecimal, of a connection with bytes in its send queue; usually there is none. */
const HELD = /: (\S+) (\S+) \S\S (?!0{8}:)([\dA-F]{8}):/g;

/** Groups of 16 bits in a part of an IPv6 address, which may end as an IPv4 one does. */
function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function bytesOf(address: string): Buffer {
  const [head = '', tail] = address.replace(/%.*/, '').split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const left = tail === undefined ? 0 : 8 - first.length - last.length;
  return Buffer.from([...first, ...Array.from({ length: left }, () => 0), ...last].flatMap((group) => [group >> 8, group & 0xff]));
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
export async function readSendQueues(): Promise<SendQueues> {
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
