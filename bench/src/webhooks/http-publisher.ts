import { Pool } from 'undici';

/** Connections on which events are published; enough that a publisher never waits for another's response at the rates measured. */
const CONNECTIONS = 64;
const RESPONSE_WITHIN_MS = 10_000;

/** Posts events over connections that stay open. */
export class HttpPublisher {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, path: string, headers: Readonly<Record<string, string>> = {}) {
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS,
      connectTimeout: RESPONSE_WITHIN_MS,
      headersTimeout: RESPONSE_WITHIN_MS,
      bodyTimeout: RESPONSE_WITHIN_MS,
    });
    this.#path = path;
    this.#headers = { 'content-type': 'application/json', ...headers };
  }

  /** @throws Error unless it gets a response 202 in time */
  async post(body: object): Promise<void> {
    const response = await this.#pool.request({
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    if (response.statusCode === 202) return void (await response.body.dump());
    const text = await response.body.text();
    throw new Error(`Publishing got a response ${response.statusCode}: ${text.slice(0, 500)}`);
  }

  /** Ends the connections; what is open fails. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
