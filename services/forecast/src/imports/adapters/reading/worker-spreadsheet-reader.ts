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
/** The old generation of a thread. Threads and the heap of the process share the memory of a pod. */
const MAX_HEAP_MB = 128;
/** Threads that live at a time, of imports and previews together. */
const MAX_THREADS = 2;
/** Who has no thread by then is to come again. */
const WAIT_MS = 15_000;

/** The module of the thread, beside this one: compiled, or a source in tests. */
const WORKER = new URL(`./spreadsheet-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** Limits of a thread; for tests. */
export interface ReaderLimits {
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
  readonly waitMs?: number;
}

const tooLarge = (): AppError => new AppError('42206', 'The file takes too much memory or time to read; divide it into several files');

const closed = (): AppError => AppError.unavailable('The reader of spreadsheets is closed');

/** A thread, and what is heard of it between two parts. */
class Thread {
  readonly worker: Worker;
  error: Error | undefined;
  hasEnded = false;

  constructor(job: SpreadsheetJob, maxHeapMb: number) {
    this.worker = new Worker(WORKER, {
      workerData: job,
      transferList: [job.content.buffer],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    this.worker.unref();
    this.worker.on('error', (error: Error) => {
      this.error = error;
    });
    this.worker.once('exit', () => {
      this.hasEnded = true;
    });
  }
}

/** Reads each spreadsheet in a worker thread with a heap of its own, two at a time: one that exceeds heap or deadline ends with its thread. */
export class WorkerSpreadsheetReader implements SpreadsheetReader {
  readonly #logger: Logger;
  readonly #deadlineMs: number;
  readonly #maxHeapMb: number;
  readonly #waitMs: number;
  readonly #threads = new Set<Thread>();
  /** Those that wait for a thread, in their order. */
  readonly #waiting = new Set<(hasPlace: boolean) => void>();
  #free = MAX_THREADS;
  #isClosed = false;

  constructor(logger: Logger, { deadlineMs = DEADLINE_MS, maxHeapMb = MAX_HEAP_MB, waitMs = WAIT_MS }: ReaderLimits = {}) {
    this.#logger = logger;
    this.#deadlineMs = deadlineMs;
    this.#maxHeapMb = maxHeapMb;
    this.#waitMs = waitMs;
  }

  async *read(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind): AsyncGenerator<SheetPart, void, void> {
    await this.#takePlace();
    try {
      yield* this.#readIn(content, kind);
    } finally {
      this.#givePlace();
    }
  }

  /** Threads that live. */
  get workers(): readonly Worker[] {
    return [...this.#threads].map(({ worker }) => worker);
  }

  /** Ends what is being read; it is to be read again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const go of this.#waiting) go(false);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  async *#readIn(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind): AsyncGenerator<SheetPart, void, void> {
    const thread = new Thread({ content, kind }, this.#maxHeapMb);
    this.#threads.add(thread);
    let leftMs = FILE_DEADLINE_MS;
    try {
      for (;;) {
        const begunAt = performance.now();
        const reply = await this.#ask(thread, Math.min(leftMs, this.#deadlineMs));
        leftMs -= performance.now() - begunAt;
        if ('failure' in reply) throw new AppError(reply.failure.code, reply.failure.message);
        if ('end' in reply) return;
        yield reply.part;
      }
    } finally {
      await thread.worker.terminate();
      this.#threads.delete(thread);
    }
  }

  async #takePlace(): Promise<void> {
    if (this.#isClosed) throw closed();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const hasPlace = await new Promise<boolean>((resolve) => {
      const go = (isMine: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve(isMine);
      };
      const timer = setTimeout(() => go(false), this.#waitMs);
      this.#waiting.add(go);
    });
    if (this.#isClosed) {
      if (hasPlace) this.#givePlace();
      throw closed();
    }
    if (!hasPlace) throw AppError.unavailable('Too many spreadsheets are being read; try again');
  }

  #givePlace(): void {
    const [first] = this.#waiting;
    if (first) first(true);
    else this.#free += 1;
  }

  #ask({ worker, error, hasEnded }: Thread, ms: number): Promise<SpreadsheetReply> {
    const ended = (): AppError => (this.#isClosed ? closed() : AppError.unavailable('The thread that reads spreadsheets ended'));
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
      const onExit = (): void => settle(() => reject(ended()));
      const timer = setTimeout(() => abandon('deadline'), Math.max(0, ms));
      if (this.#isClosed) return onExit();
      if (error) return onError(error);
      if (hasEnded) return onExit();
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage('next');
    });
  }
}
