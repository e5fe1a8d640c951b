import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { SheetReading } from './domain/sheet-reading.ts';
import type { ImportRecord } from './import-collections.ts';
import { type ImportStore, TakenOver } from './import-store.ts';
import type { ImportFiles, SpreadsheetReader } from './ports.ts';
import { type SubmitRowsOptions, submitRows } from './submit-rows.ts';

export interface RunImportsOptions extends SubmitRowsOptions {
  readonly store: ImportStore;
  readonly files: ImportFiles;
  readonly reader: SpreadsheetReader;
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isErased: (tenantId: string) => boolean;
}

/**
 * Reads the file of an import and stores its rows. May be repeated from the beginning, also after a crash at any point.
 * @param goesOn asked now and then: false ends the reading, which is to be repeated
 * @throws AppError 42201, 42205, 42206 when the file cannot be imported; 50301 when a store is out
 */
async function readImport(options: RunImportsOptions, record: ImportRecord, goesOn: () => Promise<boolean>): Promise<void> {
  const { store, files, reader } = options;
  const content = await files.read(record.fileKey);
  if (content === undefined) throw new AppError('42205', 'The file is not there any more; upload it again');
  const sheet = new SheetReading(record.mapping);
  for await (const part of reader.read(content, record.kind, { tenantId: record.tenantId, purpose: 'import' })) {
    const isFirst = sheet.columns === undefined;
    const rows = sheet.take(part);
    if (isFirst && sheet.columns !== undefined) {
      await store.note(record, { phase: 'reading', columns: sheet.columns, warnings: sheet.warnings });
      sheet.assertComplete();
    }
    await store.addRows(record, rows, sheet.total);
    await failpointAsync('import.rows-stored');
    if (!(await goesOn())) return;
  }
  sheet.end();
  await store.note(record, { phase: 'submitting', total: sheet.total, warnings: sheet.warnings });
  // The rows have all of it.
  await files.delete(record.fileKey);
}

/** Imports that one sweep removes, so that others are not kept waiting. */
const MAX_REMOVED = 20;
const ROWS_AT_ONCE = 200;

/**
 * Removes imports that are over 30 days old, and what is left of uploads that ended early: the file first, so that none is left behind. May be repeated.
 * @throws AppError 50301
 */
async function sweepImports({ store, files, clock, logger }: RunImportsOptions, held: Pick<HeldWork, 'renew' | 'isOver'>): Promise<void> {
  const over = held.isOver() ? [] : await store.over(clock.now(), MAX_REMOVED);
  for (const record of over) {
    await held.renew();
    if (held.isOver()) return;
    await files.delete(record.fileKey);
    while ((await store.removeRows(record, ROWS_AT_ONCE)) > 0) await held.renew();
    await store.remove(record);
  }
  if (over.length > 0) logger.info({ imports: over.length }, 'Imports were removed because their retention has ended');
}

/** Times that an import may start without progress: the import itself may be what ends the process. */
const MAX_STARTS = 5;
const DOES_NOT_END = 'The import was begun several times and did not get further; divide the file, and upload it again';

/** The longest time until the imports of other processes, and those that a crash left, are found. */
const EVERY_MS = 60_000;
/** How often to look for imports of further tenants while some run. */
const LOOK_EVERY_MS = 100;
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

/** Tenants whose imports run side by side at most. */
const MAX_TENANTS = 1000;

/** Turns of tenants, one at a time. Nobody is refused: a wait ends with the work of the others. */
const turns = (): FairQueue => new FairQueue({ atOnce: 1, maxWaitMs: 2 ** 31 - 1, refusal: 'Imports take too long' });

/**
 * Runs imports in one process at a time. The imports of a tenant run one after the other; tenants take turns, some rows each. Meanwhile files are read,
 * because one may take minutes: one at a time, so that previews have the other thread. Tenants take turns at that, too.
 */
class ImportRunner {
  readonly #options: RunImportsOptions;
  readonly #reading = turns();
  readonly #submitting = turns();
  /** Tenants whose imports have just failed → when to look again, epoch milliseconds. */
  readonly #resting = new Map<string, number>();

  constructor(options: RunImportsOptions) {
    this.#options = options;
  }

  /** Ends all rests: there is a new import. */
  wake(): void {
    this.#resting.clear();
  }

