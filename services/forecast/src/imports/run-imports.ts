import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ImportRecord, ImportStore } from './ports.ts';
import { TakenOver } from './ports.ts';
import { type ReadImportOptions, readImport } from './read-import.ts';
import { type SubmitRowsOptions, submitRows } from './submit-rows.ts';

/** Times that an import may start without getting further. What ends the process may be the import itself. */
export const MAX_STARTS = 5;
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

  /** Notes a start. @returns false when there were too many */
  begin(importId: string): boolean {
    const starts = (this.#starts.get(importId) ?? 0) + 1;
    this.#starts.delete(importId);
    this.#starts.set(importId, starts);
    return starts <= MAX_STARTS;
  }

  /** Forgets an import: it got further, or its end was no crash. @returns false when nothing was noted */
  forget(importId: string): boolean {
    return this.#starts.delete(importId);
  }

  toString(): string {
    return [...this.#starts].map(([importId, starts]) => `${importId} ${starts}`).join(';');
  }
}

/** Tenants whose imports are under way side by side. Others come when one of them has finished an import. */
const MAX_TENANTS = 8;
/** Looks for further tenants while imports are under way. */
const LOOK_EVERY_MS = 200;
/** What somebody else has begun, or what a crash has left, is found after so long at the latest. */
const EVERY_MS = 60_000;
const RETRY_MS = 2000;
/** A turn of the event loop in which nobody else had much to do takes less. */
const SHORT_TURN_MS = 2;
/** Others come first for so long between some rows and the next: an import gets on, however busy the process is. */
const OTHERS_FIRST_MS = 100;
/** The files of all other tenants that are under way may be read before, as long as each may take. */
const MAX_WAIT_MS = MAX_TENANTS * 60_000;
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

/** An import that this process works on. */
interface Run {
  /** As it was when this process took it last. */
  record: ImportRecord;
}

/** Runs imports in one process at a time; those of a tenant one after the other, and those of several tenants in turns. */
class ImportRunner {
  readonly #options: RunImportsOptions;
  /** A file is read in a thread with a heap of its own: one at a time, so that previews have the other threads. */
  readonly #reading = new FairQueue({ atOnce: 1, maxWaitMs: MAX_WAIT_MS, refusal: 'Too many imports are being read' });
  readonly #submitting = new FairQueue({ atOnce: 1, maxWaitMs: MAX_WAIT_MS, refusal: 'Too many imports are being submitted' });
  readonly #active = new Map<string, Promise<void>>();
  /** Tenants that have nothing to do now, or failed for now → when to look again, epoch milliseconds. */
  readonly #resting = new Map<string, number>();
  readonly #failed = new Set<string>();
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
    this.#failed.clear();
    this.#starts = new ImportStarts(held.place);
    let after = '';
    while (!held.isOver()) {
      await held.renew();
      const tenantId = this.#active.size < MAX_TENANTS ? await this.#nextTenant(after) : undefined;
      if (tenantId !== undefined) {
        after = tenantId;
        this.#begin(tenantId, held);
      } else if (this.#active.size > 0) {
        await Promise.race([...this.#active.values(), pause(LOOK_EVERY_MS)]);
      } else break;
    }
    await Promise.all(this.#active.values());
    return this.#options.clock.now() + (this.#failed.size > 0 ? RETRY_MS : EVERY_MS);
  }

  /** The next tenant in the order of their ids, which begins again at its end. */
  async #nextTenant(after: string): Promise<string | undefined> {
    const { store } = this.#options;
    let hasTurned = after === '';
    for (let at = after; ; ) {
      const tenantId = await store.nextRunning(at);
      if (tenantId === undefined) {
        if (hasTurned) return undefined;
        hasTurned = true;
        at = '';
      } else if (!this.#active.has(tenantId) && !this.#rests(tenantId)) return tenantId;
      else at = tenantId;
    }
  }

  #begin(tenantId: string, held: HeldWork): void {
    this.#failed.delete(tenantId);
    const running = this.#runOldest(tenantId, held).catch((error: unknown) => {
      this.#failed.add(tenantId);
      this.#rest(tenantId);
      // What the stop of the process interrupts is no failure.
      if (!held.isOver()) this.#options.logger.warn({ err: error, tenant_id: tenantId }, FAILURE);
    });
    this.#active.set(
      tenantId,
      running.then(() => void this.#active.delete(tenantId)),
    );
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
   * Notes that an import starts, durably, and takes it from whoever had it.
   * @returns false when it is not to start
   * @throws AppError 50000 when it has started too often without getting further
   */
  async #start(run: Run, held: HeldWork): Promise<boolean> {
    const isAllowed = this.#starts.begin(run.record.importId);
    await held.reach(String(this.#starts));
    // Only who has the work takes an import: it would take it from the one that has the work now.
    const taken = held.isOver() ? undefined : await this.#options.store.take(run.record);
    if (taken === undefined) return false;
    run.record = taken;
    if (!isAllowed)
      throw new AppError('50000', 'The import was begun several times and did not get further; divide the file, and upload it again');
    return true;
  }

  /** Notes that an import has got further, or ends in an orderly way. */
  async #forget({ importId }: ImportRecord, held: HeldWork): Promise<void> {
    if (this.#starts.forget(importId)) await held.reach(String(this.#starts));
  }

  async #runOldest(tenantId: string, held: HeldWork): Promise<void> {
    const { store, files, isErased, logger, clock } = this.#options;
    const record = (await store.unfinished(tenantId)).find(({ state }) => state === 'running');
    if (record === undefined || isErased(tenantId)) {
      this.#rest(tenantId);
      return;
    }
    const run: Run = { record };
    try {
      await this.#runImport(run, held);
      await this.#forget(record, held);
    } catch (error) {
      await this.#forget(record, held);
      if (error instanceof TakenOver || (error instanceof AppError && error.httpStatus === 503)) throw error;
      const failure = error instanceof AppError ? error : new AppError('50000', 'The file could not be imported; upload it again');
      if (failure !== error) logger.error({ err: error, import_id: record.importId }, 'An import failed');
      const end = { state: 'failed', error: { code: failure.code, message: failure.message }, at: clock.now() } as const;
      // Another process may have taken it, and needs the file.
      if (await store.finishHeld(run.record, end)) await files.delete(record.fileKey);
    }
  }

  async #runImport(run: Run, held: HeldWork): Promise<void> {
    const { store, isErased, clock } = this.#options;
    const { tenantId, phase } = run.record;
    const goesOn = async (): Promise<boolean> => {
      await held.renew();
      if (held.isOver() || isErased(tenantId)) return false;
      const now = await store.find(run.record);
      return now?.state === 'running' && now.attempt === run.record.attempt;
    };
    if (phase !== 'submitting') {
      const isRead = await this.#reading.run(
        tenantId,
        async () => (await goesOn()) && (await this.#start(run, held)) && readImport(this.#options, run.record, goesOn),
      );
      await this.#forget(run.record, held);
      if (!isRead) return;
    }
    for (let isFirst = true; await goesOn(); isFirst = false) {
      const hasMore = await this.#submitting.run(tenantId, async () => {
        if (isFirst && !(await this.#start(run, held))) return undefined;
        return submitRows(this.#options, run.record);
      });
      if (isFirst) await this.#forget(run.record, held);
      if (hasMore === undefined) return;
      if (!hasMore) {
        await store.finishHeld(run.record, { state: 'done', error: null, at: clock.now() });
        return;
      }
      await letOthersFirst();
    }
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
