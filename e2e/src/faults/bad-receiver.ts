import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver does with an attempt. @param id its `webhook-id` */
export type ReceiverManner = (id: string, res: ServerResponse) => void;

/** A receiver of webhooks that misbehaves for a while. */
export class BadReceiver {
  /** `webhook-id`s that it has taken with a 204. */
  readonly taken = new Set<string>();
  /** Replaces the 204. */
  manner: ReceiverManner | undefined;
  #server: Server | undefined;
  #port = 0;

  /** Listens, on the same port every time. */
  async open(): Promise<void> {
    const server = createServer((req, res) => {
      req.resume().once('end', () => this.#take(String(req.headers['webhook-id']), res));
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

  #take(id: string, res: ServerResponse): void {
    if (this.manner) {
      this.manner(id, res);
      return;
    }
    this.taken.add(id);
    res.writeHead(204).end();
  }
}
