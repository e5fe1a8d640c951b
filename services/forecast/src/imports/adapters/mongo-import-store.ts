import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { mongo } from 'mongoose';
import type { ImportWarning, MappedColumn } from '../domain/map-columns.ts';
import type {
  HeldImport,
  ImportChoice,
  ImportEnd,
  ImportName,
  ImportRecord,
  ImportStore,
  NewImport,
  NewRow,
  ReadyOutcome,
  RowLimit,
  RowOutcome,
  RowQuery,
  StoredRow,
} from '../ports.ts';
import { TakenOver } from '../ports.ts';
import {
  type ImportDocument,
  type ImportRowDocument,
  importDocumentId,
  importIndexes,
  importRows,
  imports,
  rowDocumentId,
} from './mongo-import-schema.ts';
import { countsOf, findingsOf, LimitedRows, newStoredImport, numberOfState, toImport, toRow } from './stored-import.ts';

/** Pending rows that come together: they may be long. */
const AT_ONCE = 64;
/** Another writer was faster: the server's code. */
const WRITE_CONFLICT = 112;

/** The one import. With the tenant, which says which shard it is on. */
const filterOf = ({ tenantId, importId }: ImportName) => ({ _id: importDocumentId(tenantId, importId), tenant_id: tenantId });
/** The one import, while this process has it. */
const heldFilterOf = (held: HeldImport) => ({ ...filterOf(held), attempt: held.attempt });
const rowsOf = ({ tenantId, importId }: ImportName) => ({ tenant_id: tenantId, import_id: importId });

export class MongoImportStore implements ImportStore {
  readonly #db: MongoDatabase;
  readonly #imports: mongo.Collection<ImportDocument>;
  readonly #rows: mongo.Collection<ImportRowDocument>;

  /** @param db migrated with forecastCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#imports = db.model(imports).collection as unknown as mongo.Collection<ImportDocument>;
    this.#rows = db.model(importRows).collection as unknown as mongo.Collection<ImportRowDocument>;
  }

  /** Processes that begin at the same moment may exceed `most` by a few. */
  async begin(job: NewImport, most: number): Promise<boolean> {
    const others = (await this.unfinished(job.tenantId)).filter(({ importId }) => importId !== job.importId);
    if (others.length >= most) return false;
    const { tenant_id: _ofFilter, ...stored } = newStoredImport(job);
    const document = { $setOnInsert: { ...stored, is_unfinished: true } } as const;
    await this.#db.run(() => this.#imports.updateOne(filterOf(job), document, { upsert: true }));
    return true;
  }

  async ready(name: ImportName, { mapping, validateOnly }: ImportChoice, seed: string | undefined): Promise<ReadyOutcome> {
    const set = {
      state: 'running',
      mapping: JSON.stringify(mapping),
      validate_only: validateOnly ? 1 : 0,
      ...(seed === undefined ? {} : { seed }),
    };
    try {
      const filter = { ...filterOf(name), state: 'receiving' };
      const found = await this.#db.run(() => this.#imports.findOneAndUpdate(filter, { $set: set }, { returnDocument: 'after' }));
      const record = found === null ? await this.find(name) : toImport(found);
      return record === undefined ? { kind: 'gone' } : { kind: 'ready', record };
    } catch (error) {
      if (!isDuplicateKey(error, importIndexes.seed)) throw error;
      const known = await this.ofSeed(name.tenantId, seed as string);
      return known === undefined ? { kind: 'gone' } : { kind: 'repeated', record: known };
    }
  }

  async ofSeed(tenantId: string, seed: string): Promise<ImportRecord | undefined> {
    const found = await this.#db.run(() => this.#imports.findOne({ tenant_id: tenantId, seed }));
    return found === null ? undefined : toImport(found);
  }

