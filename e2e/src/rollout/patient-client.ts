import { Agent, type IncomingMessage, request } from 'node:http';
import type { ApiResponse } from '@parcelway/harness/api-client';

const TIMEOUT_MS = 20_000;

/** @throws SyntaxError when the text is no envelope */
function responseOf({ statusCode, headers }: IncomingMessage, text: string): ApiResponse {
  const { code, message, data } = JSON.parse(text) as Pick<ApiResponse, 'code' | 'message' | 'data'>;
  return { status: statusCode ?? 0, headers, code, message, data, text };
}

/**
 * A client on Node's own HTTP agent, with one connection that it keeps for as long as the other side does: it asks seldom, so
 * that the connection is idle most of the time.
 */
export class PatientClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(baseUrl: string, headers: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  /** Asks for something. */
  get(path: string): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#baseUrl}${path}`, { agent: this.#agent, headers: this.#headers, timeout: TIMEOUT_MS }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.once('error', reject);
        res.once('end', () => {
          try {
            resolve(responseOf(res, Buffer.concat(chunks).toString('utf8')));
          } catch (error) {
            reject(error as Error);
          }
        });
      });
      asked.once('timeout', () => asked.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
      asked.once('error', reject);
      asked.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
