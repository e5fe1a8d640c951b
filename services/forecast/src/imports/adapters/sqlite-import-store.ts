import { AppError } from '@parcelway/kernel/app-error';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { isUniqueViolation } from '@parcelway/sqlite/sqlite-errors';
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
  countsOf,
  findingsOf,
  LimitedRows,
  newStoredImport,
  numberOfState,
  type StoredImport,
  type StoredImportRow,
  toImport,
  toRow,
} from './stored-import.ts';

const COLUMNS = `tenant_id, import_id, file_name, file_key, kind, mapping, validate_only, state, phase, total, accepted, failed,
  forecasts_accepted, forecasts_failed, columns, warnings, error, created_at, finished_at, key_id, attempt`;
const ROW_COLUMNS = 'row_no, po_number, cells, state, forecast_no, findings';
const DELETE_ROW = 'DELETE FROM import_rows WHERE tenant_id = ? AND import_id = ? AND row_no = ?';
/** Pending rows of one query: they may be long. */
const AT_ONCE = 32;
/** What a transaction here writes is all that it does. */
const REPEATABLE = { repeatable: true } as const;
/** Longer than any id, and behind all of them. */
const LAST = '~';

/** Imports in SQLite; see sqlite-import-schema.ts for the tables. */
export class SqliteImportStore implements ImportStore {
  readonly #db: SqliteDatabase;

