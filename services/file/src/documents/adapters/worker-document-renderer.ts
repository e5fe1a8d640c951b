import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { DocumentRenderer } from '../../ports.ts';
import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import type { RenderReply, RenderRequest } from './document-worker.ts';

/** For one piece of a rendering. A piece takes some 30 ms, and a second with all of the Chinese glyphs that 2,000 items can have. */
const DEADLINE_MS = 60_000;
/** The heap of the thread. A forecast of 2,000 items with texts as long as they may be needs less than 64 MB; three are rendered side by side. */
const MAX_HEAP_MB = 192;

/** The module of the thread, beside this one: compiled, or a source in tests. */
const WORKER = new URL(`./document-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

interface Asked {
  readonly request: RenderRequest;
  readonly resolve: (reply: RenderReply) => void;
  readonly reject: (error: AppError) => void;
}

/** Limits of the thread; for tests. */
export interface RendererLimits {
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
}

/**
 * Renders documents in a worker thread of low priority, with a heap of its own. The thread is asked for one piece at a time, so that it is known
 * what it works on: a rendering that exceeds the deadline or the heap ends the thread and fails; others that it had begun are to be tried again.
 */
export class WorkerDocumentRenderer implements DocumentRenderer {
  readonly #logger: Logger;
  readonly #deadlineMs: number;
  readonly #maxHeapMb: number;
  readonly #waiting: Asked[] = [];
  #current: Asked | undefined;
  #deadline: NodeJS.Timeout | undefined;
  /** Started by the first rendering. */
  #worker: Worker | undefined;
  #lastId = 0;
  #closed = false;

  constructor(logger: Logger, { deadlineMs = DEADLINE_MS, maxHeapMb = MAX_HEAP_MB }: RendererLimits = {}) {
    this.#logger = logger;
    this.#deadlineMs = deadlineMs;
    this.#maxHeapMb = maxHeapMb;
  }

  async *render(content: DocumentContent): AsyncGenerator<Uint8Array, RenderedDocuments> {
    if (this.#closed) throw AppError.unavailable('The renderer has been closed');
    const id = ++this.#lastId;
    this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    let isOver = false;
    try {
      for (let request: RenderRequest = { id, content }; ; request = { id }) {
        if (worker !== this.#worker) throw interrupted();
        const reply = await this.#ask(request);
        isOver = !('piece' in reply);
        if ('failure' in reply) throw unrenderable(reply.failure);
        if ('rendered' in reply) return reply.rendered;
        yield reply.piece;
      }
    } finally {
      if (!isOver && worker === this.#worker) worker.postMessage({ id, drop: true } satisfies RenderRequest);
    }
  }

  /** Ends the thread. Renderings under way are to be tried again. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endWorker(interrupted());
  }

  #ask(request: RenderRequest): Promise<RenderReply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) return;
    this.#worker?.postMessage(this.#current.request);
    this.#deadline = setTimeout(() => this.#abandon(`it took longer than ${this.#deadlineMs} ms`), this.#deadlineMs);
  }

  #startWorker(): Worker {
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb } });
    worker.unref();
    worker.on('message', (reply: RenderReply) => {
      if (worker !== this.#worker || this.#current === undefined) return;
      clearTimeout(this.#deadline);
      const { resolve } = this.#current;
      this.#current = undefined;
      resolve(reply);
      this.#next();
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#abandon(error.message);
    });
    return worker;
  }

  /** Ends the thread because of what it works on. The next rendering starts another. */
  #abandon(reason: string): void {
    this.#logger.error({ reason }, 'The thread that renders documents ended; another one is started');
    void this.#endWorker(unrenderable(reason));
  }

  async #endWorker(error: AppError): Promise<void> {
    clearTimeout(this.#deadline);
    const worker = this.#worker;
    const current = this.#current;
    this.#worker = undefined;
    this.#current = undefined;
    const waiting = this.#waiting.splice(0);
    current?.reject(error);
    for (const { reject } of waiting) reject(interrupted());
    await worker?.terminate();
  }
}

/** Perhaps the documents' fault. */
const unrenderable = (reason: string): AppError => new AppError('50000', `The documents cannot be rendered: ${reason}`);

/** Not the documents' fault. */
const interrupted = (): AppError => AppError.unavailable('The thread that renders documents ended');
