import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import type { Logger } from '@parcelway/kernel/logger';
import type { Reading, ReadingPurpose, SheetPart, SpreadsheetKind, SpreadsheetReader } from '../../ports.ts';
import type { SpreadsheetJob, SpreadsheetReply } from './spreadsheet-worker.ts';

/** For a whole file, not counting pauses of its reader. The texts of an XLSX file, 64 MB at most, take some seconds. */
const DEADLINES_MS: Readonly<Record<ReadingPurpose, number>> = { import: 60_000, preview: 10_000 };
/** The old generation of a thread. Threads and the heap of the process share the memory of a pod. */
const MAX_HEAP_MB = 128;
/** Live threads at most. A tenant has at most one. Imports have at most one, because they read one file at a time. */
const MAX_THREADS = 2;
/** Threads that read large files for previews at most. So a small preview waits for at most one large one, also while an import is read. */
const MAX_LARGE_PREVIEWS = 1;
/** Larger files may take seconds. An XLSX file of this size unpacks to some 25 MB at most, see open-package.ts. */
const SMALL_BYTES = 256 * 1024;
/** The longest wait for a thread: as long as three previews may take. */
const WAIT_MS = 3 * DEADLINES_MS.preview;

/** The module of the thread, beside this one: compiled, or a source in tests. */
const WORKER = new URL(`./spreadsheet-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** Limits of a thread; for tests. */
export interface ReaderLimits {
  /** Of imports and previews alike. */
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
  readonly waitMs?: number;
}

const tooLarge: Readonly<Record<ReadingPurpose, () => AppError>> = {
  import: () => new AppError('42206', 'The file takes too much memory or time to read; divide it into several files'),
  preview: () =>
    new AppError('42206', 'The file takes too much memory or time for a preview; use a smaller file, or import it without a preview'),
};

const closed = (): AppError => AppError.unavailable('The reader of spreadsheets is closed');

/** A thread, and its error or end between two parts. */
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

interface Job extends Reading {
  readonly thread: Thread;
}

/**
 * Reads each spreadsheet in a worker thread with a separate heap. A spreadsheet that exceeds the heap or the deadline ends with its thread. Tenants take
 * turns at the few threads.
 */
export class WorkerSpreadsheetReader implements SpreadsheetReader {
  readonly #logger: Logger;
  readonly #deadlinesMs: Readonly<Record<ReadingPurpose, number>>;
  readonly #maxHeapMb: number;
  readonly #threads = new Set<Thread>();
  readonly #turns: FairQueue;
  readonly #largePreviews: FairQueue;
  readonly #waitMs: number;
  #isClosed = false;

  constructor(logger: Logger, { deadlineMs, maxHeapMb = MAX_HEAP_MB, waitMs = WAIT_MS }: ReaderLimits = {}) {
    this.#logger = logger;
    this.#deadlinesMs = deadlineMs === undefined ? DEADLINES_MS : { import: deadlineMs, preview: deadlineMs };
    this.#maxHeapMb = maxHeapMb;
    this.#waitMs = waitMs;
    const queueOf = (atOnce: number): FairQueue =>
      new FairQueue({ atOnce, maxWaitMs: waitMs, refusal: 'Too many spreadsheets are being read' });
    this.#turns = queueOf(MAX_THREADS);
    this.#largePreviews = queueOf(MAX_LARGE_PREVIEWS);
  }

  async *read(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind, reading: Reading): AsyncGenerator<SheetPart, void, void> {
    const isLarge = reading.purpose === 'preview' && content.byteLength > SMALL_BYTES;
    const give = await this.#takeTurn(reading, isLarge);
    try {
      yield* this.#readIn(content, kind, reading);
    } finally {
      give();
    }
  }

  async #takeTurn({ tenantId, signal }: Reading, isLarge: boolean): Promise<() => void> {
    const end = performance.now() + this.#waitMs;
    // Take the narrower limit first, so that waiting never blocks a thread.
    const giveLarge = isLarge ? await this.#largePreviews.take(tenantId, signal) : undefined;
    try {
      const giveThread = await this.#turns.take(tenantId, signal, end - performance.now());
      return () => {
        giveThread();
        giveLarge?.();
      };
    } catch (error) {
      giveLarge?.();
      throw error;
    }
  }

  /** Live threads. */
  get workers(): readonly Worker[] {
    return [...this.#threads].map(({ worker }) => worker);
  }

  /** Ends all readings; their files must be read again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#largePreviews.close();
    this.#turns.close();
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  async *#readIn(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind, reading: Reading): AsyncGenerator<SheetPart, void, void> {
    const thread = new Thread({ content, kind }, this.#maxHeapMb);
    this.#threads.add(thread);
    let leftMs = this.#deadlinesMs[reading.purpose];
    try {
      for (;;) {
        const begunAt = performance.now();
        const reply = await this.#ask({ ...reading, thread }, leftMs);
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

  #ask({ thread: { worker, error, hasEnded }, purpose, signal }: Job, ms: number): Promise<SpreadsheetReply> {
    const ended = (): AppError => (this.#isClosed ? closed() : AppError.unavailable('The thread that reads spreadsheets ended'));
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        signal?.removeEventListener('abort', onGone);
        act();
      };
      const abandon = (reason: string): void => {
        this.#logger.warn({ reason, purpose }, 'A spreadsheet could not be read within the limits');
        settle(() => reject(tooLarge[purpose]()));
      };
      const onMessage = (reply: SpreadsheetReply): void => settle(() => resolve(reply));
      const onError = (error: Error): void => abandon(error.message);
      const onExit = (): void => settle(() => reject(ended()));
      const onGone = (): void => settle(() => reject(AppError.unavailable('The client has gone away')));
      const timer = setTimeout(() => abandon('deadline'), Math.max(0, ms));
      if (this.#isClosed) return onExit();
      if (signal?.aborted) return onGone();
      if (error) return onError(error);
      if (hasEnded) return onExit();
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      signal?.addEventListener('abort', onGone);
      worker.postMessage('next');
    });
  }
}
