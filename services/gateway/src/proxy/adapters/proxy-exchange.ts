import type { ServiceName } from '@parcelway/contracts/service-name';
import { FALLBACK_HEADER, FALLBACK_STATUS } from '@parcelway/http/route-fallback';
import { AppError } from '@parcelway/kernel/app-error';
import type { FairShares } from '@parcelway/kernel/fair-shares';
import { waitingRoutes } from '../domain/client-shares.ts';
import { type ContentRange, repeatableRange } from '../domain/content-range.ts';
import { Download, type Sink, type Source } from './download.ts';
import type { Exchange } from './exchange.ts';
import { ReadAhead } from './read-ahead.ts';
import { UpstreamRequest } from './upstream-connections.ts';

/** Responses up to this size are collected and written in one go; larger ones are passed on as they come. */
const MAX_COLLECTED_BYTES = 64 * 1024;

/** Headers of a service's response that end here: those of the connection, and those that the gateway sets itself. */
const STAYING: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-powered-by',
  'x-request-id',
  FALLBACK_HEADER,
]);

/** What the responses of one service share. */
export interface ProxyShares {
  readonly service: ServiceName;
  /** Bytes that are held for clients that have not read them yet. */
  readonly readAhead: FairShares;
  /** Connections to the service that are held until their clients have read what the read-ahead has no room for. */
  readonly held: FairShares;
  /** Sends the request again, for a part of its content. */
  readonly askForPart: (exchange: Exchange, range: ContentRange, part: UpstreamRequest) => void;
  /** Sends the request to the fallback of its route. */
  readonly fallBack: (exchange: Exchange) => void;
}

/** True when a service leaves its response to the fallback of the route. */
function hasFallbackHeader(raw: readonly Buffer[]): boolean {
  return raw.some((text, index) => index % 2 === 0 && text.toString('latin1').toLowerCase() === FALLBACK_HEADER);
}

/**
 * Receives a service's response and passes it on, so that the connection to the service is not held by a client that does not read: small ones are collected and
 * written in one go; large contents that can be asked for in parts are a {@link Download}; all else is read ahead of the client, as far as its share goes. One
 * per request.
 *
 * A service goes on with a request whose client has gone away. So the request keeps its place until the service has responded, or until its deadline:
 * otherwise a client that sends requests and leaves would have more of the service than its share. Until then nothing of the response is kept. Only what
 * the service really stops ends with the client: a wait for a turn, a body that does not come whole, a response under way, and {@link waitingRoutes}.
 */
export class ProxyExchange extends UpstreamRequest implements Sink, Source {
  readonly #exchange: Exchange;
  readonly #shares: ProxyShares;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #isGone = false;
  /** The response is written, or cannot be. */
  #done = false;
  #hasHead = false;
  /** The service leaves the response to the fallback of the route. */
  #fallsBack = false;
  #status = 0;
  #headers: string[] = [];
  #contentLength: string | null = null;
  /** True when the client is to have what has come without waiting for more. */
  #isUnbuffered = false;
  #chunks: Buffer[] = [];
  /** Bytes that have come before the response streams, or after the client has gone away. */
  #collected = 0;
  #streaming = false;
  #download: Download | undefined;
  #ahead: ReadAhead | undefined;
  /** One of the connections that are {@link ProxyShares.held}. */
  #holds = false;

