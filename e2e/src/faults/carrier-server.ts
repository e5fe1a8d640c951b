import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What a carrier does with a request. */
export type CarrierManner = (req: IncomingMessage, res: ServerResponse) => void;

/** The node that a good carrier returns, of the time when the tests begin. */
const GOOD_NODE = {
  status: 'Departed',
  create_time: new Date().toISOString().slice(0, 19).replace('T', ' '),
  times: '(GMT+00:00)',
  address: 'Shenzhen',
  content: 'Departed',
};

/** Responds with one node, as agreed. */
const asAgreed: CarrierManner = (_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ nodes: [GOOD_NODE] }));
};

/** A carrier's interface on a port of loopback. */
export class CarrierServer {
  /** Requests so far. */
  asked = 0;
  /** Most bytes of a connection that were taken. */
  mostSent = 0;
  readonly #port: number;
  #manner = asAgreed;
  #server: Server | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Starts to listen; responds as agreed. */
  async open(): Promise<void> {
    const server = createServer((req, res) => {
      this.asked += 1;
      const { socket } = req;
      res.once('close', () => {
        this.mostSent = Math.max(this.mostSent, socket.bytesWritten);
      });
      // Who asked may have gone.
      res.on('error', () => undefined);
      this.#manner(req, res);
    });
    this.#server = server;
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
  }

  /** Responds in another way. @returns what takes that back */
  async behave(manner: CarrierManner): Promise<() => Promise<void>> {
    this.#manner = manner;
    return async () => {
      this.#manner = asAgreed;
    };
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
