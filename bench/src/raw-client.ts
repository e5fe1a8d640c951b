import { type Dispatcher, Pool } from 'undici';

type Method = 'GET' | 'POST' | 'PUT';
type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json; charset=utf-8';
/** For responses whose body is discarded. */
const DUMPED = { limit: 1 << 20 };

/** Options of a client. */
export interface RawClientOptions {
  /** Sent with every request. */
  readonly headers?: Headers;
  /** PEM to trust, for https. */
  readonly ca?: string | undefined;
  /** Timeout for the headers of a response and between parts of its body, milliseconds; default 60,000. */
  readonly withinMs?: number;
}

/** Sends load over persistent connections. {@link send} and {@link push} check only the status of a response. */
export class RawClient {
  readonly #pools: readonly Pool[];
  readonly #headers: Headers;
  #sent = 0;

  /** @param origins used in turn, one per request @param connections in total */
  constructor(origins: readonly string[], connections: number, { headers = {}, ca, withinMs = 60_000 }: RawClientOptions = {}) {
    const options = {
      connections: Math.ceil(connections / origins.length),
      connect: ca === undefined ? {} : { ca },
      headersTimeout: withinMs,
      bodyTimeout: withinMs,
    };
    this.#pools = origins.map((origin) => new Pool(origin, options));
    this.#headers = headers;
  }

  /** @throws Error with the response when its status is not 2xx */
  async send(method: Method, path: string, body: string | Buffer | null, contentType = JSON_TYPE): Promise<void> {
    await (await this.#request(method, path, body, { 'content-type': contentType })).body.dump(DUMPED);
  }

  /** POSTs, JSON unless `contentType` says otherwise, and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async post<T>(path: string, body: string | Buffer, contentType = JSON_TYPE): Promise<T> {
    const response = await this.#request('POST', path, body, { 'content-type': contentType });
    return ((await response.body.json()) as { data: T }).data;
  }

  /** GETs JSON and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async get<T>(path: string): Promise<T> {
    const response = await this.#request('GET', path, null, {});
    return ((await response.body.json()) as { data: T }).data;
  }

  /** POSTs JSON with further headers. @throws Error with the response when its status is not 2xx */
  async push(path: string, body: string, headers: Headers): Promise<void> {
    await (await this.#request('POST', path, body, { 'content-type': JSON_TYPE, ...headers })).body.dump(DUMPED);
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  async #request(method: Method, path: string, body: string | Buffer | null, more: Headers): Promise<Dispatcher.ResponseData> {
    const pool = this.#pools[this.#sent % this.#pools.length] as Pool;
    this.#sent += 1;
    const headers = body === null ? this.#headers : { ...this.#headers, ...more };
    const response = await pool.request({ method, path, headers, body });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path} responded with ${response.statusCode} ${(await response.body.text()).slice(0, 1000)}`);
    return response;
  }
}

const BOUNDARY = 'parcelway-bench-boundary';

/** A form with one file, as an upload sends it. */
export function multipart(name: string, mediaType: string, content: Buffer): { readonly type: string; readonly body: Buffer } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}