  constructor(exchange: Exchange, shares: ProxyShares) {
    super(exchange.holder);
    this.#exchange = exchange;
    this.#shares = shares;
    exchange.res.once('close', () => this.#onClientClosed());
  }

  onConnect(abort: (error?: Error) => void): void {
    // Nothing has been sent yet: before, there may have been no service to connect to.
    if (this.#isGone) {
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
    if (this.#isGone) return true;
    this.#fallsBack = status === FALLBACK_STATUS && hasFallbackHeader(raw);
    if (this.#fallsBack) return true;
    this.#status = status;
    this.#resume = resume;
    this.#readHeaders(raw);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#fallsBack) return true;
    if (this.#streaming && !this.#isGone) return this.#pass(chunk);
    this.#collected += chunk.length;
    if (this.#isGone) {
      // The end of a small response is worth its connection.
      if (this.#collected > MAX_COLLECTED_BYTES) this.#abort?.(clientGone());
      return true;
    }
    this.#chunks.push(chunk);
    const isSmall = this.#collected <= MAX_COLLECTED_BYTES && Number(this.#contentLength ?? 0) <= MAX_COLLECTED_BYTES;
    return isSmall && !this.#isUnbuffered ? true : this.#startStreaming();
  }

  protected onResponded(): void {
    this.#letGo();
    if (this.#done) return;
    if (this.#fallsBack) this.#fallBack();
    else if (this.#download !== undefined) this.#download.complete(this);
    else this.end();
  }

  protected onFailed(error: Error): void {
    this.#letGo();
    if (this.#download !== undefined) this.#download.failed(this, error);
    else this.fail(error);
  }

  /** Ends the exchange. A response that has begun cannot be taken back: its connection is cut, so that it does not look complete. */
  fail(error: Error): void {
    if (this.#done) return;
    this.#done = true;
    this.#exchange.fail(AppError.unavailable(`The ${this.#shares.service} service does not respond; try again`, error));
  }

  /** Writes the response, or the end of one that was passed on as it came: that may still be unread, so its exchange ends with it. */
  end(): void {
    if (this.#done) return;
    if (!this.#streaming) {
      this.#writeWhole();
      if (this.#exchange.wantsContent(this.#status)) this.#exchange.content = Buffer.concat(this.#chunks, this.#collected);
      this.#exchange.end(this.#status);
    } else if (this.#ahead !== undefined) this.#ahead.end();
    else this.#exchange.res.end();
    // Not before: a response that cannot be written fails, and would otherwise never end.
    this.#done = true;
  }

  /** Writes a part of a download. */
  writePart(chunk: Buffer): boolean {
    return this.#exchange.res.write(chunk);
  }

  onReady(callback: () => void): void {
    this.#exchange.res.once('drain', callback);
  }

  abort(): void {
    this.#abort?.(new Error('The client does not read'));
  }

  resume(): void {
    this.#resume?.();
  }

  #readHeaders(raw: readonly Buffer[]): void {
    const exchange = this.#exchange;
    const headers: string[] = [];
    let cacheable = false;
    for (let index = 0; index < raw.length; index += 2) {
      const name = (raw[index] as Buffer).toString('latin1');
      const lower = name.toLowerCase();
      const value = (raw[index + 1] as Buffer).toString('latin1');
      if (lower === 'content-length') this.#contentLength = value;
      else if (!STAYING.has(lower)) headers.push(name, value);
      if (lower === 'cache-control') cacheable = true;
      // As other proxies in front of the gateway know it.
      else if (lower === 'x-accel-buffering') this.#isUnbuffered = value.toLowerCase() === 'no';
      else if (lower === 'idempotent-replayed') exchange.isRepetition = true;
    }
    this.#headers = exchange.addCommonHeaders(headers, cacheable);
  }

  /** Only the service of the route may pass its request on, and only where the route says to whom. */
  #fallBack(): void {
    const { service } = this.#shares;
    const { route } = this.#exchange;
    if (route?.fallback === undefined || route.service !== service) {
      this.fail(new Error(`The ${service} service passes on a request that has no fallback`));
    } else {
      this.#done = true;
      this.#shares.fallBack(this.#exchange);
    }
  }

  #writeWhole(): void {
    const { res, req } = this.#exchange;
    const bodiless = req.method === 'HEAD' || this.#status === 204 || this.#status === 304;
    if (!bodiless) this.#headers.push('Content-Length', String(this.#collected));
    else if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    if (bodiless || this.#collected === 0) res.end();
    // As latin1 text it goes out with the head in one piece; as bytes it would be a second one.
    else if (this.#chunks.length === 1) res.end((this.#chunks[0] as Buffer).toString('latin1'), 'latin1');
    else res.end(Buffer.concat(this.#chunks, this.#collected));
  }

  #startStreaming(): boolean {
    const { res, req, holder } = this.#exchange;
    this.#streaming = true;
    const contentLength = this.#contentLength === null ? null : Number(this.#contentLength);
    const range = req.method === 'GET' ? repeatableRange({ status: this.#status, headers: this.#headers, contentLength }) : undefined;
    if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    if (range === undefined) this.#ahead = new ReadAhead(res, this.#shares.readAhead, holder);
    else {
      const ask = (range: ContentRange, part: UpstreamRequest): void => this.#shares.askForPart(this.#exchange, range, part);
      this.#download = new Download({ sink: this, holder, ask }, range, this);
    }
    const collected = Buffer.concat(this.#chunks, this.#collected);
    this.#chunks = [];
    return this.#pass(collected);
  }

  #pass(chunk: Buffer): boolean {
    if (this.#download !== undefined) return this.#download.data(this, chunk);
    const ahead = this.#ahead as ReadAhead;
    if (ahead.push(chunk)) return true;
    this.#waitForClient(ahead);
    return false;
  }

  /** The share of bytes is used up. A few may hold their connection until the client has read; the next one is cut. */
  #waitForClient(ahead: ReadAhead): void {
    const { holder, settings, res } = this.#exchange;
    this.#holds ||= this.#shares.held.take(holder);
    if (this.#holds) {
      ahead.whenEmpty(() => this.resume());
    } else {
      settings.limits.reached('unread_responses', holder);
      res.destroy();
    }
  }

  #onClientClosed(): void {
    this.#letGo();
    if (this.#done) return;
    this.#done = true;
    this.#isGone = true;
    this.#chunks = [];
    this.#collected = 0;
    this.#download?.close();
    const isWorkedOn = this.isSent && !this.#hasHead && !waitingRoutes.includes(this.#exchange.route?.id ?? '');
    if (!isWorkedOn) this.#abort?.(clientGone());
  }

  /** Nobody holds the connection of the service for the client any more. */
  #letGo(): void {
    if (this.#holds) this.#shares.held.give(this.#exchange.holder);
    this.#holds = false;
  }
}

function clientGone(): Error {
  return new Error('The client closed the connection');
}
