import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A response as bytes on the wire say it. */
export interface RawResponse {
  /** 0 when the bytes are not an HTTP response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where to and how. */
export interface RawTarget {
  readonly port: number;
  /** PEM; null speaks plain TCP. */
  readonly ca: string | null;
  readonly withinMs?: number;
}

/** Parses responses; a body needs a `Content-Length`. */
function parse(text: string): RawResponse[] {
  if (text === '') return [];
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end === -1 ? text.length : end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const rest = end === -1 ? '' : text.slice(end + 4);
  const length = Number(headers['content-length'] ?? 0);
  return [{ status, headers, body: rest.slice(0, length) }, ...parse(rest.slice(length))];
}

/**
 * Sends bytes, and reads every response until the connection ends.
 * @throws Error when it does not end in time
 */
export async function rawExchange({ port, ca, withinMs = 20_000 }: RawTarget, bytes: Buffer): Promise<RawResponse[]> {
  const options = { host: '127.0.0.1', port };
  const socket: Socket = ca === null ? connectPlain(options) : connectTls({ ...options, ca, servername: 'localhost' });
  await once(socket, ca === null ? 'connect' : 'secureConnect');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, withinMs);
  // A reset is an end like any other.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  clearTimeout(timer);
  if (isLate) throw new Error(`The connection did not end within ${withinMs} ms; received: ${text.slice(0, 500)}`);
  return parse(text);
}
