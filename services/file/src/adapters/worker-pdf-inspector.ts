import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Logger } from '@parcelway/kernel/logger';
import type { PdfFindings } from '../domain/pdf-findings.ts';
import type { PdfInspector } from '../ports.ts';
import { inspectInWorker, type PdfWorkerData, WORKER_READY } from './pdf-worker.ts';

/** For one inspection in a worker that has started. A label takes some 10 ms. */
const DEADLINE_MS = 2000;
/** An upload waits for findings at most so long, for its turn and for the start of the worker too. */
const MAX_WAIT_MS = 5000;
/** An owner whose PDF exceeded a limit has no other inspected for so long, so that it does not take the turns of others. */
const BARRED_MS = 60_000;
/** Inspections that wait, at most; one of each owner. */
const MAX_WAITING = 8;
/** The heap of the worker. A PDF of 10 MB with 2,000 pages needs some 60 MB. */
const MAX_HEAP_MB = 128;
/** What one inspection may decompress, counted with the growth of buffers: twice as much as comes out. */
const MAX_DECOMPRESSED_BYTES = 128 * 1024 * 1024;

const UNREADABLE: PdfFindings = { isReadable: false, isEncrypted: false, pages: 0 };

interface Job {
  readonly ownerId: string;
  readonly content: Buffer;
  readonly resolve: (findings: PdfFindings | undefined) => void;
  /** Ends the waiting of the upload. */
  readonly patience: NodeJS.Timeout;
}

/**
 * Inspects PDFs in a worker thread, one at a time. A PDF can be made to keep a parser busy for hours or to fill its memory: a
 * worker that exceeds its deadline or its heap is ended and replaced, and an owner has one inspection at a time, and none for a while
 * after such a PDF.
 */
export class WorkerPdfInspector implements PdfInspector {
  readonly #logger: Logger;
  readonly #library = createRequire(import.meta.url).resolve('@cantoo/pdf-lib');
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #deadline: NodeJS.Timeout | undefined;
  readonly #maxBytes: number;
  readonly #maxWaitMs: number;
  /** Owners that have no inspection for a while, and until when by the clock of {@link performance}. */
  readonly #barred = new Map<string, number>();
  /** Started by the first inspection. */
  #worker: Worker | undefined;
  #isReady = false;
  #closed = false;

  /**
   * @param maxBytes what one inspection may decompress
   * @param maxWaitMs milliseconds after which an upload goes on without findings
   */
  constructor(
    logger: Logger,
    { maxBytes = MAX_DECOMPRESSED_BYTES, maxWaitMs = MAX_WAIT_MS }: { readonly maxBytes?: number; readonly maxWaitMs?: number } = {},
  ) {
    this.#logger = logger;
    this.#maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  inspect(ownerId: string, content: Buffer): Promise<PdfFindings | undefined> {
    const isBusy = this.#waiting.length >= MAX_WAITING || [this.#current, ...this.#waiting].some((job) => job?.ownerId === ownerId);
    const isBarred = (this.#barred.get(ownerId) ?? 0) > performance.now();
    if (this.#closed || isBusy || isBarred) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const job: Job = { ownerId, content, resolve, patience: setTimeout(() => this.#giveUpWaiting(job), this.#maxWaitMs) };
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends the worker. Inspections under way end without findings. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) this.#resolve(job, undefined);
    this.#finish(undefined);
    await this.#endWorker();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) return;
    this.#worker ??= this.#startWorker();
    if (this.#isReady) this.#startDeadline();
    const { content } = this.#current;
    // A pooled buffer shares its memory with others and cannot be given away.
    const given = content.byteLength === content.buffer.byteLength ? content : new Uint8Array(content);
    this.#worker.postMessage(given, [given.buffer as ArrayBuffer]);
  }

  #startDeadline(): void {
    this.#deadline = setTimeout(() => this.#giveUp('took too long'), DEADLINE_MS);
  }

  #startWorker(): Worker {
    const workerData: PdfWorkerData = { library: this.#library, maxBytes: this.#maxBytes };
    const worker = new Worker(`(${inspectInWorker.toString()})()`, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on('message', (message: PdfFindings | typeof WORKER_READY) => {
      if (worker !== this.#worker) return;
      if (message === WORKER_READY) {
        this.#isReady = true;
        this.#startDeadline();
      } else {
        if (!message.isReadable) this.#bar('decompresses to too much');
        this.#finish(message);
      }
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#giveUp(error.message);
    });
    return worker;
  }

  /** Ends the worker together with what it works on. */
  #giveUp(reason: string): void {
    this.#bar(reason);
    void this.#endWorker();
    this.#finish(UNREADABLE);
  }

  /** Notes that the PDF under inspection exceeds a limit. */
  #bar(reason: string): void {
    const ownerId = this.#current?.ownerId;
    this.#logger.warn({ tenant_id: ownerId, reason }, 'A PDF could not be inspected; it is stored all the same');
    if (ownerId === undefined) return;
    const now = performance.now();
    for (const [owner, until] of this.#barred) if (until <= now) this.#barred.delete(owner);
    this.#barred.set(ownerId, now + BARRED_MS);
  }

  /** The inspection of one that is under way goes on: its deadline ends it, and its owner's turn is taken until then. */
  #giveUpWaiting(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    this.#resolve(job, undefined);
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isReady = false;
    await worker?.terminate();
  }

  #finish(findings: PdfFindings | undefined): void {
    clearTimeout(this.#deadline);
    const job = this.#current;
    this.#current = undefined;
    if (job) this.#resolve(job, findings);
    this.#next();
  }

  #resolve(job: Job, findings: PdfFindings | undefined): void {
    clearTimeout(job.patience);
    job.resolve(findings);
  }
}
