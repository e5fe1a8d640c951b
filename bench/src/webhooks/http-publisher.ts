import { Pool } from 'undici';

/** Connections on which events are published; enough that a publisher never waits for another's answer at the rates measured. */
const CONNECTIONS = 64;
const ANSWER_WITHIN_MS = 10_000;

/** Posts events over connections that stay open. */
export class HttpPublisher {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, path: string, headers: Readonly<Record<string, string>> = {}) {
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS,
      connectTimeout: ANSWER_WITHIN_MS,
      headersTimeout: ANSWER_WITHIN_MS,
      bodyTimeout: ANSWER_WITHIN_MS,
    });
    this.#path = path;
    this.#headers = { 'content-type': 'application/json', ...headers };
  }

  /** @throws Error unless it is answered 202 in time */
  async post(body: object): Promise<void> {
    const answer = await this.#pool.request({
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    if (answer.statusCode === 202) return void (await answer.body.dump());
    const text = await answer.body.text();
    throw new Error(`Publishing was answered ${answer.statusCode}: ${text.slice(0, 500)}`);
  }

  /** Ends the connections; what is open fails. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
