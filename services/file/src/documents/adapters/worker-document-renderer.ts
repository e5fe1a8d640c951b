import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import type { RenderReply } from './document-worker.ts';

/** For one rendering. It takes some 30 ms, and seconds with 2,000 items and all of the Chinese glyphs that they can have. */
const DEADLINE_MS = 60_000;
/** The heap of a thread. A forecast of 2,000 items with texts as long as they may be needs less than 64 MB. */
const MAX_HEAP_MB = 96;

/** The module of the threads, beside this one: compiled, or a source in tests. */
const WORKER = new URL(`./document-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** Limits of a thread; for tests. */
export interface RendererLimits {
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
}

const interrupted = (): AppError => AppError.unavailable('The renderer has been closed');
const unrenderable = (reason: string): AppError => new AppError('50000', `The documents cannot be rendered: ${reason}`);

/**
 * Renders documents in threads of low priority, each with a heap of its own: as many as there are renderings side by side. A rendering that exceeds the
 * deadline or the heap ends its thread, and fails.
 */
export class WorkerDocumentRenderer {
  readonly #logger: Logger;
  readonly #deadlineMs: number;
  readonly #maxHeapMb: number;
  /** Threads without a rendering. */
  readonly #idle: Worker[] = [];
  readonly #closing = new AbortController();
  /** What is under way. */
  readonly #renderings = new Set<Promise<unknown>>();

  constructor(logger: Logger, { deadlineMs = DEADLINE_MS, maxHeapMb = MAX_HEAP_MB }: RendererLimits = {}) {
    this.#logger = logger;
    this.#deadlineMs = deadlineMs;
    this.#maxHeapMb = maxHeapMb;
  }

  /**
   * The documents of a forecast. The same content gives the same bytes.
   * @throws AppError 50000 when the content ended the thread or cannot be rendered, 50301 once the renderer is closed
   */
  async render(content: DocumentContent): Promise<RenderedDocuments> {
    const asked = this.#ask(content);
    this.#renderings.add(asked);
    const reply = await asked.finally(() => this.#renderings.delete(asked));
    if ('failure' in reply) throw unrenderable(reply.failure);
    return reply;
  }

  /** Ends the threads. Renderings under way are to be tried again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#renderings, ...this.#idle.splice(0).map((worker) => worker.terminate())]);
  }

  async #ask(content: DocumentContent): Promise<RenderReply> {
    const closing = this.#closing.signal;
    if (closing.aborted) throw interrupted();
    const worker = this.#idle.pop() ?? this.#startWorker();
    worker.postMessage(content);
    const deadline = AbortSignal.timeout(this.#deadlineMs);
    try {
      const [reply] = (await once(worker, 'message', { signal: AbortSignal.any([closing, deadline]) })) as [RenderReply];
      this.#idle.push(worker);
      return reply;
    } catch (error) {
      await worker.terminate();
      if (closing.aborted) throw interrupted();
      const reason = deadline.aborted ? `it took longer than ${this.#deadlineMs} ms` : (error as Error).message;
      this.#logger.error({ reason }, 'The thread that renders documents ended; another one is started');
      throw unrenderable(reason);
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb } });
    worker.unref();
    // One that fails while it has nothing to do takes no further rendering.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return worker;
  }
}
