import { type ContentRange, rangeIn } from '../domain/content-range.ts';
import { UpstreamRequest } from './upstream-connections.ts';

/** A connection is held for a client that does not read for this long. */
const LAG_MS = 400;

/** Where a content comes from at the moment. */
export interface Source {
  /** Ends the request to the service and frees its connection. */
  abort(): void;
  /** Reads on, after `data` returned false. */
  resume(): void;
}

/** Where it goes. */
export interface Sink {
  /** @returns false when the client has to read first; then `onReady` is called */
  writePart(chunk: Buffer): boolean;
  onReady(callback: () => void): void;
  /** The content is complete. */
  end(): void;
  /** It cannot be completed. */
  fail(error: Error): void;
}

/** What a download takes part in. */
export interface DownloadOptions {
  readonly sink: Sink;
  readonly holder: string;
  /** Asks the service for a part of the content. */
  readonly ask: (range: ContentRange, part: UpstreamRequest) => void;
}

/**
 * The content of a file on its way to a client. It holds a connection to the service only while the client reads: when the client
 * lags behind for some time, the request to the service ends; once the client has read, the rest is requested as a range.
 */
export class Download {
  readonly #options: DownloadOptions;
  /** What the client has not been handed yet. */
  #left: ContentRange;
  #source: Source | undefined;
  #over = false;
  /** Runs while the client lags behind and a connection is held for it. */
  #lag: NodeJS.Timeout | undefined;

  /** @param range what the client asked for */
  constructor(options: DownloadOptions, range: ContentRange, source: Source) {
    this.#options = options;
    this.#left = range;
    this.#source = source;
  }

  /** Takes a chunk. @returns false when the source is to pause */
  data(source: Source, chunk: Buffer): boolean {
    if (source !== this.#source) return true;
    const { sink } = this.#options;
    this.#left = { first: this.#left.first + chunk.length, last: this.#left.last };
    const canContinue = sink.writePart(chunk);
    if (!canContinue) sink.onReady(() => this.#readOn());
    // The last chunk: the source ends by itself.
    if (this.#left.first > this.#left.last) return true;
    clearTimeout(this.#lag);
    if (!canContinue) this.#lag = setTimeout(() => this.#park(), LAG_MS).unref();
    return canContinue;
  }

  /** The source has sent all it has. */
  complete(source: Source): void {
    if (source !== this.#source) return;
    this.#leave();
    this.#over = true;
    if (this.#left.first > this.#left.last) this.#options.sink.end();
    else this.#options.sink.fail(new Error(`The content ended before byte ${this.#left.last}`));
  }

  failed(source: Source, error: Error): void {
    if (source !== this.#source) return;
    this.close();
    this.#options.sink.fail(error);
  }

  /** Frees the connection to the service until the client has read. */
  #park(): void {
    const source = this.#source;
    this.#leave();
    source?.abort();
  }

  /** Ends it: the client is gone. */
  close(): void {
    this.#over = true;
    this.#park();
  }

  /** The client has read what it was handed. */
  #readOn(): void {
    if (this.#over) return;
    clearTimeout(this.#lag);
    if (this.#source !== undefined) this.#source.resume();
    else this.#askForRest();
  }

  #askForRest(): void {
    const part = new Part(this, this.#left, this.#options.holder);
    this.#source = part;
    this.#options.ask(this.#left, part);
  }

  /** The connection to the service is free again. */
  #leave(): void {
    this.#source = undefined;
    clearTimeout(this.#lag);
  }
}

/** The request for the rest of a content. */
class Part extends UpstreamRequest implements Source {
  readonly #download: Download;
  readonly #range: ContentRange;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #aborted = false;

  constructor(download: Download, range: ContentRange, holder: string) {
    super(holder);
    this.#download = download;
    this.#range = range;
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#aborted) abort();
    else this.#abort = abort;
  }

  protected onHead(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.#resume = resume;
    const range = rangeIn(raw.map((text) => text.toString('latin1')));
    if (status === 206 && range?.first === this.#range.first && range.last === this.#range.last) return true;
    this.#download.failed(this, new Error(`The service responded with ${status} to the request for the rest of a file`));
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.#download.data(this, chunk);
  }

  protected onResponded(): void {
    this.#download.complete(this);
  }

  protected onFailed(error: Error): void {
    this.#download.failed(this, error);
  }

  abort(): void {
    this.#aborted = true;
    this.#abort?.(new Error('The client does not read'));
  }

  resume(): void {
    this.#resume?.();
  }
}
