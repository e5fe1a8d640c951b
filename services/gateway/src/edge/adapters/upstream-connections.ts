import { FairShares, type FairSharesOptions, FairTurns } from '@parcelway/kernel/fair-shares';
import { Client, type Dispatcher, errors } from 'undici';

/** What a set of connections is opened with. */
export interface UpstreamConnectionsOptions {
  readonly origin: string;
  /** Connections, and what one holder may have of them; each responses one request at a time. */
  readonly connections: FairSharesOptions;
  /** Requests, those that wait for a connection included, and what one holder may have of them. */
  readonly underWay: FairSharesOptions;
  /** For each connection. */
  readonly client: Client.Options;
}

/** A request without a deadline of its own waits so long. */
const DEFAULT_WAIT_MS = 30_000;

/** One request: notifies the set when its connection is free again, and passes everything else on. */
class Turn implements Dispatcher.DispatchHandler {
  /** Who makes it. */
  readonly holder: string;
  options: Dispatcher.DispatchOptions;
  /** Ends its wait for a connection. */
  stopWaiting: (() => void) | undefined;
  /** The connection that responds; none while the request waits for one, and none when it is over. */
  client: Client | undefined;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #set: UpstreamConnections;

  constructor(set: UpstreamConnections, holder: string, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.#set = set;
    this.holder = holder;
    this.options = options;
    this.#handler = handler;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#handler.onConnect?.(abort);
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    return this.#handler.onHeaders?.(status, headers, resume, statusText) ?? true;
  }

  onData(chunk: Buffer): boolean {
    return this.#handler.onData?.(chunk) ?? true;
  }

  onComplete(trailers: string[] | null): void {
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) this.#set.take(client, this.holder);
    this.#handler.onComplete?.(trailers);
  }

  onError(error: Error): void {
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) this.#set.discard(client, this.holder);
    this.#handler.onError?.(error);
  }
}

/**
 * The connections to one service. A request takes the one that became free last, and a new one only when none is free: what
 * is in use stays few and warm, and the rest end by their idle time. Unlike undici's pool, which looks for a free connection
 * through all of them twice per request, this costs the same however many there are. A holder has a share of the connections:
 * beyond it, its requests wait in turn. So a service that is slow for one holder has connections left for the others.
 */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions;
  readonly #open = new Set<Client>();
  /** The last one became free last. */
  readonly #free: Client[] = [];
  readonly #turns: FairTurns;
  readonly #underWay: FairShares;
  readonly #waiting = new Set<Turn>();
  #closed = false;

  constructor(options: UpstreamConnectionsOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options.connections);
    this.#underWay = new FairShares(options.underWay);
  }

  /** True when no further request of a holder is taken. */
  isFullFor(holder: string): boolean {
    return !this.#underWay.allows(holder);
  }

  /** Requests of a holder, those that wait included. */
  underWayOf(holder: string): number {
    return this.#underWay.heldBy(holder);
  }

  /** Sends a request of a holder. One too many, or after the close, fails at once, by the handler's `onError`. */
  dispatch(holder: string, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const turn = new Turn(this, holder, options, handler);
    if (this.#closed) turn.onError(new errors.ClientClosedError());
    else if (!this.#underWay.take(holder)) turn.onError(new Error(`Too many requests of ${holder} at the same time`));
    else if (this.#turns.take(holder)) this.#send(turn);
    else this.#wait(turn);
  }

  /** Cuts the connections; what is under way or waits fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new errors.ClientClosedError();
    for (const turn of [...this.#waiting]) this.#abort(turn, error);
    const open = [...this.#open];
    this.#open.clear();
    this.#free.length = 0;
    await Promise.all(open.map((client) => client.destroy(error)));
  }

  /** Takes back a connection whose request got a response. */
  take(client: Client, holder: string): void {
    if (this.#closed) return;
    this.#free.push(client);
    this.#giveBack(holder);
  }

  /** Ends a connection whose request failed: who waits gets a new one. */
  discard(client: Client, holder: string): void {
    // Not at once: the client is still busy reporting its failure.
    setImmediate(() => {
      if (!this.#open.delete(client)) return;
      void client.destroy();
      this.#giveBack(holder);
    });
  }

  #giveBack(holder: string): void {
    this.#underWay.give(holder);
    this.#turns.give(holder);
  }

  #wait(turn: Turn): void {
    const { holder, options } = turn;
    const waitMs = options.headersTimeout ?? this.#options.client.headersTimeout ?? DEFAULT_WAIT_MS;
    const waitsUntil = performance.now() + waitMs;
    const expiry = setTimeout(() => this.#abort(turn, new errors.HeadersTimeoutError('No connection became free in time')), waitMs);
    this.#waiting.add(turn);
    const forget = this.#turns.wait(holder, () => {
      this.#waiting.delete(turn);
      clearTimeout(expiry);
      // Its wait is a part of the time that the service has.
      turn.options = { ...options, headersTimeout: Math.max(1, waitsUntil - performance.now()) };
      this.#send(turn);
    });
    turn.stopWaiting = () => {
      clearTimeout(expiry);
      forget();
    };
    turn.onConnect((error = new errors.RequestAbortedError()) => this.#abort(turn, error));
  }

  /** Fails a request that waits; one that does not is left alone. */
  #abort(turn: Turn, error: Error): void {
    if (!this.#waiting.delete(turn)) return;
    turn.stopWaiting?.();
    this.#underWay.give(turn.holder);
    turn.onError(error);
  }

  /** Sends a request whose place among the connections is taken: there is a free one, or room for one more. */
  #send(turn: Turn): void {
    const client = this.#free.pop() ?? this.#grow();
    turn.client = client;
    client.dispatch(turn.options, turn);
  }

  #grow(): Client {
    const client = new Client(this.#options.origin, this.#options.client);
    this.#open.add(client);
    return client;
  }
}
