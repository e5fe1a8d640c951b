import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { beginAgain, beginErasure, type ErasureRecord, tryAgain } from '../tenants/domain/erasure.ts';
import type { ErasureStore } from '../tenants/ports.ts';

/** Table of the erasures; one entry of the gateway's migrations. */
export const erasuresSchema = `CREATE TABLE erasures (
    tenant_id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    remembered_at INTEGER,
    finished_at INTEGER,
    -- JSON.
    counts TEXT NOT NULL,
    dead_letters_left INTEGER NOT NULL,
    -- How often it failed in a row, and why.
    failures INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    lease_owner TEXT NOT NULL DEFAULT '',
    lease_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX erasures_unfinished ON erasures (tenant_id) WHERE finished_at IS NULL`;

/** A record as stored: its counts are JSON. */
type Row = Omit<ErasureRecord, 'counts'> & { readonly counts: string };

const COLUMNS = `tenant_id AS tenantId, started_at AS startedAt, remembered_at AS rememberedAt, finished_at AS finishedAt, counts,
  dead_letters_left AS deadLettersLeft, failures, failure`;

const toRecord = (row: Row): ErasureRecord => ({ ...row, counts: JSON.parse(row.counts) as ErasureRecord['counts'] });

/** Erasures in SQLite. */
export class SqliteErasures implements ErasureStore {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async find(tenantId: string): Promise<ErasureRecord | undefined> {
    const row = this.#db.get<Row>(`SELECT ${COLUMNS} FROM erasures WHERE tenant_id = ?`, tenantId);
    return row && toRecord(row);
  }

  begin(tenantId: string, now: number): Promise<ErasureRecord> {
    return this.#db.transaction(() => {
      const row = this.#db.get<Row>(`SELECT ${COLUMNS} FROM erasures WHERE tenant_id = ?`, tenantId);
      const lease = this.#db.get<{ readonly owner: string }>('SELECT lease_owner AS owner FROM erasures WHERE tenant_id = ?', tenantId);
      const isFree = row?.finishedAt === null && lease?.owner === '';
      if (isFree) this.#db.run('UPDATE erasures SET lease_until = 0 WHERE tenant_id = ?', tenantId);
      const known = row === undefined ? beginErasure(tenantId, now) : beginAgain(toRecord(row));
      const record = isFree ? tryAgain(known) : known;
      this.#db.run(
        `INSERT INTO erasures (tenant_id, started_at, remembered_at, finished_at, counts, dead_letters_left, failures, failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id) DO UPDATE SET
           remembered_at = excluded.remembered_at, finished_at = excluded.finished_at, dead_letters_left = excluded.dead_letters_left,
           failures = excluded.failures, failure = excluded.failure`,
        tenantId,
        record.startedAt,
        record.rememberedAt,
        record.finishedAt,
        JSON.stringify(record.counts),
        record.deadLettersLeft,
        record.failures,
        record.failure,
      );
      return record;
    });
  }

  lease(owner: string, now: number, until: number): Promise<ErasureRecord | undefined> {
    return this.#db.transaction(() => {
      const row = this.#db.get<Row>(
        `SELECT ${COLUMNS} FROM erasures INDEXED BY erasures_unfinished WHERE finished_at IS NULL AND (lease_until <= ? OR lease_owner = ?) LIMIT 1`,
        now,
        owner,
      );
      if (row === undefined) return undefined;
      this.#db.run('UPDATE erasures SET lease_owner = ?, lease_until = ? WHERE tenant_id = ?', owner, until, row.tenantId);
      return toRecord(row);
    });
  }

  async postpone(tenantId: string, owner: string, failure: string, until: number): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run(
        `UPDATE erasures SET lease_owner = '', lease_until = ?, failure = ?, failures = failures + 1
         WHERE tenant_id = ? AND lease_owner = ? AND finished_at IS NULL`,
        until,
        failure,
        tenantId,
        owner,
      ),
    );
  }

  save(record: ErasureRecord, owner: string, until: number): Promise<boolean> {
    return this.#db.transaction(
      () =>
        this.#db.run(
          `UPDATE erasures SET remembered_at = ?, finished_at = ?, counts = ?, dead_letters_left = ?, failures = ?, failure = ?, lease_until = ?
           WHERE tenant_id = ? AND lease_owner = ?`,
          record.rememberedAt,
          record.finishedAt,
          JSON.stringify(record.counts),
          record.deadLettersLeft,
          record.failures,
          record.failure,
          until,
          record.tenantId,
          owner,
        ).changes === 1,
    );
  }
}
