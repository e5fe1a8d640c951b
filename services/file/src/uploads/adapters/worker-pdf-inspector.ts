import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import type { Logger } from '@parcelway/kernel/logger';
import { MAX_BARCODE_TEXT, MAX_BARCODES, millimetres, type PdfFindings, UNREADABLE } from '../domain/inspected-pdf.ts';
import { type PdfReport, type PdfWorkerData, WORKER_READY, workerProgram } from './pdf-worker.ts';

/** What the process is given at its start, as JSON. */
interface ProcessStart {
  /** Text of the thread's program. */
  readonly program: string;
  readonly workerData: object;
  /** Of the thread, in MB. */
  readonly maxHeapMb: number;
}

/** Runs a program in a thread, and passes messages on between the thread and the parent process. Ends with its parent, whatever the thread does. */
function runThread(): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { program, workerData, maxHeapMb } = JSON.parse(process.argv[1] as string) as ProcessStart;
  const thread = new Worker(program, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  thread.on('message', (message) => process.send?.(message));
  thread.on('error', () => process.exit(1));
  process.on('message', (message) => thread.postMessage(message));
  process.on('disconnect', () => process.exit());
}

/** The program of a process that runs another program in a thread; for `node --eval`. */
export const processProgram = `(${runThread})()`;

/** For the start of the worker, on a machine that has much else to do. */
const MAX_START_MS = 60_000;
/** For reading, and again for drawing, in a worker that has started. A label takes some 60 ms for both. */
const DEADLINE_MS = 3000;
/** The longest wait of an upload for barcodes, once its pages are counted. */
const MAX_DRAWING_MS = 1000;
/** The longest wait of an upload for findings, including its turn and the start of the worker. */
const MAX_WAIT_MS = 5000;
/** Inspections under way and waiting, at most. One owner has at most half. */
const PLACES = 16;
/** How long an owner gets no inspections after a PDF that exceeded a limit, so that it does not take the turns of others. */
const BARRED_MS = 60_000;
/** The worker ends after so long without an inspection: it holds some 110 MB, and starts in half a second. */
const IDLE_MS = 60_000;
/** The heap of the worker's thread holds the code of the libraries and what they report. */
const MAX_HEAP_MB = 64;
/** For reading, drawing and decoding. An A4 page takes some 60 MB. */
const MAX_MEMORY_BYTES = 160 * 1024 * 1024;

const limits = {
  maxMeasured: 50,
  maxDrawn: 4,
  // What label printers have: a barcode that they print is drawn with whole bars.
  dotsPerInch: 203,
  // A4 at that resolution.
  maxPixels: 4_000_000,
  maxBarcodes: MAX_BARCODES,
  maxBarcodeText: MAX_BARCODE_TEXT,
};

interface Job {
  readonly ownerId: string;
  /** In pieces. */
  readonly content: readonly Buffer[];
  readonly resolve: (findings: PdfFindings | undefined) => void;
  /** Ends the waiting of the upload. */
  patience: NodeJS.Timeout;
  /** Ends its turn. */
  end?: () => void;
  /** Findings without barcodes. */
  structure?: PdfFindings;
}

/** Every limit has a default. */
export interface PdfInspectorOptions {
  /** Memory of one inspection. */
  readonly maxBytes?: number;
  /** Milliseconds after which an upload continues without findings. */
  readonly maxWaitMs?: number;
  /** Milliseconds after which it continues without barcodes, once its pages are counted. */
  readonly maxDrawingMs?: number;
  /** Milliseconds without an inspection after which the worker ends. */
  readonly idleMs?: number;
}

/**
 * Inspects PDFs one at a time in a separate process, the worker. A malicious PDF can keep a parser busy for hours or fill its memory. So a worker that
 * exceeds its deadline or its memory, or crashes, is ended and replaced; so is one that is idle. Owners take turns; after such a PDF, its owner gets none for a while.
 * A thread would not do: Node.js 24 may abort the whole process when a thread that has run WebAssembly ends.
 */
export class WorkerPdfInspector {
  readonly #logger: Logger;
  readonly #queue: FairQueue;
  #current: Job | undefined;
  /** Ends the worker: for an inspection that takes too long, or because there is none. */
  #deadline: NodeJS.Timeout | undefined;
  readonly #workerData: PdfWorkerData;
  readonly #maxWaitMs: number;
  readonly #maxDrawingMs: number;
  readonly #idleMs: number;
  /** Owners that get no inspections → until when, by the clock of {@link performance}. */
  readonly #barred = new Map<string, number>();
  /** Started by an inspection. */
  #worker: ChildProcess | undefined;
  #isReady = false;
  #closed = false;

