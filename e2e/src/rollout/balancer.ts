import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

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

/**
 * Stands in for a Service of Kubernetes: spreads new connections over the endpoints in turn, and knows nothing of what is said on
 * them. As with kube-proxy, a connection stays with its endpoint for as long as it lives, whether or not that is still on
 * the list, and one to an endpoint that does not listen is refused, not tried elsewhere.
 */
export class Balancer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #endpoints: readonly number[] = [];
  #turn = 0;
  #refused = 0;

  private constructor() {
    this.#server = createServer((near) => this.#accept(near));
  }

  /** Listens on a free port of loopback, without endpoints. */
  static async open(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  /** Where clients connect to. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that no endpoint took. */
  get refused(): number {
    return this.#refused;
  }

  /** @param port of a process on loopback */
  add(port: number): void {
    this.#endpoints = [...this.#endpoints, port];
  }

  /** New connections go to the others; those that there are stay. */
  remove(port: number): void {
    this.#endpoints = this.#endpoints.filter((endpoint) => endpoint !== port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(near: Socket): void {
    this.#turn += 1;
    const port = this.#endpoints[this.#turn % this.#endpoints.length];
    if (port === undefined) {
      this.#refused += 1;
      near.resetAndDestroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port });
    const onRefused = (): void => {
      this.#refused += 1;
    };
    far.once('error', onRefused).once('connect', () => far.off('error', onRefused));
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    join(near, far);
  }
}
