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

/** A TCP proxy that can be cut, or lose what the server responds. */
export class TcpLink {
  readonly #server: Server;
  readonly #targetOf: () => Target | undefined;
  readonly #sockets = new Set<Socket>();
  /** The side of the client by that of the server. */
  readonly #pairs = new Map<Socket, Socket>();
  #isCut = false;
  #isMute = false;
  #losesFrom: string | undefined;
  #refused = 0;

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

  /** Number of refused connections. */
  get refused(): number {
    return this.#refused;
  }

  /** Breaks every connection and takes no new one. @returns a function that lets connections through again */
  cut(): () => void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    return () => {
      this.#isCut = false;
    };
  }

  /**
   * Loses what the server responds, while requests still arrive.
   * @param from begins with the first request that has this text in it; at once without it
   * @returns a function that breaks every connection and lets new ones through
   */
  loseResponses(from?: string): () => void {
    this.#losesFrom = from;
    if (from === undefined) this.#mute();
    return () => {
      this.#losesFrom = undefined;
      this.#isMute = false;
      for (const socket of this.#sockets) socket.destroy();
    };
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(near: Socket): void {
    const target = this.#isCut ? undefined : this.#targetOf();
    if (target === undefined) {
      this.#refused += 1;
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    const onRefused = (): void => {
      this.#refused += 1;
    };
    far.once('error', onRefused).once('connect', () => far.off('error', onRefused));
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    this.#pairs.set(far, near);
    far.once('close', () => this.#pairs.delete(far));
    near.on('data', (chunk: Buffer) => {
      if (this.#losesFrom !== undefined && chunk.includes(this.#losesFrom)) this.#mute();
    });
    join(near, far);
    if (this.#isMute) this.#mute();
  }

  #mute(): void {
    this.#isMute = true;
    for (const [far, near] of this.#pairs) far.unpipe(near).resume();
  }
}
