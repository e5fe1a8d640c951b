import { connect, type Socket } from 'node:net';
import type { BenchEvent } from './side.ts';

const RESPONSE_WITHIN_MS = 10_000;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Publishes events over one connection, a JSON line each (see processes/event-lines). */
export class LinePublisher {
  readonly #socket: Socket;
  /** By the id of their event. */
  readonly #waiting = new Map<string, Waiting>();
  #rest = '';

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text) => this.#read(String(text)));
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => {
      for (const id of [...this.#waiting.keys()]) this.#settle(id, 'The connection has ended');
    });
  }

  /** Resolves once the event is accepted. @throws Error when that is not known in time */
  publish(event: BenchEvent): Promise<void> {
    if (this.#socket.destroyed) return Promise.reject(new Error('The connection has ended'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(event.id, 'Publishing was not responded in time'), RESPONSE_WITHIN_MS);
      this.#waiting.set(event.id, { resolve, reject, timer });
      this.#socket.write(`${JSON.stringify(event)}\n`);
    });
  }

  /** Ends the connection; what is not responded fails. */
  async close(): Promise<void> {
    this.#socket.destroy();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, error } = JSON.parse(line) as { readonly id: string; readonly error?: string };
      this.#settle(id, error);
    }
  }

  #settle(id: string, error: string | undefined): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.resolve();
    else waiting.reject(new Error(error));
  }
}
