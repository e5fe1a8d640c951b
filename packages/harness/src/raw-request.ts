import { once } from 'node:events';
import { connect } from 'node:tls';

/** A response as bytes on the wire say it. */
interface RawResponse {
  /** 0 when the bytes are not an HTTP response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const WITHIN_MS = 20_000;

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
 * @param ca PEM of the certificate to trust
 * @throws Error when it does not end in time
 */
export async function rawExchange({ port, ca }: { readonly port: number; readonly ca: string }, bytes: Buffer): Promise<RawResponse[]> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, WITHIN_MS);
  // A reset is an end like any other.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  clearTimeout(timer);
  if (isLate) throw new Error(`The connection did not end within ${WITHIN_MS} ms; received: ${text.slice(0, 500)}`);
  return parse(text);
}
