import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Logger } from '@parcelway/kernel/logger';
import type { PdfFindings } from '../domain/pdf-findings.ts';
import type { PdfInspector } from '../ports.ts';

/** For one inspection, the start of the worker included. A label takes some 10 ms. */
const DEADLINE_MS = 2000;
/** Inspections that wait, at most; one of each owner. */
const MAX_WAITING = 8;
/** The heap of the worker. A PDF of 10 MB with 2,000 pages needs some 60 MB. */
const MAX_HEAP_MB = 128;

const UNREADABLE: PdfFindings = { isReadable: false, isEncrypted: false, pages: 0 };

/**
 * What the worker runs: it answers each PDF with what it has found. Its text is given to the worker, so that it must not use anything from
 * outside of itself.
 */
async function inspectInWorker(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads');
  const { createRequire } = await import('node:module');
  const { library } = workerData as { readonly library: string };
  const { EncryptedPDFError, PDFDocument } = createRequire(library)(library) as typeof import('@cantoo/pdf-lib');
  const inspect = async (content: Uint8Array): Promise<PdfFindings> => {
    try {
      const document = await PDFDocument.load(content, { updateMetadata: false });
      return { isReadable: true, isEncrypted: false, pages: document.getPageCount() };
    } catch (error) {
      // Whatever else fails, the PDF is damaged: that is a finding.
      return { isReadable: true, isEncrypted: error instanceof EncryptedPDFError, pages: 0 };
    }
  };
  // The library writes about damaged objects.
  console.warn = () => undefined;
  parentPort?.on('message', (content: Uint8Array) => void inspect(content).then((findings) => parentPort.postMessage(findings)));
}

interface Job {
  readonly ownerId: string;
  readonly content: Buffer;
  readonly resolve: (findings: PdfFindings | undefined) => void;
}

/**
 * Inspects PDFs in a worker thread, one at a time. A PDF can be made to keep a parser busy for hours or to fill its memory: a
 * worker that exceeds its deadline or its heap is ended and replaced, and an owner has one inspection at a time.
 */
export class WorkerPdfInspector implements PdfInspector {
  readonly #logger: Logger;
  readonly #library = createRequire(import.meta.url).resolve('@cantoo/pdf-lib');
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #deadline: NodeJS.Timeout | undefined;
  /** Started by the first inspection. */
  #worker: Worker | undefined;
  #closed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  inspect(ownerId: string, content: Buffer): Promise<PdfFindings | undefined> {
    const isBusy = this.#waiting.length >= MAX_WAITING || [this.#current, ...this.#waiting].some((job) => job?.ownerId === ownerId);
    if (this.#closed || isBusy) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push({ ownerId, content, resolve });
      this.#next();
    });
  }

  /** Ends the worker. Inspections under way end without findings. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
    this.#finish(undefined);
    await this.#endWorker();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) return;
    this.#worker ??= this.#startWorker();
    this.#deadline = setTimeout(() => this.#giveUp('took too long'), DEADLINE_MS);
    const { content } = this.#current;
    // A pooled buffer shares its memory with others and cannot be given away.
    const given = content.byteLength === content.buffer.byteLength ? content : new Uint8Array(content);
    this.#worker.postMessage(given, [given.buffer as ArrayBuffer]);
  }

  #startWorker(): Worker {
    const worker = new Worker(`(${inspectInWorker.toString()})()`, {
      eval: true,
      workerData: { library: this.#library },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on('message', (findings: PdfFindings) => {
      if (worker === this.#worker) this.#finish(findings);
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#giveUp(error.message);
    });
    return worker;
  }

  /** Ends the worker together with what it works on. */
  #giveUp(reason: string): void {
    this.#logger.warn({ tenant_id: this.#current?.ownerId, reason }, 'A PDF could not be inspected; it is stored all the same');
    void this.#endWorker();
    this.#finish(UNREADABLE);
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #finish(findings: PdfFindings | undefined): void {
    clearTimeout(this.#deadline);
    const job = this.#current;
    this.#current = undefined;
    job?.resolve(findings);
    this.#next();
  }
}
