import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { storeFailure } from './sqlite-errors.ts';

/** When the log is moved. */
export interface CheckpointPace {
  /** The log is looked at so many milliseconds after a commit. */
  readonly lookMs: number;
  /** A log with fewer pages of 4 kB to be moved is left alone: a process that was killed reads them again within milliseconds. */
  readonly minPages: number;
  /**
   * SQLite begins the log anew once all of it was moved, which commits that never pause would prevent. When it has grown by so many pages they
   * are held for a moment.
   */
  readonly maxPages: number;
}

const PACE: CheckpointPace = { lookMs: 1_000, minPages: 1_000, maxPages: 8_000 };

/** What became of a checkpoint, as SQLite says it: pages in the log, and those of them that were moved. */
interface Moved {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** How a thread says that it failed. */
interface Failed {
  readonly failed: string;
  readonly code?: number;
}

/** The program of the thread. It has a connection of its own. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.driver);
  const db = new DatabaseSync(workerData.path);
  db.exec('PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA busy_timeout=200');
  parentPort.on('message', (mode) => {
    try {
      parentPort.postMessage(db.prepare('PRAGMA wal_checkpoint(' + mode + ')').get());
    } catch (error) {
      parentPort.postMessage({ failed: String(error), code: error.sqliteExtendedCode });
    }
  });`;

/** What {@link Checkpoints} works on. */
export interface CheckpointsOptions {
  /** The main file of the database. */
  readonly path: string;
  /** Of the event loop; it never moves the log itself. */
  readonly db: DatabaseSyncInstance;
  /** Default: some seconds of a busy platform. */
  readonly pace?: CheckpointPace;
  /** Keeps commits waiting. */
  readonly hold: () => void;
  /** Lets them go on. */
  readonly release: () => void;
  /** Hears of a checkpoint that failed. Nothing is lost: the log stays as it is. */
  readonly failed: (error: unknown) => void;
}

/**
 * Moves the write-ahead log into the main file, in a thread: a checkpoint waits for the disk. SQLite itself brings the log to the disk before it moves it,
 * and the main file before the log may be overwritten.
 */
export class Checkpoints {
  readonly #options: Required<CheckpointsOptions>;
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** Size of the log when commits were held last. */
  #heldAt = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CheckpointsOptions) {
    this.#options = { pace: PACE, ...options };
  }

  /** Says that something was committed. Cheap. */
  committed(): void {
    if (this.#looking !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#looking = this.#look().then((hasMoved) => {
        this.#looking = undefined;
        // What was committed meanwhile.
        if (hasMoved) this.committed();
      });
    }, this.#options.pace.lookMs).unref();
  }

  /** Moves the whole log and empties its file, where pages stay as they were before they were overwritten. @throws AppError 50301 when another process reads it, or the disk is out */
  async empty(): Promise<void> {
    try {
      // While commits go on: they wait only for what is left.
      await this.#move('PASSIVE');
      const { busy } = await this.#move('TRUNCATE', true);
      if (busy !== 0) throw new Error('Another process reads the file, so its log cannot be emptied');
    } catch (error) {
      this.#options.failed(error);
      throw storeFailure(error);
    }
  }

  /** Ends the thread, behind the checkpoint that runs. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#looking;
    clearTimeout(this.#timer);
    await this.#last.catch(() => undefined);
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  /** @returns whether something was moved */
  async #look(): Promise<boolean> {
    this.#timer = undefined;
    const { minPages, maxPages } = this.#options.pace;
    try {
      const { log, checkpointed } = this.#options.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as Moved;
      if (log < this.#heldAt) this.#heldAt = 0;
      if (log - checkpointed < minPages) return false;
      await this.#move('PASSIVE');
      if (log - this.#heldAt >= maxPages) {
        // Next to nothing is left to be moved, unless another process reads the log: then it is tried again when it has grown as much.
        this.#heldAt = log;
        await this.#move('PASSIVE', true);
      }
      return true;
    } catch (error) {
      this.#options.failed(error);
      return false;
    }
  }

  /** One at a time. @param holds whether commits wait meanwhile */
  #move(mode: 'PASSIVE' | 'TRUNCATE', holds = false): Promise<Moved> {
    const move = async (): Promise<Moved> => {
      if (holds) this.#options.hold();
      try {
        return await this.#inThread(mode);
      } finally {
        if (holds) this.#options.release();
      }
    };
    const moved = this.#last.then(move, move);
    this.#last = moved;
    return moved;
  }

  async #inThread(mode: string): Promise<Moved> {
    this.#thread ??= this.#startThread();
    const response = once(this.#thread, 'message') as Promise<[Moved | Failed]>;
    this.#thread.postMessage(mode);
    const [result] = await response;
    if ('failed' in result) throw Object.assign(new Error(result.failed), { sqliteExtendedCode: result.code });
    return result;
  }

  #startThread(): Worker {
    const workerData = { driver: createRequire(import.meta.url).resolve('@photostructure/sqlite'), path: this.#options.path };
    const thread = new Worker(PROGRAM, { eval: true, workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } });
    thread.unref();
    // Whoever waits for it hears of it; the next checkpoint starts another.
    thread.on('error', () => {
      this.#thread = undefined;
    });
    return thread;
  }
}
