import { TcpLink } from '@parcelway/harness/tcp-link';

/**
 * Stands in for a Service of Kubernetes: spreads new connections over the endpoints in turn, and knows nothing of what is said on
 * them. As with kube-proxy, a connection stays with its endpoint for as long as it lives, whether or not that is still on
 * the list, and one to an endpoint that does not listen is refused, not tried elsewhere.
 */
export class Balancer {
  #link: TcpLink | undefined;
  #endpoints: readonly number[] = [];
  #turn = 0;

  /** Listens on a free port of loopback, without endpoints. */
  static async open(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#link = await TcpLink.open(() => {
      balancer.#turn += 1;
      const port = balancer.#endpoints[balancer.#turn % balancer.#endpoints.length];
      return port === undefined ? undefined : { host: '127.0.0.1', port };
    });
    return balancer;
  }

  /** Where clients connect to. */
  get url(): string {
    return `http://127.0.0.1:${this.#link?.port}`;
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
    await this.#link?.close();
  }
}