  /** @param db migrated with forecastMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async begin(job: NewImport, most: number): Promise<boolean> {
    return this.#db.transaction(() => {
      if (this.#get(job) !== undefined) return true;
      if (this.#unfinished(job.tenantId).length >= most) return false;
      const stored = newStoredImport(job);
      const values = Object.values(stored) as (string | number | null)[];
      this.#db.run(`INSERT INTO imports (${Object.keys(stored).join(', ')}) VALUES (${values.map(() => '?').join(', ')})`, ...values);
      return true;
    });
  }

  async ready(
    { tenantId, importId }: ImportName,
    { mapping, validateOnly }: ImportChoice,
    seed: string | undefined,
  ): Promise<ReadyOutcome> {
    return this.#db.transaction((): ReadyOutcome => {
      try {
        this.#db.run(
          "UPDATE imports SET state = 'running', mapping = ?, validate_only = ?, seed = ? WHERE tenant_id = ? AND import_id = ? AND state = 'receiving'",
          JSON.stringify(mapping),
          validateOnly ? 1 : 0,
          seed ?? null,
          tenantId,
          importId,
        );
        const record = this.#get({ tenantId, importId });
        return record === undefined ? { kind: 'gone' } : { kind: 'ready', record };
      } catch (error) {
        if (!isUniqueViolation(error, 'imports.seed')) throw error;
        return { kind: 'repeated', record: this.#ofSeed(tenantId, seed as string) as ImportRecord };
      }
    });
  }

  async ofSeed(tenantId: string, seed: string): Promise<ImportRecord | undefined> {
    return this.#ofSeed(tenantId, seed);
  }

  async take(name: ImportName): Promise<ImportRecord | undefined> {
    const sql = "UPDATE imports SET attempt = attempt + 1 WHERE tenant_id = ? AND import_id = ? AND state = 'running'";
    return this.#db.transaction(() => (this.#db.run(sql, name.tenantId, name.importId).changes > 0 ? this.#get(name) : undefined));
  }

  async find(name: ImportName): Promise<ImportRecord | undefined> {
    const found = this.#get(name);
    return found?.state === 'receiving' ? undefined : found;
  }

  async list(tenantId: string, before: string | undefined, limit: number): Promise<readonly ImportRecord[]> {
    const sql = `SELECT ${COLUMNS} FROM imports INDEXED BY imports_shown WHERE tenant_id = ? AND import_id < ? AND state <> 'receiving'
      ORDER BY import_id DESC LIMIT ?`;
    return this.#db.all<StoredImport>(sql, tenantId, before ?? LAST, limit).map(toImport);
  }

  async finish(name: ImportName, end: ImportEnd): Promise<boolean> {
    return this.#finish(name, end, null);
  }

  async finishHeld(held: HeldImport, end: ImportEnd): Promise<boolean> {
    return this.#finish(held, end, held.attempt);
  }

  async nextRunning(after: string): Promise<string | undefined> {
    const sql = `SELECT tenant_id FROM imports INDEXED BY imports_unfinished WHERE tenant_id > ? AND finished_at IS NULL ORDER BY tenant_id LIMIT 1`;
    // Tenants that only upload are few: no upload takes longer than an hour.
    for (let at = after; ; ) {
      const found = this.#db.get<{ readonly tenant_id: string }>(sql, at);
      if (found === undefined) return undefined;
      at = found.tenant_id;
      if (this.#unfinished(at).some(({ state }) => state === 'running')) return at;
    }
  }

  async unfinished(tenantId: string): Promise<readonly ImportRecord[]> {
    return this.#unfinished(tenantId);
  }

  async reading(held: HeldImport, columns: readonly MappedColumn[], warnings: readonly ImportWarning[]): Promise<void> {
    await this.#writeHeld(held, "phase = 'reading', columns = ?, warnings = ?", [JSON.stringify(columns), JSON.stringify(warnings)]);
  }

  async addRows(held: HeldImport, rows: readonly NewRow[], total: number): Promise<void> {
    const { tenantId, importId } = held;
    const sql = `INSERT INTO import_rows (tenant_id, import_id, row_no, po_number, cells, state) VALUES (?, ?, ?, ?, ?, 0)
      ON CONFLICT (tenant_id, import_id, row_no) DO NOTHING`;
    await this.#db.transaction(() => {
      this.#setHeld(held, 'total = ?', [total]);
      for (const { row, poNumber, cells } of rows) this.#db.run(sql, tenantId, importId, row, poNumber, JSON.stringify(cells));
    }, REPEATABLE);
  }

  async submitting(held: HeldImport, total: number, warnings: readonly ImportWarning[]): Promise<void> {
    await this.#writeHeld(held, "phase = 'submitting', total = ?, warnings = ?", [total, JSON.stringify(warnings)]);
  }

  async pending(name: ImportName, limit: RowLimit): Promise<readonly NewRow[]> {
    const found = new LimitedRows(limit);
    while (!found.isFull) {
      const after = found.rows.at(-1)?.row ?? 0;
      const some = this.#rows(name, 'pending', after, Math.min(AT_ONCE, limit.rows - found.rows.length));
      for (const row of some) if (!found.isFull) found.add(row);
      if (some.length === 0) break;
    }
    return found.rows;
  }

  async pendingOf({ tenantId, importId }: ImportName, poNumbers: readonly string[], limit: RowLimit): Promise<readonly NewRow[]> {
    const sql = `SELECT ${ROW_COLUMNS} FROM import_rows INDEXED BY import_rows_pending WHERE tenant_id = ? AND import_id = ? AND po_number = ?
      AND state = 0 ORDER BY row_no`;
    const found = new LimitedRows(limit);
    for (const poNumber of [...poNumbers].sort()) {
      if (found.isFull) break;
      for (const row of this.#db.all<StoredImportRow>(sql, tenantId, importId, poNumber)) found.add(toRow(row));
    }
    return found.rows;
  }

  async settle(
    held: HeldImport,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<void> {
    const sql =
      'UPDATE import_rows SET state = ?, forecast_no = ?, findings = ? WHERE tenant_id = ? AND import_id = ? AND row_no = ? AND state = 0';
    const { tenantId, importId } = held;
    const { accepted, failed } = countsOf(outcomes);
    await this.#db.transaction(() => {
      let settled = 0;
      for (const outcome of outcomes) {
        const { row, state, forecastNo } = outcome;
        settled += this.#db.run(sql, numberOfState(state), forecastNo, findingsOf(outcome), tenantId, importId, row).changes;
      }
      const isRepeated = settled === 0;
      if (!isRepeated && settled < outcomes.length) throw AppError.unavailable('A row of the import has a result already');
      const counts = isRepeated ? [0, 0, 0, 0] : [accepted, failed, forecasts.accepted, forecasts.failed];
      this.#setHeld(
        held,
        `accepted = accepted + ?, failed = failed + ?, forecasts_accepted = forecasts_accepted + ?,
          forecasts_failed = forecasts_failed + ?`,
        counts,
      );
    }, REPEATABLE);
  }

  async rows(name: ImportName, { state, after, limit }: RowQuery): Promise<readonly StoredRow[]> {
    if (state !== undefined) return this.#rows(name, state, after, limit);
    const sql = `SELECT ${ROW_COLUMNS} FROM import_rows WHERE tenant_id = ? AND import_id = ? AND row_no > ? ORDER BY row_no LIMIT ?`;
    return this.#db.all<StoredImportRow>(sql, name.tenantId, name.importId, after, limit).map(toRow);
  }

  async nextTenant(after: string): Promise<string | undefined> {
    const sql = 'SELECT tenant_id FROM imports WHERE tenant_id > ? ORDER BY tenant_id LIMIT 1';
    return this.#db.get<{ readonly tenant_id: string }>(sql, after)?.tenant_id;
  }

  async oldest(tenantId: string): Promise<ImportRecord | undefined> {
    const found = this.#db.get<StoredImport>(`SELECT ${COLUMNS} FROM imports WHERE tenant_id = ? ORDER BY import_id LIMIT 1`, tenantId);
    return found && toImport(found);
  }

  async removeRows({ tenantId, importId }: ImportName, limit: number): Promise<number> {
    const some = 'SELECT row_no FROM import_rows WHERE tenant_id = ? AND import_id = ? ORDER BY row_no LIMIT ?';
    return this.#db.transaction(() => {
      const rows = this.#db.all<{ readonly row_no: number }>(some, tenantId, importId, limit);
      for (const { row_no } of rows) this.#db.run(DELETE_ROW, tenantId, importId, row_no);
      return rows.length;
    });
  }

  async remove({ tenantId, importId }: ImportName): Promise<void> {
    await this.#db.transaction(() => this.#db.run('DELETE FROM imports WHERE tenant_id = ? AND import_id = ?', tenantId, importId));
  }

  async removeReceiving({ tenantId, importId }: ImportName): Promise<boolean> {
    const sql = "DELETE FROM imports WHERE tenant_id = ? AND import_id = ? AND state = 'receiving'";
    return this.#db.transaction(() => this.#db.run(sql, tenantId, importId).changes > 0);
  }

  #finish({ tenantId, importId }: ImportName, { state, error, at }: ImportEnd, attempt: number | null): Promise<boolean> {
    const sql = `UPDATE imports SET state = ?1, phase = 'finished', error = ?2, finished_at = ?3
      WHERE tenant_id = ?4 AND import_id = ?5 AND state = 'running' AND (?6 IS NULL OR attempt = ?6)`;
    const shown = error === null ? null : JSON.stringify(error);
    return this.#db.transaction(() => this.#db.run(sql, state, shown, at, tenantId, importId, attempt).changes > 0);
  }

  /** Writes to an import that runs and that this process has. Of one that has ended meanwhile nothing is written. */
  async #writeHeld(held: HeldImport, assignments: string, values: readonly SqlValue[]): Promise<void> {
    await this.#db.transaction(() => {
      if (this.#get(held)?.state === 'running') this.#setHeld(held, assignments, values);
    });
  }

  /** Writes to an import that this process has; only inside a transaction. @throws TakenOver */
  #setHeld({ tenantId, importId, attempt }: HeldImport, assignments: string, values: readonly SqlValue[]): void {
    const sql = `UPDATE imports SET ${assignments} WHERE tenant_id = ? AND import_id = ? AND attempt = ?`;
    if (this.#db.run(sql, ...values, tenantId, importId, attempt).changes === 0) throw new TakenOver();
  }

  #ofSeed(tenantId: string, seed: string): ImportRecord | undefined {
    const found = this.#db.get<StoredImport>(`SELECT ${COLUMNS} FROM imports WHERE tenant_id = ? AND seed = ?`, tenantId, seed);
    return found && toImport(found);
  }

  #unfinished(tenantId: string): ImportRecord[] {
    const sql = `SELECT ${COLUMNS} FROM imports INDEXED BY imports_unfinished WHERE tenant_id = ? AND finished_at IS NULL ORDER BY import_id`;
    return this.#db.all<StoredImport>(sql, tenantId).map(toImport);
  }

  #get({ tenantId, importId }: ImportName): ImportRecord | undefined {
    const found = this.#db.get<StoredImport>(`SELECT ${COLUMNS} FROM imports WHERE tenant_id = ? AND import_id = ?`, tenantId, importId);
    return found && toImport(found);
  }

  #rows({ tenantId, importId }: ImportName, state: StoredRow['state'], after: number, limit: number): StoredRow[] {
    const sql = `SELECT ${ROW_COLUMNS} FROM import_rows INDEXED BY import_rows_state WHERE tenant_id = ? AND import_id = ? AND state = ?
      AND row_no > ? ORDER BY row_no LIMIT ?`;
    return this.#db.all<StoredImportRow>(sql, tenantId, importId, numberOfState(state), after, limit).map(toRow);
  }
}
