import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { SheetPart, SpreadsheetKind, SpreadsheetReader } from '../../ports.ts';
import type { SpreadsheetJob, SpreadsheetReply } from './spreadsheet-worker.ts';

/** For one part. The first one of an XLSX file comes after its texts: 64 MB of them take some seconds. */
const DEADLINE_MS = 60_000;
/** For a whole file, without the time in which nobody asks for a part. */
const FILE_DEADLINE_MS = 180_000;
/** The heap of a thread. A file with as much text as it may have needs less than half of it. */
const MAX_HEAP_MB = 384;

/** The module of the thread, beside this one: compiled, or a source in tests. */
const WORKER = new URL(`./spreadsheet-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** Limits of a thread; for tests. */
export interface ReaderLimits {
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
}

const tooLarge = (): AppError => new AppError('42206', 'The file takes too much memory or time to read; divide it into several files');

/** Reads each spreadsheet in a worker thread with a heap of its own: one that exceeds heap or deadline ends with its thread. */
export class WorkerSpreadsheetReader implements SpreadsheetReader {
  readonly #logger: Logger;
  readonly #deadlineMs: number;
  readonly #maxHeapMb: number;
  readonly #workers = new Set<Worker>();
  #isClosed = false;

  constructor(logger: Logger, { deadlineMs = DEADLINE_MS, maxHeapMb = MAX_HEAP_MB }: ReaderLimits = {}) {
    this.#logger = logger;
    this.#deadlineMs = deadlineMs;
    this.#maxHeapMb = maxHeapMb;
  }

  async *read(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind): AsyncGenerator<SheetPart, void, void> {
    if (this.#isClosed) throw AppError.unavailable('The reader of spreadsheets is closed');
    const worker = new Worker(WORKER, {
      workerData: { content, kind } satisfies SpreadsheetJob,
      transferList: [content.buffer],
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb },
    });
    worker.unref();
    // Between two parts nobody else hears of an error; the next part fails then.
    worker.on('error', () => undefined);
    this.#workers.add(worker);
    let leftMs = FILE_DEADLINE_MS;
    try {
      for (;;) {
        const begunAt = performance.now();
        const reply = await this.#ask(worker, Math.min(leftMs, this.#deadlineMs));
        leftMs -= performance.now() - begunAt;
        if ('failure' in reply) throw new AppError(reply.failure.code, reply.failure.message);
        if ('end' in reply) return;
        yield reply.part;
      }
    } finally {
      this.#workers.delete(worker);
      await worker.terminate();
    }
  }

  /** Ends what is being read; it is to be read again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #ask(worker: Worker, ms: number): Promise<SpreadsheetReply> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      const abandon = (reason: string): void => {
        this.#logger.warn({ reason }, 'A spreadsheet could not be read within the limits');
        settle(() => reject(tooLarge()));
      };
      const onMessage = (reply: SpreadsheetReply): void => settle(() => resolve(reply));
      const onError = (error: Error): void => abandon(error.message);
      const onExit = (): void => settle(() => reject(AppError.unavailable('The thread that reads spreadsheets ended')));
      const timer = setTimeout(() => abandon('deadline'), Math.max(0, ms));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage('next');
    });
  }
}