  async take(name: ImportName): Promise<ImportRecord | undefined> {
    const found = await this.#db.run(() =>
      this.#imports.findOneAndUpdate({ ...filterOf(name), state: 'running' }, { $inc: { attempt: 1 } }, { returnDocument: 'after' }),
    );
    return found === null ? undefined : toImport(found);
  }

  async find(name: ImportName): Promise<ImportRecord | undefined> {
    const found = await this.#db.run(() => this.#imports.findOne({ ...filterOf(name), state: { $ne: 'receiving' } }));
    return found === null ? undefined : toImport(found);
  }

  async list(tenantId: string, before: string | undefined, limit: number): Promise<readonly ImportRecord[]> {
    const filter = { tenant_id: tenantId, state: { $ne: 'receiving' }, ...(before === undefined ? {} : { import_id: { $lt: before } }) };
    const found = await this.#db.run(() =>
      this.#imports.find(filter).sort({ import_id: -1 }).hint(importIndexes.newest).limit(limit).toArray(),
    );
    return found.map(toImport);
  }

  finish(name: ImportName, end: ImportEnd): Promise<boolean> {
    return this.#finish(filterOf(name), end);
  }

  finishHeld(held: HeldImport, end: ImportEnd): Promise<boolean> {
    return this.#finish(heldFilterOf(held), end);
  }

  async nextRunning(after: string): Promise<string | undefined> {
    const found = await this.#db.run(() =>
      this.#imports.findOne(
        { tenant_id: { $gt: after }, is_unfinished: true, state: 'running' },
        { sort: { tenant_id: 1 }, hint: importIndexes.unfinished, projection: { tenant_id: 1 } },
      ),
    );
    return found?.tenant_id;
  }

  async unfinished(tenantId: string): Promise<readonly ImportRecord[]> {
    const found = await this.#db.run(() =>
      this.#imports.find({ tenant_id: tenantId, is_unfinished: true }).sort({ import_id: 1 }).hint(importIndexes.unfinished).toArray(),
    );
    return found.map(toImport);
  }

  async reading(held: HeldImport, columns: readonly MappedColumn[], warnings: readonly ImportWarning[]): Promise<void> {
    const set = { phase: 'reading', columns: JSON.stringify(columns), warnings: JSON.stringify(warnings) };
    await this.#writeHeld(held, set);
  }

  async addRows(held: HeldImport, rows: readonly NewRow[], total: number): Promise<void> {
    const { tenantId, importId } = held;
    const operations = rows.map(({ row, poNumber, cells }) => {
      const _id = rowDocumentId(tenantId, importId, row);
      const stored = { po_number: poNumber, cells: JSON.stringify(cells), state: 0, forecast_no: null, findings: null };
      const update = { $setOnInsert: { import_id: importId, row_no: row, ...stored } };
      return { updateOne: { filter: { _id, tenant_id: tenantId }, update, upsert: true } };
    });
    await this.#db.run(async () => {
      // First, because rows of an import that another process has read to its end would stay when it is removed.
      const { matchedCount } = await this.#imports.updateOne(heldFilterOf(held), { $set: { total } });
      if (matchedCount === 0) throw new TakenOver();
      if (operations.length > 0) await this.#rows.bulkWrite(operations, { ordered: false });
    });
  }

  async submitting(held: HeldImport, total: number, warnings: readonly ImportWarning[]): Promise<void> {
    await this.#writeHeld(held, { phase: 'submitting', total, warnings: JSON.stringify(warnings) });
  }

  async pending(name: ImportName, limit: RowLimit): Promise<readonly NewRow[]> {
    return this.#db.run(async () => {
      const found = new LimitedRows(limit);
      const cursor = this.#rows
        .find({ ...rowsOf(name), state: 0 })
        .sort({ row_no: 1 })
        .hint(importIndexes.state)
        .limit(limit.rows);
      for await (const row of cursor.batchSize(AT_ONCE)) {
        found.add(toRow(row));
        if (found.isFull) break;
      }
      return found.rows;
    });
  }

  async pendingOf(name: ImportName, poNumbers: readonly string[], limit: RowLimit): Promise<readonly NewRow[]> {
    const filter = { ...rowsOf(name), po_number: { $in: [...poNumbers] }, state: 0 };
    return this.#db.run(async () => {
      const found = new LimitedRows(limit);
      const cursor = this.#rows.find(filter).sort({ po_number: 1, row_no: 1 }).hint(importIndexes.pending);
      for await (const row of cursor.batchSize(AT_ONCE)) {
        if (found.isFull && row.po_number !== found.rows.at(-1)?.poNumber) break;
        found.add(toRow(row));
      }
      return found.rows;
    });
  }

  /* A transaction: a forecast of which some rows have a result would be another one when the import goes on after a crash. */
  async settle(
    held: HeldImport,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<void> {
    await this.#db.run(async () => {
      const session = await this.#db.connection.startSession();
      try {
        session.startTransaction();
        if (await this.#settleIn(session, held, outcomes, forecasts)) await session.commitTransaction();
        else await session.abortTransaction();
      } catch (error) {
        const isConflict = error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT;
        throw isConflict ? AppError.unavailable('Another process writes results of the same import') : error;
      } finally {
        await session.endSession();
      }
    });
  }

  async rows(name: ImportName, { state, after, limit }: RowQuery): Promise<readonly StoredRow[]> {
    const { tenantId, importId } = name;
    const ids = { $gt: rowDocumentId(tenantId, importId, after), $lt: `${importDocumentId(tenantId, importId)}!` };
    const found = await this.#db.run(() =>
      state === undefined
        ? this.#rows.find({ _id: ids, tenant_id: tenantId }).sort({ _id: 1 }).hint('_id_').limit(limit).toArray()
        : this.#rows
            .find({ ...rowsOf(name), state: numberOfState(state), row_no: { $gt: after } })
            .sort({ row_no: 1 })
            .hint(importIndexes.state)
            .limit(limit)
            .toArray(),
    );
    return found.map(toRow);
  }

  async nextTenant(after: string): Promise<string | undefined> {
    const options = { sort: { tenant_id: 1, import_id: 1 }, hint: importIndexes.newest, projection: { tenant_id: 1 } } as const;
    const found = await this.#db.run(() => this.#imports.findOne({ tenant_id: { $gt: after } }, options));
    return found?.tenant_id;
  }

  async oldest(tenantId: string): Promise<ImportRecord | undefined> {
    const options = { sort: { import_id: 1 }, hint: importIndexes.newest } as const;
    const found = await this.#db.run(() => this.#imports.findOne({ tenant_id: tenantId }, options));
    return found === null ? undefined : toImport(found);
  }

  async removeRows(name: ImportName, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const found = await this.#rows
        .find(rowsOf(name), { projection: { _id: 1 } })
        .hint(importIndexes.state)
        .limit(limit)
        .toArray();
      if (found.length === 0) return 0;
      const ids = found.map(({ _id }) => _id);
      return (await this.#rows.deleteMany({ _id: { $in: ids }, tenant_id: name.tenantId })).deletedCount;
    });
  }

  async remove(name: ImportName): Promise<void> {
    await this.#db.run(() => this.#imports.deleteOne(filterOf(name)));
  }

  async removeReceiving(name: ImportName): Promise<boolean> {
    return (await this.#db.run(() => this.#imports.deleteOne({ ...filterOf(name), state: 'receiving' }))).deletedCount > 0;
  }

  async #finish(filter: ReturnType<typeof filterOf>, { state, error, at }: ImportEnd): Promise<boolean> {
    const set = { state, phase: 'finished', error: error === null ? null : JSON.stringify(error), finished_at: at };
    const { matchedCount } = await this.#db.run(() =>
      this.#imports.updateOne({ ...filter, state: 'running' }, { $set: set, $unset: { is_unfinished: true } }),
    );
    return matchedCount > 0;
  }

  /** Writes to an import that runs and that this process has. Of one that has ended meanwhile nothing is written. @throws TakenOver */
  async #writeHeld(held: HeldImport, set: Partial<ImportDocument>): Promise<void> {
    const { matchedCount } = await this.#db.run(() => this.#imports.updateOne({ ...heldFilterOf(held), state: 'running' }, { $set: set }));
    if (matchedCount === 0 && (await this.find(held))?.state === 'running') throw new TakenOver();
  }

  /** @returns false when there is nothing to commit: all rows have a result already */
  async #settleIn(
    session: mongo.ClientSession,
    held: HeldImport,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<boolean> {
    const { tenantId, importId } = held;
    const operations = outcomes.map((outcome) => {
      const { row, state, forecastNo } = outcome;
      const filter = { _id: rowDocumentId(tenantId, importId, row), tenant_id: tenantId, state: 0 };
      const set = { state: numberOfState(state), forecast_no: forecastNo, findings: findingsOf(outcome) };
      return { updateOne: { filter, update: { $set: set } } };
    });
    const { modifiedCount } = await this.#rows.bulkWrite(operations, { session, ordered: true });
    const { accepted, failed } = countsOf(outcomes);
    const inc = { accepted, failed, forecasts_accepted: forecasts.accepted, forecasts_failed: forecasts.failed };
    const { matchedCount } = await this.#imports.updateOne(heldFilterOf(held), { $inc: inc }, { session });
    if (matchedCount === 0) throw new TakenOver();
    if (modifiedCount > 0 && modifiedCount < operations.length) throw AppError.unavailable('A row of the import has a result already');
    return modifiedCount > 0;
  }
}
