import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { ends } from './ends.ts';
import type { TestGateway } from './harness.ts';

/** A connection on which a test speaks HTTP by hand. */
export interface RawClient {
  readonly socket: TLSSocket;
  /** Everything received so far, as latin1. */
  received(): string;
  closed(): boolean;
}

/** Connects to a gateway over TLS, until the end of the test. */
export async function openRawClient(gateway: TestGateway): Promise<RawClient> {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
  let text = '';
  let closed = false;
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  ends.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  return { socket, received: () => text, closed: () => closed };
}

/** The head of an upload of a PDF. @param length announced length of the body. @param more further header lines, each with its end */
export function uploadHead(key: string, length: number, more = ''): string {
  return `POST /open/v1/files/pdf HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n${more}\r\n`;
}
