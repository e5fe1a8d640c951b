import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut: connections to its port go on to the server, until {@link TcpLink.cut}. */
export class TcpLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(target);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        // Whatever ends one side ends the other; those who use the link handle the error itself.
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  /** Opens a link on a free port of loopback. */
  static async open(target: { readonly host: string; readonly port: number }): Promise<TcpLink> {
    const link = new TcpLink(target);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** Port to connect to instead of the server's. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection and takes no new one. @returns a function that lets connections through again */
  cut(): () => void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    return () => {
      this.#isCut = false;
    };
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
