import { type Dispatcher, Pool } from 'undici';

/** Sends load over connections that stay open. It only looks at the status of an answer. */
export class RawClient {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param ca PEM to trust, for https */
  constructor(origin: string, connections: number, headers: Readonly<Record<string, string>> = {}, ca?: string) {
    this.#pool = new Pool(origin, { connections, connect: ca === undefined ? {} : { ca }, headersTimeout: 60_000 });
    this.#headers = headers;
  }

  /** @throws Error with the answer when its status is not 2xx */
  async send(
    method: 'GET' | 'POST',
    path: string,
    body: string | Buffer | null,
    contentType = 'application/json; charset=utf-8',
  ): Promise<void> {
    const headers = body === null ? this.#headers : { ...this.#headers, 'content-type': contentType };
    const answer: Dispatcher.ResponseData = await this.#pool.request({ method, path, headers, body });
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode} ${await answer.body.text()}`);
    await answer.body.dump({ limit: 1 << 20 });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
