import { FairShares, type FairSharesOptions, FairTurns } from '@parcelway/kernel/fair-shares';
import { Client, type Dispatcher, errors } from 'undici';

/** What a set of connections is opened with. */
export interface UpstreamConnectionsOptions {
  readonly origin: string;
  /** Connections, and what one holder may have of them; each serves one request at a time. */
  readonly connections: FairSharesOptions;
  /** Requests, those that wait for a connection included, and what one holder may have of them. */
  readonly underWay: FairSharesOptions;
  /** Called for every request that waited for its turn, however that ended. */
  readonly onWaited?: (seconds: number) => void;
  /** For each connection. */
  readonly client: Client.Options;
}

/** How a request is sent. */
export interface UpstreamDispatch extends Dispatcher.DispatchOptions {
  /** Bound on the wait for a turn and for the response together; default as long as for the response. Milliseconds. */
  readonly waitMs?: number;
}

/** A request without a deadline of its own waits so long. */
const DEFAULT_WAIT_MS = 30_000;

/**
 * A request over one of the connections; undici calls it with the response. However it ends, its connection is given back or ended before
 * the subclass hears of it, so that none can be forgotten.
 */
export abstract class UpstreamRequest implements Dispatcher.DispatchHandler {
  /** Who makes it. */
  readonly holder: string;

  // What follows is the business of the set of connections alone.
  /** The set that it was dispatched to. */
  connections: UpstreamConnections | undefined;
  /** The connection that responds; none while the request waits for one, and none when it is over. */
  connection: Client | undefined;
  /** An instant of `performance.now()`. */
  sentAt = 0;
  /** Ends its wait for a connection. */
  stopWaiting: (() => void) | undefined;

  constructor(holder: string) {
    this.holder = holder;
  }

  /** True while a connection is its own: the service may have heard of it. */
  protected get isSent(): boolean {
    return this.connection !== undefined;
  }

  /** @param abort ends the request, which then fails */
  abstract onConnect(abort: (error?: Error) => void): void;
  /** @returns false to pause the response until `resume` is called */
  protected abstract onHead(status: number, headers: Buffer[], resume: () => void): boolean;
  /** @returns false to pause the response until `resume` is called */
  abstract onData(chunk: Buffer): boolean;
  /** The service has responded; its connection is free again. */
  protected abstract onResponded(): void;
  /** There is no response, or no more of it. */
  protected abstract onFailed(error: Error): void;

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    this.connections?.responded();
    return this.onHead(status, headers, resume);
  }

  onComplete(): void {
    const { connection } = this;
    this.connection = undefined;
    if (connection !== undefined) this.connections?.take(connection, this);
    this.onResponded();
  }

  onError(error: Error): void {
    const { connection } = this;
    this.connection = undefined;
    if (connection !== undefined) this.connections?.discard(connection, this, error);
    this.onFailed(error);
  }
}

/**
 * The connections to one service. A request takes the one that has been free for longest, so that each replica behind the address has work, and a new
 * one only when none is free. Unlike undici's pool, which looks for a free connection through all of them twice per request, this costs the same however
 * many there are. A holder has a share of the connections: beyond it, its requests wait in turn. So a service that is slow for one holder has connections
 * left for the others.
 */
export class UpstreamConnections {
  /** Its requests, those that wait for a connection included. To be read by others: requests are taken and given back here. */
  readonly underWay: FairShares;
  readonly #options: UpstreamConnectionsOptions;
  readonly #open = new Set<Client>();
  /** Connections without a request, in the order in which they became free. */
  readonly #free = new Set<Client>();
  readonly #turns: FairTurns;
  readonly #waiting = new Set<UpstreamRequest>();
  #closed = false;
  /** When the last response began, an instant of `performance.now()`. */
  #heardAt = 0;

