import type { ServiceName } from '@parcelway/contracts/service-name';
import { FALLBACK_STATUS } from '@parcelway/http/route-fallback';
import { AppError } from '@parcelway/kernel/app-error';
import type { FairShares } from '@parcelway/kernel/fair-shares';
import { type ContentRange, repeatableRange } from '../domain/content-range.ts';
import { Download, type Downloads, type Sink, type Source } from './download.ts';
import type { Exchange } from './exchange.ts';
import { hasFallbackHeader, readProxiedHead } from './proxied-head.ts';
import { ReadAhead } from './read-ahead.ts';
import type { UpstreamRequest } from './upstream-connections.ts';

/** Responses up to this size are collected and written in one go; larger ones are passed on as they come. */
export const MAX_COLLECTED_BYTES = 64 * 1024;

/** What the responses of one service share. */
export interface ProxyShares {
  readonly service: ServiceName;
  /** Bytes that are held for clients that have not read them yet. */
  readonly readAhead: FairShares;
  /** Connections to the service that are held until their clients have read what the read-ahead has no room for. */
  readonly held: FairShares;
  /** Downloads whose clients lag behind. */
  readonly lagging: Downloads;
  /** Sends the request again, for a part of its content. */
  readonly askForPart: (exchange: Exchange, range: ContentRange, part: UpstreamRequest) => void;
  /** Sends the request to the fallback of its route. */
  readonly fallBack: (exchange: Exchange) => void;
}

/**
 * A service's response on its way to the client: small ones are collected and written in one go; large contents that can be asked for in parts
 * are a {@link Download}; all else is read ahead of the client, as far as its share goes.
 */
export class ProxyResponse implements Sink, Source {
  readonly #exchange: Exchange;
  readonly #shares: ProxyShares;
  readonly #abort: (error: Error) => void;
  #download: Download | undefined;
  #ahead: ReadAhead | undefined;
  #holds = false;
  #resume: (() => void) | undefined;
  #done = false;
  #status = 0;
  #headers: string[] = [];
  #contentLength: string | null = null;
  #isUnbuffered = false;
  #chunks: Buffer[] = [];
  #collected = 0;
  #streaming = false;
  /** The service leaves the response to the fallback of the route. */
  #fallsBack = false;

  /** @param abort ends the request to the service */
  constructor(exchange: Exchange, shares: ProxyShares, abort: (error: Error) => void) {
    this.#exchange = exchange;
    this.#shares = shares;
    this.#abort = abort;
  }

  /** True once the response is written, or the client has gone away. */
  get isDone(): boolean {
    return this.#done;
  }

  /** The head came. @param resume reads on, after `data` returned false */
  head(status: number, raw: Buffer[], resume: () => void): void {
    if (status === FALLBACK_STATUS && hasFallbackHeader(raw)) {
      this.#fallsBack = true;
      return;
    }
    this.#status = status;
    this.#resume = resume;
    const { headers, contentLength, cacheable, isUnbuffered } = readProxiedHead(raw);
    this.#isUnbuffered = isUnbuffered;
    this.#contentLength = contentLength;
    if (this.#exchange.announced !== undefined) {
      this.#exchange.isRepetition = headers.some((text, place) => place % 2 === 0 && text.toLowerCase() === 'idempotent-replayed');
    }
    this.#headers = this.#exchange.addCommonHeaders(headers, cacheable);
  }

  /** @returns false to pause the service until it is resumed */
  data(chunk: Buffer): boolean {
    if (this.#fallsBack) return true;
    if (!this.#streaming) {
      this.#chunks.push(chunk);
      this.#collected += chunk.length;
      const isSmall = this.#collected <= MAX_COLLECTED_BYTES && Number(this.#contentLength ?? 0) <= MAX_COLLECTED_BYTES;
      return isSmall && !this.#isUnbuffered ? true : this.#startStreaming();
    }
    return this.#pass(chunk);
  }

  /** The response is complete. */
  responded(): void {
    this.#letGo();
    if (this.#done) return;
    if (this.#fallsBack) this.#fallBack();
    else if (this.#download !== undefined) this.#download.complete(this);
    else this.end();
  }

  /** There is no response, or no more of it. */
  failed(error: Error): void {
    this.#letGo();
    if (this.#download !== undefined) this.#download.failed(this, error);
    else this.fail(error);
  }

  /** The client has gone away. */
  close(): void {
    this.#letGo();
    this.#done = true;
    this.#download?.close();
  }

  /** Ends the exchange. A response that has begun cannot be taken back: its connection is cut, so that it does not look complete. */
  fail(error: Error): void {
    if (this.#done) return;
    this.#done = true;
    this.#exchange.fail(AppError.unavailable(`The ${this.#shares.service} service does not respond; try again`, error));
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

  /** Writes the response, or the end of one that was passed on as it came. */
  end(): void {
    if (this.#done) return;
    this.#done = true;
    try {
      if (!this.#streaming) {
        this.#writeWhole();
        if (this.#exchange.wantsContent(this.#status)) this.#showContent();
        this.#exchange.end(this.#status);
      } else if (this.#ahead !== undefined) this.#ahead.end();
      else this.#exchange.res.end();
      // What is streamed may still be unread: the exchange ends with the response.
    } catch (error) {
      this.#exchange.fail(error);
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

  /** For the observer of the call. */
  #showContent(): void {
    this.#exchange.content = Buffer.concat(this.#chunks, this.#collected);
  }

  /** Writes a part of a download. */
  writePart(chunk: Buffer): boolean {
    return this.#exchange.res.write(chunk);
  }

  onReady(callback: () => void): void {
    this.#exchange.res.once('drain', callback);
  }

  abort(): void {
    this.#abort(new Error('The client does not read'));
  }

  resume(): void {
    this.#resume?.();
  }

  #startStreaming(): boolean {
    const { res, req, holder } = this.#exchange;
    this.#streaming = true;
    const contentLength = this.#contentLength === null ? null : Number(this.#contentLength);
    const range = req.method === 'GET' ? repeatableRange({ status: this.#status, headers: this.#headers, contentLength }) : undefined;
    if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    if (range === undefined) this.#ahead = new ReadAhead(res, this.#shares.readAhead, holder);
    else this.#download = this.#startDownload(range, holder);
    const collected = Buffer.concat(this.#chunks, this.#collected);
    this.#chunks = [];
    return this.#pass(collected);
  }

  #startDownload(range: ContentRange, holder: string): Download {
    const { lagging, askForPart } = this.#shares;
    const ask = (range: ContentRange, part: UpstreamRequest): void => askForPart(this.#exchange, range, part);
    return new Download({ sink: this, holder, lagging, ask }, range, this);
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
      ahead.whenEmpty(() => this.#resume?.());
    } else {
      settings.limits.reached('unread_responses', holder);
      res.destroy();
    }
  }

  /** The service is done with the request: nobody holds its connection any more. */
  #letGo(): void {
    if (this.#holds) this.#shares.held.give(this.#exchange.holder);
    this.#holds = false;
  }
}
