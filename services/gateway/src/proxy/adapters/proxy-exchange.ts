import { waitingRoutes } from '../domain/client-shares.ts';
import type { TableRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';
import { MAX_COLLECTED_BYTES, ProxyResponse, type ProxyShares } from './proxy-response.ts';
import { UpstreamRequest } from './upstream-connections.ts';

/**
 * Receives a service's response and passes it on, so that the connection to the service is not held by a client that does not read. One per request.
 *
 * A service goes on with a request whose client has gone away. So the request keeps its place until the service has responded, or until its deadline:
 * otherwise a client that sends requests and leaves would have more of the service than its share. Until then nothing of the client is kept. Only what
 * the service really stops ends with the client: a wait for a turn, a body that does not come whole, a response under way, and {@link waitingRoutes}.
 */
export class ProxyExchange extends UpstreamRequest {
  readonly #exchange: Exchange;
  /** Undefined once the client has gone away. */
  #response: ProxyResponse | undefined;
  #settled: (() => void) | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #hasHead = false;
  /** Bytes that came after the client had gone away. */
  #discarded = 0;

  /** @param settled called once, when the service is done with this request in one way or another */
  constructor(exchange: Exchange, shares: ProxyShares, settled?: () => void) {
    super(exchange.holder);
    this.#exchange = exchange;
    this.#response = new ProxyResponse(exchange, shares, (error) => this.#abort?.(error));
    this.#settled = settled;
    exchange.res.once('close', () => this.#onClientClosed(exchange.route));
  }

  onConnect(abort: (error?: Error) => void): void {
    // Nothing has been sent yet: before, there may have been no service to connect to.
    if (this.#response === undefined) {
      abort();
      return;
    }
    this.#abort = abort;
    this.#exchange.isPassedOn = true;
  }

  protected onHead(status: number, raw: Buffer[], resume: () => void): boolean {
    // Interim responses are the connection's own business.
    if (status < 200) return true;
    this.#hasHead = true;
    this.#response?.head(status, raw, resume);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#response !== undefined) return this.#response.data(chunk);
    // The end of a small response is worth its connection.
    this.#discarded += chunk.length;
    if (this.#discarded > MAX_COLLECTED_BYTES) this.#abort?.(clientGone());
    return true;
  }

  protected onResponded(): void {
    this.#settle();
    this.#response?.responded();
  }

  protected onFailed(error: Error): void {
    this.#settle();
    this.#response?.failed(error);
  }

  #settle(): void {
    this.#settled?.();
    this.#settled = undefined;
  }

  #onClientClosed(route: TableRoute | null): void {
    const response = this.#response;
    if (response === undefined || response.isDone) return;
    this.#response = undefined;
    response.close();
    const isWorkedOn = this.isSent && !this.#hasHead && !waitingRoutes.includes(route?.id ?? '');
    if (!isWorkedOn) this.#abort?.(clientGone());
  }
}

function clientGone(): Error {
  return new Error('The client closed the connection');
}
