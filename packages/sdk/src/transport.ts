import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';

/** One HTTP request. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Ends the exchange; it then rejects. */
  readonly signal: AbortSignal;
}

/** What came back. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; of a header that comes several times all values, with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What came back so far: the head, and a body that is yet to be read. */
export interface OpenResponse extends Omit<HttpResponse, 'body'> {
  readonly body: IncomingMessage;
}

/** Sends requests over connections that it keeps. */
export interface Transport {
  /** Resolves with the head of the response. The body ends with the signal. @throws the error of Node when there is none */
  open(exchange: Exchange): Promise<OpenResponse>;
  /** @throws the error of Node when there is no whole response */
  send(exchange: Exchange): Promise<HttpResponse>;
  /** Closes the connections that are kept. */
  close(): void;
}

/** Far above the largest response of the platform, a file of 10 MB. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const MAX_CONNECTIONS = 64;

/** The whole body of a response. @throws the error of Node when it breaks off, and for one that is too large */
export async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(response: IncomingMessage): Record<string, string> {
  const entries = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * A transport over node:http and node:https: the global `fetch` does not accept additional certificate authorities.
 * @param ca certificates in PEM, trusted beside those that Node knows
 */
export function createTransport(ca?: string | Uint8Array): Transport {
  const kept = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const plainAgent = new http.Agent(kept);
  const authorities = ca === undefined ? {} : { ca: [...rootCertificates, typeof ca === 'string' ? ca : Buffer.from(ca)] };
  const secureAgent = new https.Agent({ ...kept, ...authorities });
  const open = ({ method, url, headers, body, signal }: Exchange): Promise<OpenResponse> =>
    new Promise((resolve, reject) => {
      const options = { method, signal, headers: body ? { ...headers, 'content-length': String(body.byteLength) } : headers };
      const take = (response: IncomingMessage): void =>
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: response });
      const request =
        url.protocol === 'https:'
          ? https.request(url, { ...options, agent: secureAgent }, take)
          : http.request(url, { ...options, agent: plainAgent }, take);
      // Not once: what breaks the body is reported here as well.
      request.on('error', reject);
      request.end(body);
    });
  return {
    open,
    async send(exchange) {
      const { status, headers, body } = await open(exchange);
      return { status, headers, body: await readBody(body) };
    },
    close() {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}