  /** Runs what there is. @returns when to look again, epoch milliseconds @throws AppError 50301 when the store is out */
  async run(held: HeldWork): Promise<number> {
    const { store, clock, isErased } = this.#options;
    const running = new Map<string, Promise<void>>();
    let sweptAt = Number.NEGATIVE_INFINITY;
    this.#resting.clear();
    // While the store is out, the work itself fails and logs that.
    const renewing = setInterval(() => void held.renew().catch(() => undefined), RENEW_EVERY_MS).unref();
    try {
      while (!held.isOver()) {
        await held.renew();
        if (clock.now() - sweptAt >= EVERY_MS) {
          await sweepImports(this.#options, held);
          sweptAt = clock.now();
        }
        const tenants = await store.tenantsRunning(MAX_TENANTS);
        for (const tenantId of tenants) {
          if (running.has(tenantId) || isErased(tenantId) || clock.now() < (this.#resting.get(tenantId) ?? 0)) continue;
          running.set(
            tenantId,
            this.#runTenant(tenantId, held).finally(() => running.delete(tenantId)),
          );
        }
        if (running.size === 0) break;
        await Promise.race([...running.values(), pause(LOOK_EVERY_MS)]);
      }
    } finally {
      // The work is given back afterwards. Another process would then read the same file.
      await Promise.all(running.values());
      clearInterval(renewing);
    }
    return clock.now() + (this.#resting.size > 0 ? RETRY_MS : EVERY_MS);
  }

  /** Runs the imports of a tenant, oldest first. When one fails for now, the tenant rests. Never rejects. */
  async #runTenant(tenantId: string, held: HeldWork): Promise<void> {
    const { store, isErased, clock, logger } = this.#options;
    this.#resting.delete(tenantId);
    try {
      while (!held.isOver() && !isErased(tenantId)) {
        const found = (await store.unfinished(tenantId)).find(({ state }) => state === 'running');
        if (found === undefined) return;
        if (found.phase === 'submitting') await this.#runPhase(found, held, (record) => this.#submit(record, held));
        else
          await this.#reading.run(tenantId, () =>
            this.#runPhase(found, held, async (record) => {
              await this.#noteStart(record);
              await readImport(this.#options, record, () => this.#goesOn(record, held));
            }),
          );
      }
    } catch (error) {
      this.#resting.set(tenantId, clock.now() + RETRY_MS);
      // What the stop of the process interrupts is no failure.
      if (!held.isOver()) logger.warn({ err: error, tenant_id: tenantId }, FAILURE);
    }
  }

  /** Takes an import over, and works on it. @throws AppError 50301; TakenOver */
  async #runPhase(found: ImportRecord, held: HeldWork, work: (record: ImportRecord) => Promise<void>): Promise<void> {
    const { store, files, logger, clock } = this.#options;
    // Without the lease, this would take the import from the process that has the lease now.
    await held.reach(held.place);
    const record = held.isOver() ? undefined : await store.take(found);
    if (record === undefined) return;
    try {
      await work(record);
    } catch (error) {
      if (error instanceof TakenOver || (error instanceof AppError && error.httpStatus === 503)) throw error;
      const failure = error instanceof AppError ? error : new AppError('50000', 'The file could not be imported; upload it again');
      if (failure !== error) logger.error({ err: error, import_id: record.importId }, 'An import failed');
      const end = { state: 'failed', error: { code: failure.code, message: failure.message }, at: clock.now() } as const;
      // Another process may have taken it, and needs the file.
      if (await store.finish(record, end, record.attempt)) await files.delete(record.fileKey);
    } finally {
      // It ended without a crash.
      await store.note(record, { starts: 0 });
    }
  }

  /** Counts a start before the work begins, because reading or submitting may end the process. @throws AppError 50000 after too many starts */
  async #noteStart(record: ImportRecord): Promise<void> {
    if (record.starts >= MAX_STARTS) throw new AppError('50000', DOES_NOT_END);
    await this.#options.store.note(record, { starts: record.starts + 1 });
  }

  /** True while this process is to go on with an import. */
  async #goesOn(record: ImportRecord, held: HeldWork): Promise<boolean> {
    const { store, isErased } = this.#options;
    await held.renew();
    if (held.isOver() || isErased(record.tenantId)) return false;
    const now = await store.find(record);
    return now?.state === 'running' && now.attempt === record.attempt;
  }

  async #submit(record: ImportRecord, held: HeldWork): Promise<void> {
    const { store, clock } = this.#options;
    let pieces = 0;
    const submitSome = async (): Promise<boolean> => {
      if (!(await this.#goesOn(record, held))) return false;
      // Count it here: an import that only waits cannot have ended the process.
      if (pieces === 0) await this.#noteStart(record);
      if (!(await submitRows(this.#options, record))) {
        await store.finish(record, { state: 'done', error: null, at: clock.now() }, record.attempt);
        return false;
      }
      await letOthersFirst();
      return true;
    };
    for (; await this.#submitting.run(record.tenantId, submitSome); pieces += 1) {
      // It has made progress.
      if (pieces === 0) await store.note(record, { starts: 0 });
    }
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