  constructor(options: UpstreamConnectionsOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options.connections);
    this.underWay = new FairShares(options.underWay);
  }

  /** Requests that the service has been given and has not responded to. */
  get given(): number {
    return this.#turns.used;
  }

  /** How many requests the service is given at once. */
  get limit(): number {
    return this.#options.connections.capacity;
  }

  /** Sends a request. One too many of its holder, or one after the close, fails at once. */
  dispatch(options: UpstreamDispatch, request: UpstreamRequest): void {
    const { holder } = request;
    request.connections = this;
    if (this.#closed) request.onError(new errors.ClientClosedError());
    else if (!this.underWay.take(holder)) request.onError(new Error(`Too many requests of ${holder} at the same time`));
    else if (this.#turns.take(holder)) this.#send(request, options);
    else this.#wait(request, options);
  }

  /** Cuts the connections; what is under way or waits fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new errors.ClientClosedError();
    for (const request of [...this.#waiting]) this.#abort(request, error);
    const open = [...this.#open];
    this.#open.clear();
    this.#free.clear();
    await Promise.all(open.map((client) => client.destroy(error)));
  }

  /** The head of a response came. */
  responded(): void {
    this.#heardAt = performance.now();
  }

  /** Takes back a connection whose request got a response. */
  take(connection: Client, request: UpstreamRequest): void {
    if (this.#closed) return;
    if (this.#open.has(connection)) this.#free.add(connection);
    this.#giveBack(request);
  }

  /** Ends a connection whose request failed: who waits gets a new one, unless nobody has heard of the service since. */
  discard(connection: Client, request: UpstreamRequest, error: Error): void {
    if (error instanceof errors.HeadersTimeoutError && this.#heardAt < request.sentAt)
      for (const waiting of [...this.#waiting]) this.#abort(waiting, error);
    // Not at once: its client is still busy reporting its failure.
    setImmediate(() => {
      if (this.#end(connection)) this.#giveBack(request);
    });
  }

  /** @returns false when it has been ended */
  #end(connection: Client): boolean {
    this.#free.delete(connection);
    if (!this.#open.delete(connection)) return false;
    void connection.destroy();
    return true;
  }

  #giveBack(request: UpstreamRequest): void {
    this.underWay.give(request.holder);
    this.#turns.give(request.holder);
  }

  #wait(request: UpstreamRequest, options: UpstreamDispatch): void {
    const silenceMs = options.headersTimeout ?? this.#options.client.headersTimeout ?? DEFAULT_WAIT_MS;
    const { waitMs = silenceMs } = options;
    const since = performance.now();
    const expiry = setTimeout(() => this.#abort(request, new errors.HeadersTimeoutError('No connection became free in time')), waitMs);
    this.#waiting.add(request);
    const over = (): void => {
      clearTimeout(expiry);
      this.#options.onWaited?.((performance.now() - since) / 1000);
    };
    const forget = this.#turns.wait(request.holder, () => {
      this.#waiting.delete(request);
      over();
      // Its wait is a part of the time that the service has.
      this.#send(request, { ...options, headersTimeout: Math.max(1, Math.min(silenceMs, since + waitMs - performance.now())) });
    });
    request.stopWaiting = () => {
      over();
      forget();
    };
    request.onConnect((error = new errors.RequestAbortedError()) => this.#abort(request, error));
  }

  /** Fails a request that waits; one that does not is left alone. */
  #abort(request: UpstreamRequest, error: Error): void {
    if (!this.#waiting.delete(request)) return;
    request.stopWaiting?.();
    this.underWay.give(request.holder);
    request.onError(error);
  }

  /** Sends a request whose place among the connections is taken: there is a free one, or room for one more. */
  #send(request: UpstreamRequest, options: UpstreamDispatch): void {
    const [connection = this.#grow()] = this.#free;
    this.#free.delete(connection);
    request.connection = connection;
    request.sentAt = performance.now();
    connection.dispatch(options, request);
  }

  #grow(): Client {
    const connection = new Client(this.#options.origin, this.#options.client);
    // One that ends by its idle time would have to be opened anew.
    connection.on('disconnect', () => {
      if (this.#free.has(connection)) this.#end(connection);
    });
    this.#open.add(connection);
    return connection;
  }
}
