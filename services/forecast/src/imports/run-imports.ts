import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ImportRecord } from './import-collections.ts';
import { type ImportStore, TakenOver } from './import-store.ts';
import { type ReadImportOptions, readImport } from './read-import.ts';
import { type SubmitRowsOptions, submitRows } from './submit-rows.ts';
import { sweepImports } from './sweep-imports.ts';

/** Times that an import may start without progress: the import itself may be what ends the process. */
const MAX_STARTS = 5;
const DOES_NOT_END = 'The import was begun several times and did not get further; divide the file, and upload it again';

/** The longest time until the imports of other processes, and those that a crash left, are found. */
const EVERY_MS = 60_000;
/** How often to look for rows to submit while a file is read. */
const LOOK_EVERY_MS = 200;
const RETRY_MS = 2000;
/** How often the lease is renewed, however long a file or some rows take. */
const RENEW_EVERY_MS = 5000;
/** A turn of the event loop takes less when the process has little other work. */
const SHORT_TURN_MS = 2;
/** The longest wait for other work between batches of rows: an import makes progress, however busy the process is. */
const OTHERS_FIRST_MS = 100;
const FAILURE = 'Cannot continue imports; will retry';
/** Pause between an upload and the start of its import. */
const WAKE_AFTER_MS = 50;

export interface RunImportsOptions extends ReadImportOptions, SubmitRowsOptions {
  readonly store: ImportStore;
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isErased: (tenantId: string) => boolean;
}

/**
 * Runs imports in one process at a time. The imports of a tenant run one after the other; tenants take turns, some rows each. Meanwhile files are read,
 * because one may take minutes: one at a time, so that previews have the other thread. Tenants take turns at that, too.
 */
class ImportRunner {
  readonly #options: RunImportsOptions;
  /** Tenant → its import that this process has taken. */
  readonly #taken = new Map<string, ImportRecord>();
  /** Tenants that have nothing to do or have just failed → when to look again, epoch milliseconds. */
  readonly #resting = new Map<string, number>();
  /** Tenants that wait for their next file to be read, in this order. */
  readonly #toRead = new Set<string>();
  /** The tenant whose file is being read. `done` never rejects. */
  #reading: { readonly tenantId: string; readonly done: Promise<void> } | undefined;
  #hasFailed = false;

  constructor(options: RunImportsOptions) {
    this.#options = options;
  }

  /** Ends all rests: there is a new import. */
  wake(): void {
    this.#resting.clear();
  }

  /** Runs what there is. @returns when to look again, epoch milliseconds @throws AppError 50301 when the store is out */
  async run(held: HeldWork): Promise<number> {
    this.#resting.clear();
    this.#taken.clear();
    this.#toRead.clear();
    this.#hasFailed = false;
    // While the store is out, the work itself fails and logs that.
    const renewing = setInterval(() => void held.renew().catch(() => undefined), RENEW_EVERY_MS).unref();
    try {
      await this.#runAll(held);
      await sweepImports(this.#options, held);
    } finally {
      // The work is given back afterwards. Another process would then read the same file.
      await this.#reading?.done;
      clearInterval(renewing);
    }
    return this.#options.clock.now() + (this.#hasFailed ? RETRY_MS : EVERY_MS);
  }

  async #runAll(held: HeldWork): Promise<void> {
    let after = '';
    while (!held.isOver()) {
      await held.renew();
      this.#readNext(held);
      const reading = this.#reading;
      const tenantId = await this.#nextTenant(after);
      after = tenantId ?? '';
      if (tenantId !== undefined) {
        await this.#attempt(tenantId, held);
        await letOthersFirst();
      } else if (reading === undefined) return;
      // The reading may have ended before this look: its rows can be submitted now.
      else await Promise.race([reading.done, pause(LOOK_EVERY_MS)]);
    }
  }

