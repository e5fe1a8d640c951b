import { Client, type Dispatcher, errors } from 'undici';

/** What a set of connections is opened with. */
export interface UpstreamConnectionsOptions {
  readonly origin: string;
  /** Connections at most; each answers one request at a time. */
  readonly connections: number;
  /** Requests at most, those that wait for a connection included. */
  readonly maxUnderWay: number;
  /** For each connection. */
  readonly client: Client.Options;
}

/** A request without a deadline of its own waits so long. */
const DEFAULT_WAIT_MS = 30_000;

/** One request: tells the set when its connection is free again, and passes all else on. */
class Turn implements Dispatcher.DispatchHandler {
  options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
  /** Until when it waits for a connection, on the clock of `performance.now()`. */
  waitsUntil = 0;
  readonly #set: UpstreamConnections;
  /** The connection that answers; none while the request waits for one, and none when it is over. */
  client: Client | undefined;

  constructor(set: UpstreamConnections, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.#set = set;
    this.options = options;
    this.handler = handler;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.handler.onConnect?.(abort);
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    return this.handler.onHeaders?.(status, headers, resume, statusText) ?? true;
  }

  onData(chunk: Buffer): boolean {
    return this.handler.onData?.(chunk) ?? true;
  }

  onComplete(trailers: string[] | null): void {
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) this.#set.take(client);
    this.handler.onComplete?.(trailers);
  }

  onError(error: Error): void {
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) this.#set.discard(client);
    this.handler.onError?.(error);
  }
}

/**
 * The connections to one service. A request takes the one that became free last, and a new one only when none is free: what
 * is in use stays few and warm, and the rest end by their idle time. Unlike undici's pool, which looks for a free connection
 * through all of them twice per request, this costs the same however many there are. When all are taken, requests wait in turn.
 */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions;
  readonly #open = new Set<Client>();
  /** The last one became free last. */
  readonly #free: Client[] = [];
  /** In turn. An array: with a set, requests that wait cost a third more CPU, by the garbage collector. */
  readonly #waiting: Turn[] = [];
  /** Runs while requests wait. */
  #expiry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: UpstreamConnectionsOptions) {
    this.#options = options;
  }

  /** True when no further request is taken. */
  get full(): boolean {
    return this.#open.size - this.#free.length + this.#waiting.length >= this.#options.maxUnderWay;
  }

  /** Sends a request. One too many, or after the close, fails at once, by the handler's `onError`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#closed) {
      handler.onError?.(new errors.ClientClosedError());
    } else if (this.full) {
      handler.onError?.(new Error(`More than ${this.#options.maxUnderWay} requests at the same time`));
    } else {
      const turn = new Turn(this, options, handler);
      const client = this.#free.pop() ?? this.#grow();
      if (client === undefined) this.#wait(turn);
      else this.#send(client, turn);
    }
  }

  /** Cuts the connections; what is under way or waits fails. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#expiry);
    const error = new errors.ClientClosedError();
    for (const turn of this.#waiting.splice(0)) turn.onError(error);
    const open = [...this.#open];
    this.#open.clear();
    this.#free.length = 0;
    await Promise.all(open.map((client) => client.destroy(error)));
  }

  /** Takes back a connection whose request was answered. */
  take(client: Client): void {
    if (this.#closed) return;
    const next = this.#next();
    if (next === undefined) this.#free.push(client);
    else this.#send(client, next);
  }

  /** Ends a connection whose request failed: who waits gets a new one. */
  discard(client: Client): void {
    // Not at once: the client is still busy with telling its failure.
    setImmediate(() => {
      if (!this.#open.delete(client)) return;
      void client.destroy();
      const next = this.#next();
      if (next === undefined) return;
      this.#send(this.#grow() as Client, next);
    });
  }

  #grow(): Client | undefined {
    const { origin, connections, client: options } = this.#options;
    if (this.#open.size >= connections) return undefined;
    const client = new Client(origin, options);
    this.#open.add(client);
    return client;
  }

  /** The request whose turn it is, with the time that its wait has left it. */
  #next(): Turn | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) next.options = { ...next.options, headersTimeout: Math.max(1, next.waitsUntil - performance.now()) };
    return next;
  }

  /** Fails requests that have waited as long as they would wait for an answer, and looks again when the next one has. */
  #expire(): void {
    const now = performance.now();
    while (this.#waiting[0] !== undefined && this.#waiting[0].waitsUntil <= now) {
      this.#waiting.shift()?.onError(new errors.HeadersTimeoutError('No connection became free in time'));
    }
    const first = this.#waiting[0];
    this.#expiry = first && setTimeout(() => this.#expire(), first.waitsUntil - now);
  }

  #wait(turn: Turn): void {
    turn.waitsUntil = performance.now() + (turn.options.headersTimeout ?? this.#options.client.headersTimeout ?? DEFAULT_WAIT_MS);
    this.#waiting.push(turn);
    this.#expiry ??= setTimeout(() => this.#expire(), turn.waitsUntil - performance.now());
    turn.onConnect((error = new errors.RequestAbortedError()) => {
      const index = this.#waiting.indexOf(turn);
      if (index === -1) return;
      this.#waiting.splice(index, 1);
      turn.onError(error);
    });
  }

  #send(client: Client, turn: Turn): void {
    turn.client = client;
    client.dispatch(turn.options, turn);
  }
}
