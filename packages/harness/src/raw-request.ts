import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An answer as bytes on the wire say it. */
export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
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

function parse(text: string): RawAnswer {
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, split === -1 ? text.length : split).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0), headers, body: split === -1 ? '' : text.slice(split + 4) };
}

function isWhole(text: string): boolean {
  const answer = parse(text);
  const length = answer.headers['content-length'];
  return answer.status >= 200 && text.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(answer.body) >= Number(length);
}

/**
 * Sends bytes that no HTTP client would send, and reads one answer. Resolves when the answer is whole or the connection
 * ends, whichever is first.
 * @throws Error when neither happens in time
 */
export function rawRequest(target: RawTarget, bytes: string | Buffer): Promise<RawAnswer> {
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
      reject(new Error(`No answer and no end of the connection; received: ${text.slice(0, 500)}`));
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
    // A reset after the refusal is an end like any other: what was answered before it counts.
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
