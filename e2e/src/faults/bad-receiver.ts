import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attempt as it came in. */
export interface ReceivedAttempt {
  /** `webhook-id`. */
  readonly id: string;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  readonly path: string;
}

/** What a receiver does with an attempt. */
export type ReceiverManner = (attempt: ReceivedAttempt, res: ServerResponse) => void;

/** A receiver that misbehaves for a while. */
export class BadReceiver {
  readonly attempts: ReceivedAttempt[] = [];
  /** `webhook-id`s that it has taken with a 204. */
  readonly taken = new Set<string>();
  /** Milliseconds after which the sender ended attempts that had no complete response. */
  readonly endedAfter: number[] = [];
  /** Replaces the 204. */
  manner: ReceiverManner | undefined;
  #server: Server | undefined;
  #port = 0;

  /** Listens, on the same port every time. */
  async open(): Promise<void> {
    const server = createServer((req, res) => {
      req.resume().once('end', () => this.#take(req, res));
      // The sender may have ended the attempt.
      res.on('error', () => undefined);
    });
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Address to register. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/webhooks`;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    const attempt = { id: String(req.headers['webhook-id']), at: performance.now(), path: req.url ?? '' };
    this.attempts.push(attempt);
    res.once('close', () => {
      if (!res.writableFinished) this.endedAfter.push(performance.now() - attempt.at);
    });
    if (this.manner) {
      this.manner(attempt, res);
      return;
    }
    this.taken.add(attempt.id);
    res.writeHead(204).end();
  }
}
