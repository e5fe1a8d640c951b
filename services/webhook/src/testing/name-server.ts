import { createSocket } from 'node:dgram';

/** Addresses of a name for a question: the `nth` of its kind, from 0. */
export type Responses = (kind: 'A' | 'AAAA', name: string, nth: number) => readonly string[];

export interface NameServer {
  /** As a resolver takes it. */
  readonly address: string;
  /** Questions so far, such as `A receiver.example`. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const KINDS: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const HEADER_BYTES = 12;

/** An address as bytes of a record; IPv4 within IPv6 (::ffff:127.0.0.1) is understood. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

/** Name, kind and bytes of the question in a message (RFC 1035, 4.1.2). */
function questionIn(message: Buffer): { readonly name: string; readonly kind: number; readonly bytes: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), kind: message.readUInt16BE(at + 1), bytes: message.subarray(HEADER_BYTES, at + 5) };
}

function respondTo(message: Buffer, addresses: readonly string[]): Buffer {
  const { kind, bytes } = questionIn(message);
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  // A response, authoritative, recursion asked for and available, no error.
  header.writeUInt16BE(0x8580, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.alloc(12);
    // The name is the one of the question, at byte 12; kept for 0 seconds.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(kind, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, bytes, ...records]);
}

export async function startNameServer(responses: Responses): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, kind } = questionIn(message);
    const known = KINDS[kind];
    const question = `${known} ${name}`;
    const nth = questions.filter((other) => other === question).length;
    questions.push(question);
    socket.send(respondTo(message, known ? responses(known, name, nth) : []), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () =>
      new Promise((resolve) => {
        socket.close(() => resolve());
      }),
  };
}
