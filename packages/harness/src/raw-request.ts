import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A response as bytes on the wire say it. */
export interface RawResponse {
  /** 0 when the connection ended without a response. */
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
  /** True for a client that reads nothing before it has written everything, as many simple ones do. */
  readonly readsLate?: boolean;
}

function parse(text: string): RawResponse {
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, split === -1 ? text.length : split).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0), headers, body: split === -1 ? '' : text.slice(split + 4) };
}

/** What is left of a text behind its first response. */
function behind(text: string): string {
  const start = text.indexOf('\r\n\r\n');
  return start === -1 ? '' : text.slice(start + 4 + Number(parse(text).headers['content-length'] ?? 0));
}

function isWhole(text: string): boolean {
  const response = parse(text);
  const length = response.headers['content-length'];
  return response.status >= 200 && text.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(response.body) >= Number(length);
}

/** A connection on which nothing has been said yet. */
export async function openRaw({ port, ca }: RawTarget): Promise<Socket> {
  const options = { host: '127.0.0.1', port };
  const socket: Socket = ca === null ? connectPlain(options) : connectTls({ ...options, ca, servername: 'localhost' });
  await once(socket, ca === null ? 'connect' : 'secureConnect');
  return socket.on('error', () => undefined);
}

/**
 * Sends bytes, and reads every response until the connection ends. Bodies of announced length alone.
 * @throws Error when it does not end in time
 */
export async function rawExchange(target: RawTarget, bytes: Buffer): Promise<RawResponse[]> {
  const { withinMs = 20_000 } = target;
  const socket = await openRaw(target);
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
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  clearTimeout(timer);
  if (isLate) throw new Error(`The connection did not end within ${withinMs} ms; received: ${text.slice(0, 500)}`);
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== ''; rest = behind(rest)) {
    const { body, headers, status } = parse(rest);
    responses.push({ status, headers, body: body.slice(0, Number(headers['content-length'] ?? 0)) });
  }
  return responses;
}

/**
 * Sends bytes that no HTTP client would send, and reads one response. Resolves when the response is whole or the connection
 * ends, whichever is first.
 * @throws Error when neither happens in time
 */
export function rawRequest(target: RawTarget, bytes: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: target.port };
    const send = (): void => {
      if (target.readsLate) socket.pause();
      socket.write(bytes, () => socket.resume());
    };
    const socket: Socket =
      target.ca === null ? connectPlain(options, send) : connectTls({ ...options, ca: target.ca, servername: 'localhost' }, send);
    let text = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No response and no end of the connection; received: ${text.slice(0, 500)}`));
    }, target.withinMs ?? 10_000);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(text));
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (isWhole(text)) finish();
    });
    // A reset after the refusal is an end like any other: what got a response before it counts.
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
