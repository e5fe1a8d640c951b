import { on } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import type { Reading, ReadingPurpose, SpreadsheetKind, SpreadsheetReader } from '../../ports.ts';
import type { SpreadsheetJob, SpreadsheetReply } from './spreadsheet-worker.ts';

/** For a whole file, not counting pauses of its reader. The texts of an XLSX file, 64 MB at most, take some seconds. */
const DEADLINES_MS: Readonly<Record<ReadingPurpose, number>> = { import: 60_000, preview: 10_000 };
/** The old generation of a thread. Threads and the heap of the process share the memory of a pod. */
const MAX_HEAP_MB = 128;
/** Live threads at most. A tenant has at most one. Imports have at most one, because they read one file at a time. */
const MAX_THREADS = 2;
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

/**
 * Reads each spreadsheet in a worker thread with a separate heap. A spreadsheet that exceeds the heap or the deadline ends with its thread. Tenants take
 * turns at the few threads.
 */
export class WorkerSpreadsheetReader implements SpreadsheetReader {
  readonly #logger: Logger;
  readonly #limits: ReaderLimits;
  readonly #threads = new Set<Worker>();
  readonly #turns: FairQueue;
  readonly #closing = new AbortController();

  constructor(logger: Logger, limits: ReaderLimits = {}) {
    this.#logger = logger;
    this.#limits = limits;
    this.#turns = new FairQueue({
      atOnce: MAX_THREADS,
      maxWaitMs: limits.waitMs ?? WAIT_MS,
      refusal: 'Too many spreadsheets are being read',
    });
  }

  async *read(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind, reading: Reading): AsyncGenerator<SheetPart, void, void> {
    const give = await this.#turns.take(reading.tenantId, reading.signal);
    try {
      yield* this.#readIn({ content, kind }, reading);
    } finally {
      give();
    }
  }

  /** Live threads. */
  get workers(): readonly Worker[] {
    return [...this.#threads];
  }

  /** Ends all readings; their files must be read again. */
  async close(): Promise<void> {
    this.#turns.close();
    this.#closing.abort();
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  async *#readIn(job: SpreadsheetJob, { purpose, signal }: Reading): AsyncGenerator<SheetPart, void, void> {
    const { deadlineMs = DEADLINES_MS[purpose], maxHeapMb = MAX_HEAP_MB } = this.#limits;
    const ended = (): AppError =>
      AppError.unavailable(signal?.aborted ? 'The client has gone away' : 'The thread that reads spreadsheets ended');
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    if (ends.aborted) throw ended();
    const worker = new Worker(WORKER, {
      workerData: job,
      transferList: [job.content.buffer],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    worker.unref();
    // A thread can reach its limit of memory while it is ended, when nobody waits for its replies.
    worker.on('error', () => undefined);
    this.#threads.add(worker);
    const abandon = (reason: string): AppError => {
      this.#logger.warn({ reason, purpose }, 'A spreadsheet could not be read within the limits');
      return tooLarge[purpose]();
    };
    // Keeps what happens between two parts as well.
    const replies = on(worker, 'message', { signal: ends, close: ['exit'] });
    const next = async (): Promise<SpreadsheetReply> => {
      worker.postMessage('next');
      try {
        const { value, done } = await replies.next();
        if (!done) return value[0] as SpreadsheetReply;
      } catch (error) {
        if (!ends.aborted) throw abandon((error as Error).message);
      }
      throw ended();
    };
    let leftMs = deadlineMs;
    try {
      for (;;) {
        const begunAt = performance.now();
        const reply = await within(Math.max(0, leftMs), next(), () => abandon('deadline'));
        leftMs -= performance.now() - begunAt;
        if ('failure' in reply) throw new AppError(reply.failure.code, reply.failure.message);
        if ('end' in reply) return;
        yield reply.part;
      }
    } finally {
      await replies.return?.();
      await worker.terminate();
      this.#threads.delete(worker);
    }
  }
}
