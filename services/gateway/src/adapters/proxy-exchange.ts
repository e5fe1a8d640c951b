import { AppError } from '@parcelway/kernel/app-error';
import type { Dispatcher } from 'undici';
import type { AnswerBatch, ReadyAnswer } from './answer-batch.ts';
import type { Exchange } from './exchange.ts';

/** Answers up to this size are collected and written in one go; larger ones are passed on as they come. */
const MAX_COLLECTED_BYTES = 64 * 1024;

/** Headers of a service's answer that end here: those of the connection, and those that the gateway sets itself. */
const STAYING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
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
]);

type Fate = 'passes' | 'stays' | 'length' | 'cache';

/** Headers that the gateway looks at. */
const READ: ReadonlyMap<string, Fate> = new Map([
  ['content-length', 'length'],
  ['cache-control', 'cache'],
]);

/** What becomes of a header, by its name as services write it: they use few, and always the same. */
const fates = new Map<string, Fate>();
const MAX_FATES = 200;

function fateOf(name: string): Fate {
  const known = fates.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const fate = READ.get(lower) ?? (STAYING.has(lower) ? 'stays' : 'passes');
  if (fates.size < MAX_FATES) fates.set(name, fate);
  return fate;
}

/** Receives a service's answer and passes it on. One per request; the methods are undici's raw dispatch interface. */
export class ProxyExchange implements Dispatcher.DispatchHandler, ReadyAnswer {
  readonly #exchange: Exchange;
  readonly #batch: AnswerBatch;
  #settled: (() => void) | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #done = false;
  #status = 0;
  #headers: string[] = [];
  #contentLength: string | null = null;
  #chunks: Buffer[] = [];
  #collected = 0;
  #streaming = false;

  /**
   * @param batch writes answers that came whole
   * @param settled called once, when the service is done with this request in one way or another
   */
  constructor(exchange: Exchange, batch: AnswerBatch, settled?: () => void) {
    this.#exchange = exchange;
    this.#batch = batch;
    this.#settled = settled;
    exchange.res.on('close', () => this.#onClientClosed());
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#done) abort();
    else this.#abort = abort;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    // Interim answers are the connection's own business.
    if (status < 200) return true;
    this.#status = status;
    this.#resume = resume;
    const headers: string[] = [];
    let cacheable = false;
    for (let index = 0; index < raw.length; index += 2) {
      const name = (raw[index] as Buffer).toString('latin1');
      const fate = fateOf(name);
      if (fate === 'cache') cacheable = true;
      if (fate === 'passes' || fate === 'cache') headers.push(name, (raw[index + 1] as Buffer).toString('latin1'));
      else if (fate === 'length') this.#contentLength = (raw[index + 1] as Buffer).toString('latin1');
    }
    this.#headers = this.#exchange.addCommonHeaders(headers, cacheable);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#streaming) {
      this.#chunks.push(chunk);
      this.#collected += chunk.length;
      if (this.#collected <= MAX_COLLECTED_BYTES && Number(this.#contentLength ?? 0) <= MAX_COLLECTED_BYTES) return true;
      return this.#startStreaming();
    }
    return this.#exchange.res.write(chunk) || this.#waitForDrain();
  }

  onComplete(): void {
    if (this.#done) return;
    this.#settle();
    this.#batch.add(this);
  }

  onError(error: Error): void {
    if (this.#done) return;
    this.#done = true;
    this.#settle();
    const { route } = this.#exchange;
    // An answer that has begun cannot be taken back: fail() cuts the connection, so that it does not look complete.
    this.#exchange.fail(AppError.unavailable(`The ${route?.service ?? ''} service does not answer; try again`, error));
  }

  /** Writes the answer, or the end of one that was passed on as it came. Called by the batch. */
  write(): void {
    // The client may have gone away since the service was done.
    if (this.#done) return;
    this.#done = true;
    try {
      if (this.#streaming) this.#exchange.res.end();
      else this.#writeWhole();
      this.#exchange.end(this.#status);
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

  #startStreaming(): boolean {
    const { res } = this.#exchange;
    this.#streaming = true;
    if (this.#contentLength !== null) this.#headers.push('Content-Length', this.#contentLength);
    res.writeHead(this.#status, this.#headers);
    let ready = true;
    for (const chunk of this.#chunks) ready = res.write(chunk);
    this.#chunks = [];
    return ready || this.#waitForDrain();
  }

  #waitForDrain(): false {
    this.#exchange.res.once('drain', () => this.#resume?.());
    return false;
  }

  #settle(): void {
    this.#settled?.();
    this.#settled = undefined;
  }

  #onClientClosed(): void {
    if (this.#done) return;
    this.#done = true;
    this.#settle();
    this.#abort?.(new Error('The client went away'));
  }
}
