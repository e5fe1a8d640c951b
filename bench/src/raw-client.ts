import { type Dispatcher, Pool } from 'undici';

type Method = 'GET' | 'POST' | 'PUT';
type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = { 'content-type': 'application/json' };
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

/** Sends load over persistent connections. {@link send} checks only the status of a response. */
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

  /** Sends JSON, or a request without a body. @throws Error with the response when its status is not 2xx */
  async send(method: Method, path: string, body: string | null, headers: Headers = {}): Promise<void> {
    await (await this.#request(method, path, body, headers)).body.dump(DUMPED);
  }

  /** POSTs JSON and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async post<T>(path: string, body: string): Promise<T> {
    const response = await this.#request('POST', path, body);
    return ((await response.body.json()) as { data: T }).data;
  }

  /** GETs JSON and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async get<T>(path: string): Promise<T> {
    const response = await this.#request('GET', path, null);
    return ((await response.body.json()) as { data: T }).data;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  async #request(method: Method, path: string, body: string | null, more: Headers = {}): Promise<Dispatcher.ResponseData> {
    const pool = this.#pools[this.#sent % this.#pools.length] as Pool;
    this.#sent += 1;
    const headers = { ...(body === null ? {} : JSON_TYPE), ...this.#headers, ...more };
    const response = await pool.request({ method, path, headers, body });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path} responded with ${response.statusCode} ${(await response.body.text()).slice(0, 1000)}`);
    return response;
  }
}