  constructor(logger: Logger, options: PdfInspectorOptions = {}) {
    const { maxBytes = MAX_MEMORY_BYTES, maxWaitMs = MAX_WAIT_MS, maxDrawingMs = MAX_DRAWING_MS, idleMs = IDLE_MS } = options;
    const { resolve } = createRequire(import.meta.url);
    this.#logger = logger;
    this.#queue = new FairQueue({ atOnce: 1, places: PLACES, maxWaitMs, refusal: 'Too many PDFs are being inspected' });
    this.#maxWaitMs = maxWaitMs;
    this.#maxDrawingMs = maxDrawingMs;
    this.#idleMs = idleMs;
    this.#workerData = {
      ...limits,
      maxBytes,
      // No upload would wait for a page that is begun later.
      drawingMs: maxDrawingMs / 2,
      pdfium: resolve('@embedpdf/pdfium'),
      pdfiumWasm: resolve('@embedpdf/pdfium/pdfium.wasm'),
      zxing: resolve('zxing-wasm/reader'),
      zxingWasm: resolve('zxing-wasm/reader/zxing_reader.wasm'),
    };
  }

  /**
   * Inspects a content within a deadline.
   * @param ownerId whose share of the inspections it is
   * @param content in pieces, which nobody must change until it resolves
   * @returns undefined when there is no capacity now; never rejects
   */
  inspect(ownerId: string, content: readonly Buffer[]): Promise<PdfFindings | undefined> {
    if (this.#isBarred(ownerId)) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const job: Job = { ownerId, content, resolve, patience: setTimeout(() => resolve(undefined), this.#maxWaitMs) };
      this.#queue
        .run(ownerId, () => this.#inspectInTurn(job))
        .catch(() => undefined)
        .finally(() => this.#resolve(job, undefined));
    });
  }

  /** Ends the worker. Inspections under way end without findings. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.close();
    const ended = this.#endWorker();
    this.#finish(undefined);
    await ended;
  }

  #isBarred(ownerId: string): boolean {
    return (this.#barred.get(ownerId) ?? 0) > performance.now();
  }

  /** Resolves when the worker is free again. The upload may have continued before that. */
  async #inspectInTurn(job: Job): Promise<void> {
    if (this.#closed || this.#isBarred(job.ownerId)) return;
    await new Promise<void>((resolve) => {
      job.end = resolve;
      this.#current = job;
      this.#request(job);
    });
  }

  #request(job: Job): void {
    this.#worker ??= this.#startWorker();
    if (this.#isReady) this.#startDeadline();
    this.#worker.send(Buffer.concat(job.content));
  }

  #startDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#abandon('took too long'), DEADLINE_MS);
  }

  #startWorker(): ChildProcess {
    const start = { program: workerProgram, workerData: this.#workerData, maxHeapMb: MAX_HEAP_MB };
    const worker = spawn(process.execPath, ['--v8-pool-size=1', '--eval', processProgram, JSON.stringify(start)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A content is sent as bytes, not as JSON.
      serialization: 'advanced',
      // It needs no settings or secrets.
      env: {},
    });
    // The worker must not keep this process alive. It ends with this process.
    worker.unref();
    worker.channel?.unref();
    worker.on('message', (message: PdfReport | typeof WORKER_READY) => {
      if (worker !== this.#worker) return;
      if (message === WORKER_READY) {
        this.#isReady = true;
        this.#startDeadline();
      } else this.#hear(message);
    });
    const abandon = (reason: string): void => {
      if (worker !== this.#worker) return;
      if (this.#isReady) this.#abandon(reason);
      else this.#failStart(reason);
    };
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => abandon('it took too long'), MAX_START_MS);
    worker.on('error', (error) => abandon(error.message));
    worker.on('exit', (code, signal) => abandon(`the worker ended with ${signal ?? code}`));
    return worker;
  }

  #hear(report: PdfReport): void {
    if (report.kind === 'exceeded') this.#abandon('needs too much memory');
    else if (report.kind === 'structure') this.#noteStructure(report);
    else {
      const { barcodes, isComplete } = report;
      const structure = this.#current?.structure;
      this.#finish(structure && { ...structure, barcodes, barcodeSearch: isComplete ? 'complete' : 'incomplete' });
    }
  }

  #noteStructure({ isEncrypted, pages, sizes }: Extract<PdfReport, { kind: 'structure' }>): void {
    const job = this.#current;
    if (job === undefined) return;
    job.structure = {
      isReadable: true,
      isEncrypted,
      pages,
      sizes: sizes.map(([width, height]) => ({ width: millimetres(width), height: millimetres(height) })),
      barcodes: [],
      barcodeSearch: 'timed_out',
    };
    clearTimeout(job.patience);
    job.patience = setTimeout(() => this.#resolve(job, job.structure), this.#maxDrawingMs);
    this.#startDeadline();
  }

  /** A worker that does not start is not the fault of a PDF: its owner keeps its turns. */
  #failStart(reason: string): void {
    this.#logger.warn({ reason }, 'The PDF inspection cannot start; check the memory and the process limit of this service');
    void this.#endWorker();
    this.#finish(undefined);
  }

  /** Ends the worker together with what it works on. */
  #abandon(reason: string): void {
    this.#bar(reason);
    void this.#endWorker();
    this.#finish(this.#current?.structure ?? UNREADABLE);
  }

  /** Bars the owner of the current PDF, which exceeds a limit. */
  #bar(reason: string): void {
    const ownerId = this.#current?.ownerId;
    this.#logger.warn({ tenant_id: ownerId, reason }, 'A PDF could not be inspected completely; it is stored');
    if (ownerId === undefined) return;
    const now = performance.now();
    for (const [owner, until] of this.#barred) if (until <= now) this.#barred.delete(owner);
    this.#barred.set(ownerId, now + BARRED_MS);
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isReady = false;
    if (worker === undefined) return;
    // Keeps this process alive until the worker has ended, so that close() resolves.
    worker.ref();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // False when it has already ended, or never started.
    if (worker.kill('SIGKILL')) await ended;
  }

  #finish(findings: PdfFindings | undefined): void {
    clearTimeout(this.#deadline);
    const job = this.#current;
    this.#current = undefined;
    if (this.#worker !== undefined) this.#deadline = setTimeout(() => void this.#endWorker(), this.#idleMs).unref();
    if (job === undefined) return;
    this.#resolve(job, findings);
    job.end?.();
  }

  #resolve(job: Job, findings: PdfFindings | undefined): void {
    clearTimeout(job.patience);
    job.resolve(findings);
  }
}
