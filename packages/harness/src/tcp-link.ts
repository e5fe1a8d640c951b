import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Address of a server. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Joins two connections: what ends one side ends the other in the same way. */
function join(near: Socket, far: Socket): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.setNoDelay(true);
    one.on('error', () => other.resetAndDestroy());
    // An orderly end is passed on by the pipe, with what is still to be written before it.
    one.on('close', (failed) => failed || other.destroySoon());
    one.pipe(other);
  }
}

/** A TCP proxy whose target may change from one connection to the next. */
export class TcpLink {
  readonly #server: Server;
  readonly #targetOf: () => Target | undefined;
  readonly #sockets = new Set<Socket>();

  private constructor(targetOf: () => Target | undefined) {
    this.#targetOf = targetOf;
    this.#server = createServer((near) => this.#accept(near));
  }

  /** Opens a link on a free port of loopback. @param targetOf target of the next connection; undefined refuses it */
  static async open(targetOf: () => Target | undefined): Promise<TcpLink> {
    const link = new TcpLink(targetOf);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** Port to connect to instead of the server's. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections and refuses new ones. */
  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #accept(near: Socket): void {
    const target = this.#targetOf();
    if (target === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    join(near, far);
  }
}
