import { type Dispatcher, Pool } from 'undici';

type Method = 'GET' | 'POST' | 'PATCH';

/** Sends load over connections that stay open. It only looks at the status of a response, unless it is asked for more. */
export class RawClient {
  readonly #pools: readonly Pool[];
  readonly #headers: Readonly<Record<string, string>>;
  #sent = 0;

  /**
   * @param origins take turns, request by request
   * @param connections to all of them together
   * @param ca PEM to trust, for https
   */
  constructor(origins: readonly string[], connections: number, headers: Readonly<Record<string, string>> = {}, ca?: string) {
    const options = {
      connections: Math.ceil(connections / origins.length),
      connect: ca === undefined ? {} : { ca },
      headersTimeout: 60_000,
    };
    this.#pools = origins.map((origin) => new Pool(origin, options));
    this.#headers = headers;
  }

  /** @throws Error with the response when its status is not 2xx */
  async send(method: Method, path: string, body: string | Buffer | null, contentType = 'application/json; charset=utf-8'): Promise<void> {
    const response = await this.#request(method, path, body, contentType);
    await response.body.dump({ limit: 1 << 20 });
  }

  /** POSTs, JSON unless `contentType` says otherwise, and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async post<T>(path: string, body: string | Buffer, contentType = 'application/json; charset=utf-8'): Promise<T> {
    const response = await this.#request('POST', path, body, contentType);
    return ((await response.body.json()) as { data: T }).data;
  }

  /** GETs JSON and reads the `data` of the response. @throws Error with the response when its status is not 2xx */
  async get<T>(path: string): Promise<T> {
    const response = await this.#request('GET', path, null, '');
    return ((await response.body.json()) as { data: T }).data;
  }

  /** GETs a content and reads all of it. @throws Error when the status is not 2xx, or the content ends early */
  async fetch(path: string): Promise<void> {
    const response = await this.#request('GET', path, null, '');
    for await (const _chunk of response.body);
  }

  /** POSTs JSON with further headers. @throws Error with the response when its status is not 2xx */
  async push(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await this.#request('POST', path, body, 'application/json', headers);
    await response.body.dump({ limit: 1 << 20 });
  }

  /** POSTs JSON that is to be refused. @throws Error with the response when its status is another one */
  async refuse(status: number, path: string, body: string): Promise<void> {
    const response = await this.#send('POST', path, body, 'application/json; charset=utf-8');
    if (response.statusCode !== status) throw new Error(`POST ${path} responded with ${response.statusCode} ${await response.body.text()}`);
    await response.body.dump({ limit: 1 << 20 });
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  async #request(
    method: Method,
    path: string,
    body: string | Buffer | null,
    contentType: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Dispatcher.ResponseData> {
    const response = await this.#send(method, path, body, contentType, more);
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path} responded with ${response.statusCode} ${await response.body.text()}`);
    return response;
  }

  #send(
    method: Method,
    path: string,
    body: string | Buffer | null,
    contentType: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Dispatcher.ResponseData> {
    const pool = this.#pools[this.#sent % this.#pools.length] as Pool;
    this.#sent += 1;
    const headers = body === null ? this.#headers : { ...this.#headers, ...more, 'content-type': contentType };
    return pool.request({ method, path, headers, body });
  }
}
