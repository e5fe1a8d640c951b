import type { ServiceName } from '@parcelway/contracts/service-name';
import { FALLBACK_HEADER, FALLBACK_STATUS } from '@parcelway/http/route-fallback';
import { AppError } from '@parcelway/kernel/app-error';
import type { FairShares } from '@parcelway/kernel/fair-shares';
import { type Dispatcher, errors } from 'undici';
import { upstreamLimits, waitingRoutes } from '../domain/client-shares.ts';
import type { Exchange } from './exchange.ts';
import { tooMany } from './service-places.ts';

/** Larger responses are streamed. */
const MAX_COLLECTED_BYTES = upstreamLimits.smallBodyBytes;

/** Headers of a service's response that do not pass: those of the connection, and those that the gateway sets. */
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

/** How a response affects other requests. */
export interface ProxiedResponseOptions {
  readonly service: ServiceName;
  /** Responses of the service that last as long as their clients read. */
  readonly streams: FairShares;
  /** Frees the place of the request. */
  readonly giveBack: () => void;
  /** Sends the request to the route's fallback service; undefined without one. */
  readonly fallBack: (() => void) | undefined;
  /** The service has begun to respond. */
  readonly responds: () => void;
  /** It does not; by an `AbortError`, because the client has gone. */
  readonly fails: (error: Error) => void;
  /** The service has not sent the head in time. */
  readonly timedOut: () => void;
}

/** True when the service asks for the fallback. */
function hasFallbackHeader(raw: readonly Buffer[]): boolean {
  return raw.some((text, index) => index % 2 === 0 && text.toString('latin1').toLowerCase() === FALLBACK_HEADER);
}

/**
 * Passes a service's response on: a small one at once, a larger one as the client reads it.
 *
 * A service finishes a request even if its client disconnects. The request keeps its place until then, so that disconnecting does not buy a larger share.
 * Incomplete bodies, responses in progress and {@link waitingRoutes} end with the client.
 */
export class ProxiedResponse implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #options: ProxiedResponseOptions;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #isGone = false;
  /** The response is written, or cannot be. */
  #done = false;
  #hasHead = false;
  /** The service asks for the fallback. */
  #fallsBack = false;
  #status = 0;
  #headers: string[] = [];
  #contentLength: string | null = null;
  /** True when the client gets each part at once. */
  #isUnbuffered = false;
  #chunks: Buffer[] = [];
  /** Bytes received before the response streams, or after the client has disconnected. */
  #collected = 0;
  /** The response holds one of the streams instead of its place. */
  #streaming = false;
  #hasPlace = true;

  constructor(exchange: Exchange, options: ProxiedResponseOptions) {
    this.#exchange = exchange;
    this.#options = options;
    exchange.res.once('close', () => this.#onClientClosed());
  }

  onConnect(abort: (error?: Error) => void): void {
    // Nothing has been sent yet: before, there may have been no service to connect to.
    if (this.#isGone) {
      abort(clientGone());
      return;
    }
    this.#abort = abort;
    this.#exchange.isPassedOn = true;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    // An interim response belongs to the connection.
    if (status < 200) return true;
    this.#options.responds();
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

  onComplete(): void {
    this.#giveBack();
    if (this.#done) return;
    if (this.#fallsBack) this.#fallBack();
    else if (this.#streaming) this.#exchange.res.end();
    else this.#writeWhole();
    // Last: if writing fails, undici calls onError, which must still respond.
    this.#done = true;
  }

  /** A response that has begun cannot be taken back: its connection is cut, so that it does not look complete. */
  onError(error: Error): void {
    // First, or one of those that wait would take the place.
    if (error instanceof errors.HeadersTimeoutError) this.#options.timedOut();
    this.#options.fails(error);
    this.#giveBack();
    if (this.#done) return;
    this.#done = true;
    this.#exchange.fail(AppError.unavailable(`The ${this.#options.service} service does not respond; try again`, error));
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

  #fallBack(): void {
    const { service, fallBack } = this.#options;
    if (fallBack !== undefined) fallBack();
    else this.#exchange.fail(AppError.unavailable(`The ${service} service does not respond; try again`));
  }

  #writeWhole(): void {
    const exchange = this.#exchange;
    const { res, req } = exchange;
    const bodiless = req.method === 'HEAD' || this.#status === 204 || this.#status === 304;
    if (!bodiless) this.#headers.push('Content-Length', String(this.#collected));
    else if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    if (bodiless || this.#collected === 0) res.end();
    // As latin1 text it goes out with the head in one piece; as bytes it would be a second one.
    else if (this.#chunks.length === 1) res.end((this.#chunks[0] as Buffer).toString('latin1'), 'latin1');
    else res.end(Buffer.concat(this.#chunks, this.#collected));
    if (exchange.wantsContent(this.#status)) exchange.content = Buffer.concat(this.#chunks, this.#collected);
    exchange.end(this.#status);
  }

  /** Refuses a stream beyond the holder's share: slow readers must not hold all connections. */
  #startStreaming(): boolean {
    const { res, holder, settings } = this.#exchange;
    if (!this.#options.streams.take(holder)) {
      settings.limits.reached('unread_responses', holder);
      const refusal = tooMany('unread responses');
      this.#done = true;
      this.#exchange.fail(refusal);
      this.#abort?.(refusal);
      return true;
    }
    this.#options.giveBack();
    this.#streaming = true;
    if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    const collected = Buffer.concat(this.#chunks, this.#collected);
    this.#chunks = [];
    return this.#pass(collected);
  }

  #pass(chunk: Buffer): boolean {
    const { res } = this.#exchange;
    if (res.write(chunk)) return true;
    res.once('drain', () => this.#resume?.());
    return false;
  }

  #onClientClosed(): void {
    if (this.#done) return;
    this.#done = true;
    this.#isGone = true;
    this.#chunks = [];
    this.#collected = 0;
    const isWorkedOn = this.#abort !== undefined && !this.#hasHead && !waitingRoutes.includes(this.#exchange.route?.id ?? '');
    if (!isWorkedOn) this.#abort?.(clientGone());
  }

  /** The connection to the service is free again. */
  #giveBack(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    if (this.#streaming) this.#options.streams.give(this.#exchange.holder);
    else this.#options.giveBack();
  }
}

function clientGone(): DOMException {
  return new DOMException('The client closed the connection', 'AbortError');
}
