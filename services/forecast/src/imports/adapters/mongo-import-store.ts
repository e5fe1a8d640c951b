import type { ImportError, ImportState } from '@parcelway/contracts/import-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { mongo } from 'mongoose';
import type { ImportWarning, MappedColumn } from '../domain/map-columns.ts';
import type {
  ImportChoice,
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
import { LimitedRows } from './limited-rows.ts';
import {
  type ImportDocument,
  type ImportRowDocument,
  importDocumentId,
  importIndexes,
  importRows,
  imports,
  rowDocumentId,
} from './mongo-import-schema.ts';
import { countsOf, findingsOf, newStoredImport, numberOfState, toImport, toRow } from './stored-import.ts';

/** Pending rows that come together: they may be long. */
const AT_ONCE = 64;
/** Another writer was faster: the server's code. */
const WRITE_CONFLICT = 112;

/** The one import. With the tenant, which says which shard it is on. */
const filterOf = ({ tenantId, importId }: ImportName) => ({ _id: importDocumentId(tenantId, importId), tenant_id: tenantId });
const rowsOf = ({ tenantId, importId }: ImportName) => ({ tenant_id: tenantId, import_id: importId });

/** Imports in MongoDB. */
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
    if ((await this.unfinished(job.tenantId)).length >= most) return false;
    const document: ImportDocument = {
      _id: importDocumentId(job.tenantId, job.importId),
      ...newStoredImport(job),
      is_unfinished: true,
    };
    await this.#db.run(() => this.#imports.insertOne(document));
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
      return found === null ? { kind: 'gone' } : { kind: 'ready', record: toImport(found) };
    } catch (error) {
      if (!isDuplicateKey(error, importIndexes.seed)) throw error;
      const known = await this.#db.run(() => this.#imports.findOne({ tenant_id: name.tenantId, seed: seed as string }));
      return known === null ? { kind: 'gone' } : { kind: 'repeated', record: toImport(known) };
    }
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

  async finish(
    name: ImportName,
    { state, error, at }: { readonly state: ImportState; readonly error: ImportError | null; readonly at: number },
  ): Promise<boolean> {
    const set = { state, phase: 'finished', error: error === null ? null : JSON.stringify(error), finished_at: at };
    const filter = { ...filterOf(name), state: 'running' };
    const { matchedCount } = await this.#db.run(() => this.#imports.updateOne(filter, { $set: set, $unset: { is_unfinished: true } }));
    return matchedCount > 0;
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

  async reading(name: ImportName, columns: readonly MappedColumn[], warnings: readonly ImportWarning[]): Promise<void> {
    const set = { phase: 'reading', columns: JSON.stringify(columns), warnings: JSON.stringify(warnings) };
    await this.#db.run(() => this.#imports.updateOne({ ...filterOf(name), state: 'running' }, { $set: set }));
  }

  async addRows(name: ImportName, rows: readonly NewRow[], total: number): Promise<void> {
    const { tenantId, importId } = name;
    const operations = rows.map(({ row, poNumber, cells }) => {
      const _id = rowDocumentId(tenantId, importId, row);
      const stored = { po_number: poNumber, cells: JSON.stringify(cells), state: 0, forecast_no: null, findings: null };
      const update = { $setOnInsert: { import_id: importId, row_no: row, ...stored } };
      return { updateOne: { filter: { _id, tenant_id: tenantId }, update, upsert: true } };
    });
    await this.#db.run(async () => {
      if (operations.length > 0) await this.#rows.bulkWrite(operations, { ordered: false });
      await this.#imports.updateOne(filterOf(name), { $set: { total } });
    });
  }

  async submitting(name: ImportName, total: number, warnings: readonly ImportWarning[]): Promise<void> {
    const set = { phase: 'submitting', total, warnings: JSON.stringify(warnings) };
    await this.#db.run(() => this.#imports.updateOne({ ...filterOf(name), state: 'running' }, { $set: set }));
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

  /* A transaction, because a forecast of which some rows have a result would be another one when the import goes on after a crash. */
  async settle(
    name: ImportName,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<void> {
    await this.#db.run(async () => {
      const session = await this.#db.connection.startSession();
      try {
        session.startTransaction();
        await this.#settleIn(session, name, outcomes, forecasts);
        await session.commitTransaction();
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
    const found = await this.#db.run(() =>
      state === undefined
        ? this.#rows
            .find({
              _id: { $gt: rowDocumentId(tenantId, importId, after), $lt: `${importDocumentId(tenantId, importId)}!` },
              tenant_id: tenantId,
            })
            .sort({ _id: 1 })
            .hint('_id_')
            .limit(limit)
            .toArray()
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

  async #settleIn(
    session: mongo.ClientSession,
    name: ImportName,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<void> {
    const { tenantId, importId } = name;
    const operations = outcomes.map((outcome) => {
      const { row, state, forecastNo } = outcome;
      const filter = { _id: rowDocumentId(tenantId, importId, row), tenant_id: tenantId, state: 0 };
      const set = { state: numberOfState(state), forecast_no: forecastNo, findings: findingsOf(outcome) };
      return { updateOne: { filter, update: { $set: set } } };
    });
    if (operations.length > 0) {
      const { modifiedCount } = await this.#rows.bulkWrite(operations, { session, ordered: true });
      if (modifiedCount < operations.length) throw AppError.unavailable('Another process has written results of the same import');
    }
    const { accepted, failed } = countsOf(outcomes);
    const inc = { accepted, failed, forecasts_accepted: forecasts.accepted, forecasts_failed: forecasts.failed };
    await this.#imports.updateOne(filterOf(name), { $inc: inc }, { session });
  }
}
