import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { EventKey } from '../../expected/domain/event.ts';
import { MAX_REJECTIONS, type Rejection } from '../domain/event-outcome.ts';
import type { Rejections } from '../ports.ts';

/**
 * Rejected reports, of each warehouse in a ring: the slot is the count of its rejections modulo the most that are kept. One entry of the service's
 * migrations.
 */
export const rejectionsSchema = `CREATE TABLE rejections (
    warehouse_code TEXT NOT NULL,
    slot INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    -- Rises from one to the next at the warehouse.
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- Rejection as JSON.
    rejection TEXT NOT NULL,
    PRIMARY KEY (warehouse_code, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rejections_of_event ON rejections (warehouse_code, event_id, number);
  CREATE INDEX rejections_by_age ON rejections (at);
  CREATE TABLE rejection_counts (warehouse_code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** Rejected reports in the service's file. */
export class SqliteRejections implements Rejections {
  readonly #db: SqliteDatabase;
  readonly #most: number;

  /** @param db migrated with intakeMigrations @param most of a warehouse */
  constructor(db: SqliteDatabase, most = MAX_REJECTIONS) {
    this.#db = db;
    this.#most = most;
  }

  remember(rejected: readonly Rejection[], at: number): Promise<void> {
    return this.#db.transaction(() => {
      for (const rejection of rejected) this.#add(rejection, at);
    });
  }

  async rejectionOf({ warehouseCode, eventId }: EventKey): Promise<(Rejection & { readonly at: number }) | undefined> {
    const row = this.#db.get<{ readonly at: number; readonly rejection: string }>(
      'SELECT at, rejection FROM rejections WHERE warehouse_code = ? AND event_id = ? ORDER BY number DESC LIMIT 1',
      warehouseCode,
      eventId,
    );
    return row && { ...(JSON.parse(row.rejection) as Rejection), at: row.at };
  }

  forget(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const { changes } = this.#db.run(
        `DELETE FROM rejections WHERE (warehouse_code, slot) IN
         (SELECT warehouse_code, slot FROM rejections WHERE at < ? ORDER BY at LIMIT ?)`,
        before,
        limit,
      );
      return changes;
    });
  }

  #add(rejection: Rejection, at: number): void {
    const { warehouseCode, eventId } = rejection;
    const row = this.#db.get<{ readonly count: number }>(
      `INSERT INTO rejection_counts (warehouse_code, count) VALUES (?, 1)
       ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`,
      warehouseCode,
    );
    const number = row?.count ?? 1;
    this.#db.run(
      'INSERT OR REPLACE INTO rejections (warehouse_code, slot, event_id, number, at, rejection) VALUES (?, ?, ?, ?, ?, ?)',
      warehouseCode,
      number % this.#most,
      eventId,
      number,
      at,
      JSON.stringify(rejection),
    );
  }
}