  /** Begins to read the file of the tenant that has waited longest, unless one is being read. */
  #readNext(held: HeldWork): void {
    const [tenantId] = this.#toRead;
    if (tenantId === undefined || this.#reading !== undefined) return;
    this.#toRead.delete(tenantId);
    const done = this.#attempt(tenantId, held, true).then(() => {
      this.#reading = undefined;
    });
    this.#reading = { tenantId, done };
  }

  /** Does the next piece of work of a tenant. When it fails, the tenant rests. */
  async #attempt(tenantId: string, held: HeldWork, mayRead = false): Promise<void> {
    try {
      await this.#runPiece(tenantId, held, mayRead);
    } catch (error) {
      this.#hasFailed = true;
      this.#rest(tenantId);
      // What the stop of the process interrupts is no failure.
      if (!held.isOver()) this.#options.logger.warn({ err: error, tenant_id: tenantId }, FAILURE);
    }
  }

  /** The next tenant by id, starting over after the last. Leaves out those with a file to read. */
  async #nextTenant(after: string): Promise<string | undefined> {
    const { store } = this.#options;
    let hasTurned = after === '';
    for (let at = after; ; ) {
      const tenantId = await store.nextRunning(at);
      if (tenantId === undefined) {
        if (hasTurned) return undefined;
        hasTurned = true;
        at = '';
      } else if (!this.#isReading(tenantId) && !this.#rests(tenantId)) return tenantId;
      else at = tenantId;
    }
  }

  #isReading(tenantId: string): boolean {
    return this.#reading?.tenantId === tenantId || this.#toRead.has(tenantId);
  }

  #rest(tenantId: string): void {
    this.#resting.set(tenantId, this.#options.clock.now() + RETRY_MS);
  }

  #rests(tenantId: string): boolean {
    const until = this.#resting.get(tenantId);
    if (until === undefined || this.#options.clock.now() < until) return until !== undefined;
    this.#resting.delete(tenantId);
    return false;
  }

  /**
   * Submits some rows of the oldest import of a tenant, or reads its file.
   * @param mayRead false: a file to read is only put in the queue
   * @throws AppError 50301; TakenOver
   */
  async #runPiece(tenantId: string, held: HeldWork, mayRead: boolean): Promise<void> {
    const { store, isErased } = this.#options;
    const found = (await store.unfinished(tenantId)).find(({ state }) => state === 'running');
    if (found === undefined || isErased(tenantId)) this.#rest(tenantId);
    else if (found.phase !== 'submitting' && !mayRead) this.#toRead.add(tenantId);
    else await this.#runFound(found, held);
  }

  async #runFound(found: ImportRecord, held: HeldWork): Promise<void> {
    const { store, files, logger, clock } = this.#options;
    const { importId, fileKey } = found;
    const taken = this.#taken.get(found.tenantId);
    // Each phase counts as a start: reading and submitting can each be what ends the process.
    const isNew = taken?.importId !== importId || taken.attempt !== found.attempt || taken.phase !== found.phase;
    const record = isNew ? await this.#take(found, held) : found;
    if (record === undefined) return;
    try {
      if (record.starts > MAX_STARTS) throw new AppError('50000', DOES_NOT_END);
      await this.#work(record, held);
    } catch (error) {
      if (error instanceof TakenOver || (error instanceof AppError && error.httpStatus === 503)) throw error;
      const failure = error instanceof AppError ? error : new AppError('50000', 'The file could not be imported; upload it again');
      if (failure !== error) logger.error({ err: error, import_id: importId }, 'An import failed');
      const end = { state: 'failed', error: { code: failure.code, message: failure.message }, at: clock.now() } as const;
      // Another process may have taken it, and needs the file.
      if (await store.finish(record, end, record.attempt)) await files.delete(fileKey);
    } finally {
      // It made progress, or ended without a crash.
      if (isNew) await store.note(record, { starts: 0 });
    }
  }

  /** Takes an import, which notes durably that it starts. @returns undefined when it must not start */
  async #take(found: ImportRecord, held: HeldWork): Promise<ImportRecord | undefined> {
    // Without the lease, this would take the import from the process that has the lease now.
    await held.reach(held.place);
    const taken = held.isOver() ? undefined : await this.#options.store.take(found);
    if (taken !== undefined) this.#taken.set(taken.tenantId, taken);
    return taken;
  }

  async #work(record: ImportRecord, held: HeldWork): Promise<void> {
    const { store, isErased, clock } = this.#options;
    if (record.phase === 'submitting') {
      if (await submitRows(this.#options, record)) return;
      await store.finish(record, { state: 'done', error: null, at: clock.now() }, record.attempt);
      return;
    }
    await readImport(this.#options, record, async () => {
      await held.renew();
      if (held.isOver() || isErased(record.tenantId)) return false;
      const now = await store.find(record);
      return now?.state === 'running' && now.attempt === record.attempt;
    });
  }
}

/**
 * Lets requests, and work caused by the events of earlier rows, come first: long turns of the event loop mean that there is such work. So the services
 * that consume these events keep up with an import in the same process.
 */
async function letOthersFirst(): Promise<void> {
  const end = performance.now() + OTHERS_FIRST_MS;
  for (let begunAt = performance.now(); begunAt < end; ) {
    await nextTurn();
    const now = performance.now();
    if (now - begunAt < SHORT_TURN_MS) return;
    begunAt = now;
  }
}

/** Creates the work that runs imports. Call `wake` after an upload. */
export function createImportRunner(options: RunImportsOptions): RegularWork {
  const runner = new ImportRunner(options);
  const work = createLeasedWork({
    lease: options.lease,
    clock: options.clock,
    logger: options.logger,
    everyMs: EVERY_MS,
    retryMs: RETRY_MS,
    wakeAfterMs: WAKE_AFTER_MS,
    failure: FAILURE,
    work: (held) => runner.run(held),
  });
  return {
    ...work,
    wake() {
      runner.wake();
      work.wake();
    },
  };
}
