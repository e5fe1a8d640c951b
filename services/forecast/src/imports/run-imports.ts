import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { type ImportRecord, type ImportStore, TakenOver } from './ports.ts';
import { type ReadImportOptions, readImport } from './read-import.ts';
import { type SubmitRowsOptions, submitRows } from './submit-rows.ts';

/** Times that an import may start without getting further. What ends the process may be the import itself. */
const MAX_STARTS = 5;
/** More than are started without getting further at a time. */
const MAX_NOTED = 32;

/** How often imports were started without getting further, as it is kept with the lease of the work: it survives the process. */
export class ImportStarts {
  readonly #starts: Map<string, number>;

  /** @param place what {@link toString} gave; anything else counts as nothing */
  constructor(place: string) {
    const noted = [...place.matchAll(/(imp_[0-9a-z]+) (\d{1,4})(?:;|$)/g)];
    this.#starts = new Map(noted.slice(-MAX_NOTED).map(([, importId, starts]) => [importId as string, Number(starts)]));
  }

  begin(importId: string): void {
    const starts = this.of(importId) + 1;
    this.#starts.delete(importId);
    this.#starts.set(importId, starts);
  }

  of(importId: string): number {
    return this.#starts.get(importId) ?? 0;
  }

  /** Forgets an import: it got further, or its end was no crash. @returns false when nothing was noted */
  forget(importId: string): boolean {
    return this.#starts.delete(importId);
  }

  toString(): string {
    return [...this.#starts].map(([importId, starts]) => `${importId} ${starts}`).join(';');
  }
}

/** What somebody else has begun, or what a crash has left, is found after so long at the latest. */
const EVERY_MS = 60_000;
/** Looks for something to submit while a file is read. */
const LOOK_EVERY_MS = 200;
const RETRY_MS = 2000;
/** The lease is looked after so often, however long a file or some rows take. */
const RENEW_EVERY_MS = 5000;
/** A turn of the event loop in which nobody else had much to do takes less. */
const SHORT_TURN_MS = 2;
/** Others come first for so long between some rows and the next: an import gets on, however busy the process is. */
const OTHERS_FIRST_MS = 100;
const FAILURE = 'Imports could not go on; they do in a moment';
/** An import that was uploaded begins so much later. */
const WAKE_AFTER_MS = 50;

export interface RunImportsOptions extends ReadImportOptions, SubmitRowsOptions {
  readonly store: ImportStore;
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isErased: (tenantId: string) => boolean;
}

/**
 * Runs imports in one process at a time: those of a tenant one after the other, and some rows of each tenant's in turn. Files are read beside that, because
 * one may take minutes: one at a time, so that previews have the other thread, and of each tenant in turn.
 */
class ImportRunner {
  readonly #options: RunImportsOptions;
  /** Tenant → its import that this process has taken. */
  readonly #taken = new Map<string, ImportRecord>();
  /** Tenants that have nothing to do now, or failed for now → when to look again, epoch milliseconds. */
  readonly #resting = new Map<string, number>();
  /** Tenants whose next file is to be read, in this order. */
  readonly #toRead = new Set<string>();
  /** The tenant whose file is being read, and the end of it, which never fails. */
  #reading: { readonly tenantId: string; readonly done: Promise<void> } | undefined;
  #hasFailed = false;
  #starts = new ImportStarts('');

  constructor(options: RunImportsOptions) {
    this.#options = options;
  }

  /** Ends all rests: somebody has something new. */
  wake(): void {
    this.#resting.clear();
  }

  /** Runs what there is. @returns when to look again, epoch milliseconds @throws AppError 50301 when the store is out */
  async run(held: HeldWork): Promise<number> {
    this.#resting.clear();
    this.#taken.clear();
    this.#toRead.clear();
    this.#starts = new ImportStarts(held.place);
    this.#hasFailed = false;
    // While the store is out, the work itself fails, and says so.
    const renewing = setInterval(() => void held.renew().catch(() => undefined), RENEW_EVERY_MS).unref();
    try {
      await this.#runAll(held);
    } finally {
      // The work is given back afterwards, and another process would read the file as well.
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
      // It may have ended meanwhile, and its rows are to be submitted then.
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

  /** Does a piece for a tenant. When it fails, the tenant rests. */
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

  /** The next tenant in the order of their ids, which begins again at its end. Those with a file to read are left out. */
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
   * @param mayRead false: a file to read only gets its place among the others
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
    // Each phase is a start of its own: reading and submitting can each be what ends the process.
    const isNew = taken?.importId !== importId || taken.attempt !== found.attempt || taken.phase !== found.phase;
    const record = isNew ? await this.#take(found, held) : found;
    if (record === undefined) return;
    try {
      if (isNew) this.#assertFewStarts(importId);
      await this.#work(record, held);
    } catch (error) {
      if (error instanceof TakenOver || (error instanceof AppError && error.httpStatus === 503)) throw error;
      const failure = error instanceof AppError ? error : new AppError('50000', 'The file could not be imported; upload it again');
      if (failure !== error) logger.error({ err: error, import_id: importId }, 'An import failed');
      const end = { state: 'failed', error: { code: failure.code, message: failure.message }, at: clock.now() } as const;
      // Another process may have taken it, and needs the file.
      if (await store.finishHeld(record, end)) await files.delete(fileKey);
    } finally {
      // It has got further, or ends in an orderly way.
      if (this.#starts.forget(importId)) await held.reach(String(this.#starts));
    }
  }

  /** Notes that an import starts, durably, and takes it from whoever had it. @returns undefined when it is not to start */
  async #take(found: ImportRecord, held: HeldWork): Promise<ImportRecord | undefined> {
    this.#starts.begin(found.importId);
    await held.reach(String(this.#starts));
    // Only who has the work takes an import: it would take it from the one that has the work now.
    const taken = held.isOver() ? undefined : await this.#options.store.take(found);
    if (taken !== undefined) this.#taken.set(taken.tenantId, taken);
    return taken;
  }

  /** @throws AppError 50000 when an import has started too often without getting further */
  #assertFewStarts(importId: string): void {
    if (this.#starts.of(importId) <= MAX_STARTS) return;
    throw new AppError('50000', 'The import was begun several times and did not get further; divide the file, and upload it again');
  }

  async #work(record: ImportRecord, held: HeldWork): Promise<void> {
    const { store, isErased, clock } = this.#options;
    if (record.phase === 'submitting') {
      if (await submitRows(this.#options, record)) return;
      await store.finishHeld(record, { state: 'done', error: null, at: clock.now() });
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
 * Lets requests, and what follows from the events of the rows before, come first: as long as turns of the event loop take long, others have work. So the
 * services behind the events keep up with an import in the same process, and their work is not done in one long turn with that of the next rows.
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

/** Makes what runs imports: call `wake` when one has been uploaded. */
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
