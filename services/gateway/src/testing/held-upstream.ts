import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type UpstreamConnections, type UpstreamDispatch, UpstreamRequest } from '../proxy/adapters/upstream-connections.ts';
import { ends } from './ends.ts';

/** A service that a test responds for. */
export interface Upstream {
  readonly origin: string;
  readonly sockets: Set<Socket>;
  readonly server: Server;
}

/** Starts a service on a free loopback port. It ends with the test. */
export async function startUpstream(listener: RequestListener, port = 0): Promise<Upstream> {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, server };
}

/** A request of a test. */
export interface Asked {
  /** The status; rejects with what `onFailed` got. */
  readonly response: Promise<number>;
  readonly abort: () => void;
}

/** A request whose response is its status. */
class StatusRequest extends UpstreamRequest implements Asked {
  readonly response: Promise<number>;
  #status = 0;
  #settle: { readonly resolve: (status: number) => void; readonly reject: (error: Error) => void } | undefined;
  #abort: (() => void) | undefined;

  constructor(holder: string) {
    super(holder);
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.response.catch(() => undefined);
  }

  readonly abort = (): void => this.#abort?.();

  onConnect(abort: () => void): void {
    this.#abort = abort;
  }

  protected onHead(status: number): boolean {
    this.#status = status;
    return true;
  }

  onData(): boolean {
    return true;
  }

  protected onResponded(): void {
    this.#settle?.resolve(this.#status);
  }

  protected onFailed(error: Error): void {
    this.#settle?.reject(error);
  }
}

/** Sends a GET of a holder. */
export function ask(
  connections: UpstreamConnections,
  path = '/',
  holder = 'one',
  deadlines: Pick<UpstreamDispatch, 'waitMs' | 'headersTimeout'> = {},
): Asked {
  const request = new StatusRequest(holder);
  connections.dispatch({ path, method: 'GET', ...deadlines }, request);
  return request;
}

/** Responds on demand. */
export function holding(): { readonly listener: RequestListener; readonly held: string[]; respondAll(): void } {
  const held: string[] = [];
  let responses: Array<() => void> = [];
  return {
    held,
    listener: (req, res) => {
      held.push(req.url as string);
      responses.push(() => res.end('ok'));
    },
    respondAll() {
      const all = responses;
      responses = [];
      for (const response of all) response();
    },
  };
}
